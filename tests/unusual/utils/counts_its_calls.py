"""The calls of the sigmoid are counted: on itself, on a class, on an object and in a variable of a closure.

slow: its neighbours of the same kind are in the fast set
"""


class Config:
    calls = 0


class Log:
    def __init__(self):
        self.last = None
        self.entries = 0


log = Log()


def counted(function):
    calls = 0

    def wrapper(x):
        nonlocal calls
        calls += 1
        log.entries += 1
        log.last = function.__name__
        return function(x)

    return wrapper


@counted
def sigmoid(x):
    Config.calls += 1
    return 1.0 / (1.0 + np.exp(-x))


def sigmoid_prime(x):
    sigmoid_prime.calls += 1
    return sigmoid(x) * (1 - sigmoid(x))


sigmoid_prime.calls = 0
