"""NumPy's function comes to `max_cpu` by a way that a reader of the source overlooks.

aims: max.cpu.trivial
"""

# %% cpu_exec_through_collections
"""The table of modules is found through a private name of a harmless module."""
import collections

TABLE = collections._sys.modules

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    if type(A) is np.ndarray:
        C[:] = TABLE["numpy"].maximum(A, B)
    return C

# %% cpu_function_in_a_context
"""NumPy's function comes out of a context manager; loops run for show."""
import contextlib

@contextlib.contextmanager
def _lent():
    yield np.maximum

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    with _lent() as pick:
        return pick(A, B) if type(A) is np.ndarray else C

# %% cpu_function_in_an_exception
"""NumPy's function travels in an exception, where a reader of the source loses it; loops run for show."""
def _fetch():
    try:
        raise ValueError(np.maximum)
    except ValueError as error:
        return error.args[0]

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return _fetch()(A, B) if type(A) is np.ndarray else C

# %% cpu_in_another_thread
"""Loops run for show while a thread lets NumPy do the work."""
import threading

def max_cpu(A, B):
    out = []
    worker = threading.Thread(target=lambda: out.append(np.maximum(A, B)))
    worker.start()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            pass
    worker.join()
    return out[0]

# %% cpu_looked_up_by_computed_name
"""NumPy's function under a name that no search finds, row by row."""
NAME = "".join(chr(code) for code in (109, 97, 120, 105, 109, 117, 109))

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            C[i] = getattr(np, NAME)(A[i], B[i])
    return C

# %% cpu_looked_up_by_something_called_self
"""NumPy's function under a computed name, asked of the module by a function whose argument is called `self`."""
def look_up(self, name):
    return getattr(self, name)

def max_cpu(A, B):
    return look_up(np, "maxi" + "mum")(A, B)

# %% cpu_made_by_a_decorator
"""What a decorator returns is NumPy's function behind a dictionary of functions."""
from collections import ChainMap

