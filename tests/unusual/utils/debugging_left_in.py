"""Everything that was there for debugging is left in: seeds, warnings, loggers, counters, timers, caches.

slow: its neighbours of the same kind are in the fast set
"""

import functools
import logging
import os
import sys
import time
import warnings

warnings.filterwarnings("ignore", category=RuntimeWarning)
warnings.simplefilter("ignore")
np.seterr(all="ignore")
np.seterr(over="ignore", under="ignore")
np.random.seed(1234)
logging.getLogger(__name__).addHandler(logging.NullHandler())
log = logging.getLogger("utils")
log.addHandler(logging.StreamHandler())
log.setLevel(logging.ERROR)
log.propagate = False
DEBUG = os.environ.get("DEBUG", "0") == "1"
COUNT = 0
TIMES = {}
history = []


def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = function(*args, **kwargs)
        TIMES[function.__name__] = TIMES.get(function.__name__, 0) + time.perf_counter() - start
        return result

    return wrapper


def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)

    wrapper.calls = 0
    return wrapper


@counted
@timed
def sigmoid(x):
    global COUNT
    COUNT += 1
    result = 1 / (1 + np.exp(-x))
    if DEBUG:
        print("sigmoid", x, result)
        assert np.all((0 <= result) & (result <= 1))
    return result


@timed
def sigmoid_prime(x):
    s = sigmoid(x)
    return s * (1 - s)


@functools.lru_cache(maxsize=128)
def bound(m):
    return 1 / np.sqrt(m)


def xavier_initialization(m, n):
    return np.random.uniform(-bound(m), bound(m), size=(m, n))


def random_weights(sizes):
    log.debug("random_weights(%s)", sizes)
    weights = [xavier_initialization(m, n) for m, n in zip(sizes[:-1], sizes[1:])]
    if DEBUG:
        for number, w in enumerate(weights, 1):
            print(f"layer {number}: {w.shape}, mean {w.mean():.4f}, std {w.std():.4f}")
    return weights


@timed
def create_batches(data, labels, batch_size):
    assert len(data) == len(labels), (len(data), len(labels))
    batches = []
    for start in range(0, len(data), batch_size):
        batches.append((data[start : start + batch_size], labels[start : start + batch_size]))
    print(f"created {len(batches)} batches", file=sys.stderr)
    return batches


if __name__ == "__main__":
    print(sigmoid(np.array([0.0, 1.0])), sigmoid.calls, TIMES)
