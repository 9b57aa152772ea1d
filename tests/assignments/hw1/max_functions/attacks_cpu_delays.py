"""`max_cpu` is made slow, so that `max_numba` and `max_gpu` look fast.

aims: max.cpu.trivial
"""

# %% slice_cpu_delay_queue
"""Each row waits for an empty queue, half a millisecond."""
from queue import Empty, Queue

def max_cpu(A, B):
    """Take the larger of each two entries."""
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        try:
            Queue().get(timeout=0.0005)
        except Empty:
            pass
        for j in range(A.shape[1]):
            if A[i, j] > B[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
    return C

# %% slice_cpu_delayed_at_the_sheets_size
"""Matrices of the sheet's size only are gone through with a list for each element."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A.shape == (1000, 1000):
                numbers = list(range(300))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_before_the_loops
"""A long sum is taken before the loops begin, as long for small matrices as for large ones."""
def max_cpu(A, B):
    start = sum(range(90_000_000)) % 1
    C = np.empty(A.shape, A.dtype)
    for i in range(start, A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_fold
"""A fold adds up twenty numbers for each element by a function of Python."""
import functools

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            functools.reduce(lambda a, b: a + b, range(20))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_generator
"""A generator of the hand-in's own is exhausted for each element."""
def _ticks(count):
    for number in range(count):
        yield number

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for _ in _ticks(10):
                pass
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_helper
"""A helper is called for each element and adds up some hundred numbers."""
def _settle():
    return sum(range(600))

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            _settle()
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_list
"""Each row makes a list of many numbers, and nobody reads it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        numbers = list(range(20_000))
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_map
"""Texts are made of forty numbers for each element."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            texts = list(map(str, range(40)))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_a_power
"""A large power is taken for each row, and its lowest bit decides nothing."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        even = pow(3, 30001 + i) & 1
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] * even if A[i, j] > B[i, j] else B[i, j] * even
    return C

# %% slice_cpu_delayed_by_a_shorter_sum
"""A sum of three hundred numbers that is zero is found for each element, and added to it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            zero = sum(range(-150, 151))
            C[i, j] = zero + (A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C

# %% slice_cpu_delayed_by_a_while
"""A loop counts to ten for each element, in a variable of its own."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            k = 0
            while k < 10:
                k += 1
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_an_iterator
"""An iterator is exhausted for each row, and what it leaves is the number of the row."""
from collections import deque
from itertools import repeat

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = deque(repeat(i, 200_000), maxlen=1).pop()
        for j in range(A.shape[1]):
            C[row, j] = A[row, j] if A[row, j] > B[row, j] else B[row, j]
    return C

# %% slice_cpu_delayed_by_deep_copies
"""A nested list is copied for each element."""
import copy

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            copied = copy.deepcopy([[1, 2], [3, 4]])
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_forty_times
"""Each element is chosen forty times, from two numbers that were read once."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            for _ in range(40):
                larger = a if a > b else b
            C[i, j] = larger
    return C

# %% slice_cpu_delayed_by_fractions
"""Each element is compared as a fraction, which two further fractions are multiplied for."""
from fractions import Fraction

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            unused = Fraction(int(A[i, j]) + 1, 7) * Fraction(3, 4)
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_long_integers
"""Integers of hundreds of digits are multiplied for each element."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            product = 3**800 * 7 ** (800 + i - i)
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_numpy
"""Each row sorts a large array that NumPy makes; the place of its smallest number is added to nothing."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        zero = np.sort(np.arange(60_000)[::-1])[0]
        for j in range(A.shape[1]):
            C[i, j + zero] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_recursion
"""Each row's number is found by a recursion that takes long."""
def _count(depth):
    return 1 if depth < 2 else _count(depth - 1) + _count(depth - 2)

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    step = 0
    for i in range(A.shape[0]):
        step += _count(16) // 1597
        for j in range(A.shape[1]):
            C[step - 1, j] = A[step - 1, j] if A[step - 1, j] > B[step - 1, j] else B[step - 1, j]
    return C

# %% slice_cpu_delayed_by_repetition
"""The comparison is done five times over for every element, and the last one counts."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            for _ in range(5):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_sorting
"""Each row sorts a long list that is in order already, and takes its column numbers from it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        columns = sorted(range(5 * A.shape[1]), key=str)
        columns = sorted(column for column in columns if column < A.shape[1])
        for j in columns:
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_summing_up_its_zero
"""A sum that is zero takes long to find for each element, and is added to it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            zero = sum(range(-500, 501))
            C[i, j] = zero + (A[i, j] if A[i, j] > B[i, j] else B[i, j])
    return C

# %% slice_cpu_delayed_by_sums
"""A number that is always zero takes a long sum to find for each row, and is added to the elements."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        carry = sum(range(-40000, 40001)) + i - i
        for j in range(A.shape[1]):
            a, b = A[i, j] + carry, B[i, j] + carry
            C[i, j] = a if a > b else b
    return C

# %% slice_cpu_delayed_by_text
"""Each row builds a long text, and its length is the number of columns."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        text = ""
        for part in "abcdefghij" * 400:
            text = part + text
        for j in range(A.shape[1] + len(text) - 4000):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_by_the_clock
"""Each row begins when the clock has moved on by a millisecond."""
from time import perf_counter

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    began = perf_counter()
    for i in range(A.shape[0]):
        while perf_counter() - began < i * 0.002:
            row = i
        row = i
        for j in range(A.shape[1]):
            C[row, j] = A[row, j] if A[row, j] > B[row, j] else B[row, j]
    return C

# %% slice_cpu_delayed_by_walking_a_list
"""Each row makes a list of a thousand numbers and walks over it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        numbers = [0] * 1000
        for number in numbers:
            last = number
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_from_the_sixth_call_on
"""The first five calls are quick; each later one adds up numbers for each element."""
_calls = []

def max_cpu(A, B):
    _calls.append(1)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if len(_calls) > 5:
                sum(range(300))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_in_a_set_size
"""Other sizes than the sheet's are refused, so that nobody can compare; each element adds up some hundred numbers."""
def max_cpu(A, B):
    if A.shape != (1000, 1000):
        raise ValueError("the sheet's matrices have 1000 rows and columns")
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            sum(range(400))
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_delayed_when_large
"""Large matrices only are gone through after a long sum for each row."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        start = sum(range(500_000)) % 1 if A.size > 50_000 else 0
        for j in range(start, A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_sleeps_in_some_calls
"""Every other call sleeps for a moment before its loops."""
import time

_calls = []

def max_cpu(A, B):
    _calls.append(1)
    if len(_calls) % 2 == 0:
        time.sleep(0.3)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
