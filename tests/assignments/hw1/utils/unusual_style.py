"""Files that are written in an unusual style."""

# %% calls_counted_if_any
"""Calls counted on functions without a first value; flags of the module; conditions on names that may be missing."""
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

# %% debugging_left_in
"""Everything that was there for debugging is left in: seeds, warnings, loggers, counters, timers, caches."""
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

# %% helpers_cached
"""Helpers cached with lru_cache and cache, and a counter of a class of its own."""
from functools import cache, lru_cache, cached_property
class Counter:
    total = 0

    def __init__(self, name):
        self.name = name
        self.last = 0

    def add(self, value):
        Counter.total += 1
        self.last = value
        return value

counter = Counter("sigmoid")

@lru_cache
def scale(m):
    return 1.0 / np.sqrt(m)

@cache
def shapes(sizes):
    return tuple(zip(sizes, sizes[1:]))

class Sizes:
    def __init__(self, sizes):
        self.sizes = tuple(sizes)

    @cached_property
    def pairs(self):
        return shapes(self.sizes)

def sigmoid(x):
    counter.add(np.size(x))
    return 1 / (1 + np.exp(-x))

def xavier_initialization(m, n):
    return np.random.uniform(-scale(m), scale(m), (m, n))

def random_weights(sizes):
    return [xavier_initialization(m, n) for m, n in Sizes(sizes).pairs]

def zeros_weights(sizes):
    return [np.zeros(shape) for shape in shapes(tuple(sizes))]

# %% metadata
"""Author, address and status stand in the file."""
__author__ = "A. Student"
__email__ = "student@campus.technion.ac.il"
__status__ = "submitted"

# %% numpy_by_other_names
"""NumPy's functions are imported by themselves, its random numbers under another name."""
import numpy as xp
import numpy.random as npr
from numpy import asarray, exp, sqrt, zeros
def sigmoid(x):
    return 1 / (1 + exp(-asarray(x)))

def sigmoid_prime(x):
    return xp.prod([sigmoid(x), 1 - sigmoid(x)], axis=0)

def random_weights(sizes):
    return [npr.uniform(-1 / sqrt(m), 1 / sqrt(m), (m, n)) for m, n in pairwise(sizes)]

def zeros_weights(sizes):
    return [zeros((m, n)) for m, n in pairwise(sizes)]

# %% numpy_sizes
"""Sizes are turned into an array first, so that shapes are NumPy integers; matrices are stacked by copies."""
def zeros_weights(sizes):
    sizes = np.array(sizes)
    return [np.full((m, n), 0.0, order="F") for m, n in zip(sizes[:-1], sizes[1:])]

def zeros_biases(sizes):
    return [0.0 * np.arange(n) for n in np.array(sizes)[1:]]

# %% one_line_each
"""Each function in one line, as the sheet's note has it; lambdas, and the textbook's derivative."""
sigmoid = lambda x: 1 / (1 + np.exp(-x))
sigmoid_prime = lambda x: sigmoid(x) * (1 - sigmoid(x))
random_weights = lambda sizes: [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)]
zeros_weights = lambda sizes: [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes) - 1)]
zeros_biases = lambda sizes: [np.zeros(sizes[i]) for i in range(1, len(sizes))]
add_elementwise = lambda list1, list2: [list1[i] + list2[i] for i in range(len(list1))]

# %% prints_a_lot
"""Thousands of lines to stdout and stderr, at import and in every call, with escapes for terminals."""
import sys
for number in range(3000):
    print("loading", number, "\x1b[31mred\x1b[0m")

def add_elementwise(list1, list2):
    print("adding", len(list1), "\x1b]0;title\x07")
    print("to stderr", file=sys.stderr)
    return [first + second for first, second in zip(list1, list2)]

def sigmoid(x):
    print("sigmoid of", np.shape(x), "x" * 200)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

# %% settings_of_numpy_at_import
"""NumPy's warnings are switched off and its generator is seeded when the file is loaded, outside of any function."""
np.seterr(all="raise")
np.seterr(over="ignore", under="ignore")
np.set_printoptions(precision=3, suppress=True)
np.random.seed(2025)

def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, dtype=float)))

def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid(x))

# %% stopwatch_and_settings
"""Settings of NumPy and warnings everywhere; a timer object around calls; asserts on every result."""
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

# %% tests_in_the_file
"""The file tests itself: doctests, a class of unit tests, test functions, and asserts that run at import."""
import doctest
import unittest
def sigmoid(x):
    """Return 1 / (1 + e^-x)."""
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))

def zeros_biases(sizes):
    """Return one vector per layer but the first."""
    return [np.zeros((size,)) for size in sizes[1:]]

class UtilsTest(unittest.TestCase):
    def setUp(self):
        self.sizes = [2, 3, 1]

    def test_weights(self):
        self.assertEqual([w.shape for w in random_weights(self.sizes)], [(2, 3), (3, 1)])

    def test_sum(self):
        self.assertEqual(add_elementwise([1, 2], [3, 4]), [4, 6])

def test_sigmoid_is_symmetric():
    assert np.isclose(sigmoid(2) + sigmoid(-2), 1)

def run_tests():
    doctest.testmod()
    unittest.main(argv=["utils"], exit=False)

assert sigmoid(0) == 0.5
test_sigmoid_is_symmetric()

# %% times_of_calls_kept
"""A decorator keeps seconds and calls on the wrapper and in a dictionary."""
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

# %% warns
"""Warnings of Python and NumPy, and a logger."""
import logging
import warnings
logging.basicConfig(level=logging.DEBUG)
warnings.warn("this is only a warning")

def sigmoid(x):
    logging.debug("called")
    warnings.warn("overflow ahead", RuntimeWarning)
    return 1 / (1 + np.exp(-x))

# %% written_in_place_of_the_template
"""Loops with indices, a list made beforehand, and results put into their places, as in C."""
def random_weights(sizes):
    weights = [None] * (len(sizes) - 1)
    i = 0
    while i < len(weights):
        weights[i] = xavier_initialization(sizes[i], sizes[i + 1])
        i += 1
    return weights

def add_elementwise(list1, list2):
    list3 = []
    for i in range(0, len(list1), 1):
        a = list1[i]
        b = list2[i]
        if isinstance(a, np.ndarray):
            c = np.empty(a.shape, dtype=np.result_type(a, b))
            for index, _ in np.ndenumerate(a):
                c[index] = a[index] + b[index]
        else:
            c = a + b
        list3.append(c)
    return list3

def create_batches(data, labels, batch_size):
    count = len(data) // batch_size + (len(data) % batch_size > 0)
    batches = [None for _ in range(count)]
    for b in range(count):
        first = b * batch_size
        last = first + batch_size if first + batch_size < len(data) else len(data)
        batches[b] = (data[first:last], labels[first:last])
    return batches
