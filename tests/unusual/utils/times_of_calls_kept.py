"""A decorator keeps seconds and calls on the wrapper and in a dictionary.

slow: its neighbours of the same kind are in the fast set
"""

import time
from collections import Counter, defaultdict
from functools import wraps

SECONDS = {}
CALLS = Counter()
SHAPES = defaultdict(set)
LAST = []


def timed(function):
    calls = 0

    @wraps(function)
    def wrapper(*args, **kwargs):
        nonlocal calls
        calls += 1
        CALLS[function.__name__] += 1
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            wrapper.seconds = time.perf_counter() - start
            SECONDS[function.__name__] = SECONDS.get(function.__name__, 0) + wrapper.seconds
            LAST.append(wrapper.seconds)

    return wrapper


@timed
def sigmoid(x):
    SHAPES["sigmoid"].add(np.shape(x))
    return 1 / (1 + np.exp(-x))


@timed
def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)
