"""Calls counted on functions without a first value; flags of the module; conditions on names that may be missing.

slow: its neighbours of the same kind are in the fast set
"""

import sys
import traceback

try:
    import matplotlib.pyplot as plt
except ImportError:
    plt = None

DEBUG = "--debug" in sys.argv


def count(function):
    if not hasattr(function, "calls"):
        function.calls = 0
    function.calls += 1


def sigmoid(x):
    count(sigmoid)
    try:
        return 1 / (1 + np.exp(-x))
    except FloatingPointError:
        traceback.print_exc()
        return np.where(x > 0, 1.0, 0.0)


def sigmoid_prime(x):
    if not hasattr(sigmoid_prime, "calls"):
        sigmoid_prime.calls = 0
    sigmoid_prime.calls += 1
    if DEBUG and sigmoid_prime.calls % 1000 == 0:
        print(sigmoid_prime.calls, "calls")
    return sigmoid(x) * (1 - sigmoid(x))


def plot_sigmoid():
    x = np.linspace(-5, 5)
    plt.plot(x, sigmoid(x))
    plt.show()


if __name__ == "__main__":
    plot_sigmoid()
