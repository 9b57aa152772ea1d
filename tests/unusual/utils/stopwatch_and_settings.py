"""Settings of NumPy and warnings everywhere; a timer object around calls; asserts on every result.

slow: its neighbours of the same kind are in the fast set
"""

import atexit
import time
import warnings

np.seterr(divide="warn", over="ignore", invalid="raise")
np.random.seed(seed=42)
np.set_printoptions(threshold=10, edgeitems=2)
warnings.filterwarnings(action="ignore", message="overflow encountered in exp")
warnings.filterwarnings("error", category=DeprecationWarning)
START = time.time()
old_settings = np.geterr()


class Stopwatch:
    def __init__(self):
        self.total = 0.0
        self.count = 0
        self.began = None

    def __enter__(self):
        self.began = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.total += time.perf_counter() - self.began
        self.count += 1

    def __repr__(self):
        return f"{self.count} calls, {self.total:.3f} s"


watch = Stopwatch()


def sigmoid(x):
    with watch:
        with np.errstate(over="ignore"):
            result = 1.0 / (1.0 + np.exp(-x))
    assert np.shape(result) == np.shape(x), (np.shape(result), np.shape(x))
    assert np.all(np.isfinite(result)), "not finite"
    return result


def add_elementwise(list1, list2):
    begin = time.perf_counter()
    assert len(list1) == len(list2), f"{len(list1)} and {len(list2)}"
    result = []
    for index, (a, b) in enumerate(zip(list1, list2)):
        assert np.shape(a) == np.shape(b), (index, a.shape, b.shape)
        result.append(a + b)
    end = time.perf_counter()
    if end - begin > 1:
        warnings.warn(f"slow: {end - begin} s, {watch}")
    return result


@atexit.register
def report():
    print(watch, time.time() - START)
