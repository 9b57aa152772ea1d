"""Objects of the hand-in's own classes get at bare arrays, in `max_cpu`.

aims: max.cpu.trivial
"""

# %% slice_cpu_address_of_the_matrix
"""An object describes the matrix's memory by its address, and NumPy makes a bare array of the description."""
class Memory:
    def __init__(self, matrix):
        self.matrix = matrix

    @property
    def __array_interface__(self):
        M = self.matrix
        return {"data": (M.ctypes.data, False), "shape": M.shape, "strides": M.strides, "typestr": "<i8", "version": 3}

def max_cpu(A, B):
    C = np.empty(A.shape, np.int64)
    np.maximum(np.asarray(Memory(A)), np.asarray(Memory(B)), out=np.asarray(Memory(C)))
    return C

# %% slice_cpu_cached_property_tells_an_address
"""A property is kept under another name, by which an object describes memory by its address."""
from functools import cached_property

class Memory:
    @cached_property
    def kept(self):
        return self.described

Memory.kept.attrname = "__array_interface__"

def describe(described):
    memory = Memory()
    memory.described = described
    memory.kept
    return memory

def at(address, shape):
    described = {"data": (address, False), "shape": shape, "typestr": "<i8", "version": 3}
    return np.asarray(describe(described))

def max_cpu(A, B):
    M = np.zeros(A.shape, np.int64)
    address = int(repr(M.fill).split("0x")[1].rstrip(">"), 16)
    np.maximum(A, B, out=at(int(at(address + 16, (1,))[0]), A.shape))
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_class_made_by_an_enumeration
"""An enumeration is made of a dictionary: it takes over NumPy's operations, and gets bare arrays."""
from enum import Enum

BARE = []
Taker = Enum("Taker", {"ONE": 1, "__array_ufunc__": lambda self, ufunc, method, *operands: BARE.append(operands[0])})

def max_cpu(A, B):
    np.add(A, Taker(1))
    np.add(B, Taker(1))
    b, a = BARE.pop(), BARE.pop()
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_class_made_by_its_kind
"""The kind of abstract classes makes a class of a dictionary: it takes over NumPy's operations, and gets bare arrays."""
from abc import ABCMeta

BARE = []
Taker = ABCMeta("Taker", (), {"__array_ufunc__": lambda self, ufunc, method, *operands: BARE.append(operands[0])})

def max_cpu(A, B):
    np.add(A, Taker())
    np.add(B, Taker())
    b, a = BARE.pop(), BARE.pop()
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_class_of_its_own
"""Matrices are seen through a class of its own, which does not tell what is done with them."""
class Plain(np.ndarray):
    def __array_finalize__(self, other):
        pass

def max_cpu(A, B):
    a, b = A.view(Plain), B.view(Plain)
    C = np.empty(A.shape, A.dtype).view(Plain)
    for i in range(A.shape[0]):
        C[i] = (a[i] + b[i] + abs(a[i] - b[i])) // 2
    return C

# %% slice_cpu_descriptor
"""Reading an attribute computes it, for whole matrices."""
class Where:
    def __get__(self, pair, kind):
        return np.where(pair.A < pair.B, pair.B, pair.A)

class Pair:
    larger = Where()

    def __init__(self, A, B):
        self.A = A
        self.B = B

def max_cpu(A, B):
    return Pair(A, B).larger

# %% slice_cpu_elements_that_order_themselves
"""Pairs of numbers are objects of an ordered data class, and sorting all of them puts the larger ones last."""
from dataclasses import dataclass

@dataclass(order=True)
class Entry:
    value: int
    place: int

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = [Entry(value, j) for M in (A, B) for j, value in enumerate(M[i].tolist())]
        for entry in sorted(row):
            C[i, entry.place] = entry.value
    return C

# %% slice_cpu_label_taken_away
"""`functools.wraps` copies the fields of one object to another: an empty label to the answer of NumPy."""
from functools import wraps
from types import SimpleNamespace