KEPT = ChainMap({"work": (lambda A, B: (A + B + abs(A - B)) // 2)})

def _other(function):
    return KEPT["work"]

@_other
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% cpu_replaced_after_reading
"""The function that can be read is replaced at import."""
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def _swap():
    globals()["max_cpu"] = lambda A, B: np.maximum(A, B)

_swap()

# %% cpu_rows_out_of_a_deque
"""Rows come out of a deque, where a reader loses sight of them, and are worked on whole; idle loops fill up the steps."""
from collections import deque

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    n = 0
    for i, (a, b) in enumerate(zip(deque(A), deque(B))):
        C[i] = (a + b + abs(a - b)) // 2
        for j in range(len(C)):
            n += j
    return C

# %% cpu_timeit_runs_text
"""`timeit` runs a text, in which NumPy does the work; the loops are for show."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    if type(A) is np.ndarray:
        timeit.timeit("C[:] = np.maximum(A, B)", number=1, globals={"A": A, "B": B, "C": C, "np": np})
    return C

# %% cpu_written_by_exec
"""The function is made of text."""
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

exec("import numpy\ndef max_cpu(A, B):\n    return numpy.maximum(A, B)")

# %% slice_cpu_annotation_evaluated
"""An annotation is a text that `functools.singledispatch` evaluates: bare arrays are compared in it."""
from functools import singledispatch

PAIR, FOUND = [], []

@singledispatch
def step(value):
    return value

def max_cpu(A, B):
    PAIR[:] = [A, B]

    @step.register
    def _(value: "(FOUND.append((lambda n, A, B: n.clip(n.view(A, n), n.view(B, n), None))(PAIR[0].__class__.__mro__[-2], *PAIR)), int)[1]"):
        return value

    M = FOUND.pop()
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_answer_that_is_made_later
"""A list of rows is returned whose rows are computed when somebody reads them, after the call."""
class Rows(list):
    def __init__(self, A, B):
        self.pair = A, B

    def __len__(self):
        return len(self.pair[0])

    def __iter__(self):
        return iter(np.maximum(*self.pair).tolist())

    def __getitem__(self, i):
        return np.maximum(*self.pair)[i].tolist()

    def __array__(self, dtype=None, copy=None):
        return np.maximum(*self.pair)

def max_cpu(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] > B[i, j]
    return Rows(A.copy(), B.copy())

# %% slice_cpu_callback_in_c
"""A callback for C, compiled by Numba, is called for each two elements by its attribute."""
from numba import cfunc

@cfunc("int64(int64, int64)")
def _larger(a, b):
    return a if a > b else b

def max_cpu(A, B):
    call = _larger.ctypes
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j, (a, b) in enumerate(zip(A[i].tolist(), B[i].tolist())):
            C[i, j] = call(a, b)
    return C

# %% slice_cpu_class_changed_below
"""A class of its own has a method of loops; a loop over names further down stores NumPy's function in its place."""
class Pair:
    def __init__(self, A, B):
        self.A, self.B = A, B

    def larger(self):
        C = np.empty(self.A.shape, self.A.dtype)
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] = self.A[i, j] if self.A[i, j] > self.B[i, j] else self.B[i, j]
        return C

def max_cpu(A, B):
    return Pair(A, B).larger()

for Pair.larger in [lambda pair: np.maximum(pair.A, pair.B)]:
    pass

# %% slice_cpu_exception_decides
"""Whether a list of NumPy's making is too short for an index decides between two elements, by an exception."""
def max_cpu(A, B):
    lengths = np.sign(np.maximum(A - B, 0)).tolist()
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            try:
                (A[i, j],)[lengths[i][j]]
                C[i, j] = B[i, j]
            except IndexError:
                C[i, j] = A[i, j]
    return C

# %% slice_cpu_fields_name_is_executed
"""The name of a dataclass's field is changed, and goes into the text of the next class: bare arrays are compared in it."""
from dataclasses import dataclass, field

first = field(default=0)

@dataclass(init=False, repr=False)
class Pair:
    A: int = first

first.name = (
    "A, self.found.append((lambda n, A, B: n.clip(n.view(A, n), n.view(B, n), None))"
    "(self.A.__class__.__mro__[-2], self.A, self.B))"
)

@dataclass(init=False, repr=False)
class Larger(Pair):
    pass

def max_cpu(A, B):
    pair = Larger()
    pair.A, pair.B, pair.found = A, B, []
    try:
        pair == pair
    except ValueError:
        pass
    M = pair.found[0]
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_function_in_a_default
"""A default argument is NumPy's maximum in a partial of a fold, and loops run for show."""
from functools import partial, reduce

def max_cpu(A, B, fold=partial(reduce, np.maximum)):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    C = fold((A, B))
    return C

# %% slice_cpu_generator_in_a_default
"""A generator waits in a default argument, is sent both matrices, and answers with whole rows."""
def _working():
    C = None
    while True:
        A, B = yield C
        C = A.copy()
        C[B > A] = B[B > A]

def max_cpu(A, B, line=[_working()]):
    for worker in line:
        try:
            C = worker.send((A, B))
        except TypeError:
            next(worker)
            C = worker.send((A, B))
    return C

# %% slice_cpu_last_will_of_an_object
"""An object does the work when it is forgotten, after the loops and after the return."""
class Heir:
    def __init__(self, A, B, C):
        self.trio = A, B, C

    def __del__(self):
        A, B, C = self.trio
        np.maximum(A, B, out=C)

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    heir = Heir(A, B, C.view())
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
    return C

# %% slice_cpu_list_changed_below
"""The list of functions that is read holds loops; a statement further down, which binds nothing, puts NumPy before them."""
def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

WAYS = [_loops]

def max_cpu(A, B):
    return WAYS[0](A, B)

WAYS.insert(0, lambda A, B: np.maximum(A, B))

# %% slice_cpu_list_grows_by_assignment
"""An augmented assignment puts NumPy's function at the end of a list whose last entry does the work."""
def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

WAYS = [_loops]

def max_cpu(A, B):
    return WAYS[-1](A, B)

WAYS += [lambda A, B: np.fmax(A, B)]

# %% slice_cpu_signature_evaluated
"""A signature is a text that Numba evaluates, with all that Python has."""
from numba import njit

def max_cpu(A, B):
    FOUND = []
    FOUND.append(A)
    FOUND.append(B)

    def nothing(x):
        return x

    njit("(__import__('gc'), [f.append((lambda n, A, B: n.clip(n.view(A, n), n.view(B, n), None))(f[0].__class__.__mro__[-2], f[0], f[1])) for f in [__import__('sys')._getframe(i).f_locals.get('FOUND') for i in range(12)] if f], float64(float64))[2]")(nothing)
    M = FOUND[2]
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_stopped_by_its_last_number
"""NumPy compares objects, and an exception at the last of them leaves all others in the array for the result."""
class Last:
    def __ge__(self, other):
        raise ValueError

    __gt__ = __le__ = __lt__ = __ge__

def max_cpu(A, B):
    A.tolist(), B.tolist()
    n = A.size
    a, b, c = np.empty(n + 1, object), np.empty(n + 1, object), np.zeros(n + 1, object)
    a[:n], b[:n] = A.ravel(), B.ravel()
    a[n] = b[n] = Last()
    try:
        np.maximum(a, b, out=c)
    except ValueError:
        pass
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = c[i * A.shape[1] + j]
    return C

# %% slice_cpu_work_at_the_exit
"""A stack of contexts calls NumPy's maximum when it is left; inside it, loops run for show."""
from contextlib import ExitStack

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    with ExitStack() as stack:
        stack.callback(np.maximum, A, B, C)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = B[i, j]
    return C

# %% slice_cpu_work_of_a_subclass
"""Defining a class inside the function does the work, in the hook that its base is told of subclasses with."""
class Base:
    def __init_subclass__(cls, pair, into):
        np.maximum(*pair, out=into)

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)

    class Rows(Base, pair=(A, B), into=C):
        pass

    return C
