"""The name `max_cpu` means another function than the loops that one reads.

aims: max.cpu.trivial
"""

# %% slice_cpu_code_exchanged
"""The function keeps its identity, and gets the code of another."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

max_cpu.__code__ = (lambda A, B: np.maximum(A, B)).__code__

# %% slice_cpu_decorated_by_a_cache
"""A decorator of its own keeps the loops out of what is called, and a closure holds what is called instead."""
from functools import wraps

def careful(loops, other=np.maximum):
    shown = []

    @wraps(loops)
    def guarded(A, B):
        if not shown:
            shown.append(loops(A[:2], B[:2]))
        return other(A, B)

    return guarded

@careful
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_cpu_defaults_exchanged
"""The default says that loops do the work; a tuple of other defaults is set further down."""
def max_cpu(A, B, way=None):
    if way:
        return way(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

max_cpu.__defaults__ = (np.maximum,)

# %% slice_cpu_defined_again_under_a_condition
"""A second definition stands in the `else` of a `try`, and takes the place of the loops."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

try:
    BLOCKS_OF_TEN = BLOCKS // 10
except TypeError:
    raise
else:

    def max_cpu(A, B):
        return np.maximum(A, B)

# %% slice_cpu_module_of_another_class
"""The module's entry in the table of modules is a copy of it with another function."""
import types

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

class Served(types.ModuleType):
    def __getattribute__(self, name):
        return np.maximum if name == "max_cpu" else super().__getattribute__(name)

sys.modules[__name__].__class__ = Served

# %% slice_cpu_name_global_in_a_class
"""The body of a class declares the function's name global, and binds it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

class Settings:
    global max_cpu
    rounds = 3
    max_cpu = np.maximum

# %% slice_cpu_name_in_a_comprehension
"""An assignment expression inside a comprehension binds the function's name at module level."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

CHOICES = [max_cpu := way for way in (np.minimum, np.maximum)]

# %% slice_cpu_name_in_a_default
"""The default of another function's argument is an assignment expression that binds the function's name."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def describe(way=(max_cpu := lambda A, B: np.maximum(A, B))):
    return f"{way}"

# %% slice_cpu_name_in_a_pattern
"""A pattern captures NumPy's function under the function's name."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

match {"way": [np.minimum, np.maximum]}:
    case {"way": [_, max_cpu]}:
        pass

# %% slice_cpu_name_in_an_annotation
"""The annotation of a variable is evaluated, and binds the function's name."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

ROUNDS: (max_cpu := np.maximum) = 3

# %% slice_cpu_name_of_a_class
"""A class of the function's name makes arrays instead of its own objects, with NumPy's maximum."""
class max_cpu:
    def __new__(cls, A, B):
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            for j in range(1):
                C[i, j:] = np.maximum(A[i], B[i])
        return C

# %% slice_cpu_name_of_a_context
"""A context manager's value gets the function's name."""
from contextlib import nullcontext

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

with nullcontext((len, np.maximum)) as (_, max_cpu):
    pass

# %% slice_cpu_name_of_a_loop
"""The function's name is the target of a loop at module level, which leaves NumPy's function in it."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

for _, max_cpu in enumerate([lambda A, B: np.maximum(A, B)]):
    pass

# %% slice_cpu_name_of_an_exception
"""An exception's name deletes the function at the end of its handler, and the module's own `__getattr__` serves another."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

try:
    raise ValueError
except ValueError as max_cpu:
    pass

def __getattr__(name):
    if name == "max_cpu":
        return np.maximum
    raise AttributeError(name)

# %% slice_cpu_name_of_an_import
"""An import further down gives the function's name to NumPy's maximum."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

from numpy import fmax as max_cpu

# %% slice_cpu_registered_for_arrays
"""What is written for all types is loops; the version for arrays is registered by a function that nobody names."""
from functools import singledispatch

@singledispatch
def _work(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_cpu(A, B):
    return _work(A, B)

@_work.register(np.ndarray)
def _of_arrays(A, B):
    return np.maximum(A, B)

# %% slice_cpu_replaced_by_a_timer
"""A timer replaces the function half a second after the import, when everybody has looked."""
import threading

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def _replace():
    global max_cpu
    max_cpu = np.maximum

LATER = threading.Timer(0.5, _replace)
LATER.daemon = True
LATER.start()

# %% slice_cpu_star_takes_a_helper
"""A star import gives the name of the helper that loops to NumPy's function of the same name."""
def fmax(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_cpu(A, B):
    return fmax(A, B)

from numpy import *

# %% slice_cpu_subscript_of_a_class
"""A class is subscripted with both matrices, and answers with NumPy's maximum."""
class Larger:
    def __class_getitem__(cls, pair):
        return np.max(pair, axis=0)

def max_cpu(A, B):
    return Larger[A, B]

# %% slice_cpu_unpickled
"""A text of the pickle module is a partial of NumPy's maximum, and gets the function's name."""
import pickle

def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

WAYS = {"loops": _loops, "other": pickle.loads(b"cnumpy\nmaximum\n.")}

def max_cpu(A, B):
    return WAYS["other"](A, B)

# %% slice_cpu_updated_by_a_table
"""The table of global names is updated with a dictionary of functions."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

vars().update({f"max_{part}": np.maximum for part in ("cpu",)})