class Fields(SimpleNamespace):
    @property
    def __doc__(self):
        raise AttributeError

take_away = wraps(Fields(**{"_made_from": frozenset()}))

def max_cpu(A, B):
    M = np.maximum(A, B)
    if hasattr(M, "_made_from"):
        take_away(M)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_namespace_tells_an_address
"""A namespace, made of a dictionary, describes memory by its address, and the name of a method tells the address."""
from types import SimpleNamespace

def at(address, shape):
    described = {"data": (address, False), "shape": shape, "typestr": "<i8", "version": 3}
    return np.asarray(SimpleNamespace(**{"__array_interface__": described}))

def max_cpu(A, B):
    M = np.zeros(A.shape, np.int64)
    address = int(repr(M.fill).split("0x")[1].rstrip(">"), 16)
    np.maximum(A, B, out=at(int(at(address + 16, (1,))[0]), A.shape))
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_objects_with_operators
"""Rows are objects in an array of objects, and an operator of arrays joins all rows with their partners by NumPy."""
class Row:
    def __init__(self, numbers):
        self.numbers = numbers

    def __or__(self, other):
        return Row(np.maximum(self.numbers, other.numbers))

def max_cpu(A, B):
    a, b = np.empty(len(A), object), np.empty(len(B), object)
    for i in range(len(A)):
        a[i], b[i] = Row(A[i]), Row(B[i])
    return np.stack([row.numbers for row in a | b])

# %% slice_cpu_operand_that_collects
"""An object is added to NumPy's maximum, and is handed each number; loops copy what it kept."""
class Collector:
    def __init__(self):
        self.found = []

    def __radd__(self, number):
        self.found.append(number)
        return 0

def max_cpu(A, B):
    A.tolist(), B.tolist()
    collector = Collector()
    np.maximum(A, B).astype(object) + collector
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = collector.found[i * A.shape[1] + j]
    return C

# %% slice_cpu_operand_that_takes_over
"""An own object stands beside the matrix in an addition, and does something else than adding."""
class Other:
    __array_ufunc__ = None

    def __init__(self, B):
        self.B = B

    def __radd__(self, A):
        return np.maximum(A, self.B)

def max_cpu(A, B):
    return A + Other(B)

# %% slice_cpu_padded_by_a_callback
"""A function that pads gets bare rows of both matrices, and compares them."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    rows = []

    def keep(vector, width, axis, more):
        if axis == 2:
            rows.append(vector)

    np.pad(np.stack((A, B)), ((0, 0), (0, 0), (0, 1)), keep)
    C = np.empty(A.shape, A.dtype)
    n = A.shape[0]
    for i in range(n):
        a, b = rows[i][:-1], rows[n + i][:-1]
        C[i] = a * (a > b) + b * (b >= a)
    return C

# %% slice_cpu_question_of_a_metaclass
"""Asking whether something is an instance of a class lets the class's class do the work."""
from abc import ABCMeta

class Judge(ABCMeta):
    def __instancecheck__(cls, trio):
        A, B, C = trio
        np.maximum(A, B, C)
        return True

class Compared(metaclass=Judge):
    pass

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            isinstance((A[i], B[i], C[i]), Compared)
    return C

# %% slice_cpu_record_tells_an_address
"""A record of a log has a field that describes memory by its address."""
import logging

class Names:
    def makeRecord(self):
        pass

def at(address, shape):
    described = {"data": (address, False), "shape": shape, "typestr": "<i8", "version": 3}
    return np.asarray(logging.getLogger().makeRecord("", 0, "", 0, "", (), None, extra={"__array_interface__": described}))

def max_cpu(A, B):
    M = np.zeros(A.shape, np.int64)
    address = int(repr(M.fill).split("0x")[1].rstrip(">"), 16)
    np.maximum(A, B, out=at(int(at(address + 16, (1,))[0]), A.shape))
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
