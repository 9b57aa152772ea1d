"""The next step after an exception, found by its text or by its type: one sentence for the student.

The tables map regular expressions to sentences; the first expression that matches decides. The texts are those of
Python, NumPy, Numba, the CUDA driver and the executor; `tests/worker/test_advice.py` provokes them.
"""

import math
import re
import sys
from collections.abc import Mapping

import numpy as np

_UNREADABLE = "Python cannot read the file: run it, and repair the line that Python points at."
_STARTS = "It starts more processes or threads than a submission gets."
_ONE_NUMBER = "`math` takes one number: for arrays use NumPy's function of the same name."
_SHAPES = "Arrays of these shapes do not fit together: print both shapes in the line before."
_SHAPE = "A shape is one argument: np.zeros((rows, columns)), with two pairs of parentheses."
_COUNT = "The call and the function disagree on the number of arguments; keep the parameters that the sheet gives."
_ENCODING = "Save the file as UTF-8: its comments hold letters in another encoding."
_NO_ARRAYS = (
    "A kernel makes no new arrays, as functions and arithmetic of whole rows do: compute one entry after the other."
)
_ENTRIES = "Compare single entries, such as A[i, j] > B[i, j], not rows or matrices."
_BOUNDS = "This thread has no such element: compare its index with the shape before it is used."
_OUTSIDE = re.compile(
    r"(\w+)\[[^\]]*\] is out of bounds in kernel .*: index \(?([-\d, ]+)\)? of an array of shape \(([\d, ]+)\)"
)
"""How the executor says which index is outside of which shape."""
_WHERE_INDICES_COME_FROM = (
    "If it comes from a thread's number, compare it with the shape first. If from a loop, look at where the loop "
    "ends, and whether two indices are exchanged."
)
_AXES = {1: ("entries",), 2: ("rows", "columns")}
_LIMIT = "Blocks come first, then threads per block, of which there are at most 1024."
_ON_DEVICE = "This array is on the device: copy_to_host() gives one to compute with."
_LOOPS = "A kernel has no such function: write the loops over single entries; of one number take math.exp and the like."

_BY_KIND = {
    "NotImplementedError": "This is still the template's function: write its body.",
    "SystemExit": "Functions must return, not end the program.",
    "RecursionError": "It calls itself without end, or too deeply.",
    "MemoryError": "It asks for more memory than a submission gets.",
    "ModuleNotFoundError": "Import only numpy, numba, the standard library and files that you hand in: is one missing?",
    "FileNotFoundError": "Only the files that you hand in are there: read no other.",
    "SyntaxError": _UNREADABLE,
    "IndentationError": _UNREADABLE,
    "TabError": "Indent with spaces only: editors can turn all tabs of a file into spaces.",
    "OverflowError": "A type is too small for the value: give the result the type of the arguments.",
    "UnboundLocalError": "This name gets its value later, or in a branch that was not taken: set it first.",
    "EOFError": "Nobody types while it is checked: remove input().",
}

_AT_LIMITS = {
    "File too large|No space left on device": "A submission may write small files only, and needs none.",
    "Resource temporarily unavailable|can't start new thread": _STARTS,
    "Operation not permitted": "A submission may not touch other processes, the network or the system.",
    "Permission denied": "A submission may read its own files only, and write in the current folder only.",
}

_OF_LAUNCHES = {
    "must be a sequence of integers": "Counts of blocks and threads are whole numbers: write // instead of /.",
    "every dimension must be at least 1": "0 blocks or threads: // rounds down, (n + 255) // 256 rounds up.",
    "; the limit is 1024|CUDA_ERROR_INVALID_VALUE": _LIMIT,
    "at least the griddim and blockdim": "Both counts stand in one pair of brackets: kernel[blocks, threads](...).",
    "launch configuration was not specified": "Say how many: kernel[blocks, threads per block](...).",
    "Signature mismatch": "Give the kernel one argument for each of its parameters.",
    r"__call__\(\) got an unexpected keyword": "A kernel takes its arguments in order, without names.",
    "the kernel was compiled for": "@cuda.jit names other types than those of the arguments: write it without types.",
    "'CPUDispatcher' object is not subscriptable": "@njit compiles for the CPU: a kernel needs @cuda.jit.",
    "'function' object is not subscriptable": "Only a kernel takes [blocks, threads]: put @cuda.jit in front of it.",
    "'method' object is not subscriptable": "Take the kernel from its class: Work.kernel[blocks, threads].",
    r"getitem\(type\(CUDADispatcher": "Compiled functions launch no kernels: take @njit away from this one.",
    "non-contiguous buffer": "Copy the part of the array first: np.ascontiguousarray(...).",
    "'NoneType' object has no attribute 'copy_to_host'": (
        "This is None: is a return statement missing? A launch gives nothing back, either: copy what the kernel wrote."
    ),
    "operand type.*DeviceNDArray|'DeviceNDArray' object has no attribute": _ON_DEVICE,
    r"not usable in pure-python|numba\.cuda\.(local|shared)' has no attribute": (
        "cuda.local and cuda.shared are for kernels: elsewhere use np.zeros or cuda.device_array."
    ),
}

_OF_KERNELS = {
    "out of bounds in kernel": _BOUNDS,
    "too much shared data": "A block has 48 KiB of shared memory, 6144 float64: keep one tile there at a time.",
    r"dim3\(": "threadIdx, blockIdx, blockDim and gridDim have .x, .y and .z: write cuda.threadIdx.x.",
    r"_array\(\) missing": "Such an array needs a shape and a type: cuda.shared.array(32, float64).",
    r"(shared|local)_array\([^\n]*Function\(": "Its type is one of Numba's: from numba import float64.",
    "<intrinsic (shared|local)_array>": "Its shape must be a constant: WIDE, with WIDE = TILE + 1 above the kernel.",
    "void return type": "A kernel returns nothing: write the answer into an array that it is given.",
    "module 'numba.cuda' has no": "Look at the spelling, capital letters included: cuda.threadIdx.x, cuda.blockDim.x.",
    r"failed to unpack|[lg][te]\(UniTuple\(int": "cuda.grid(1) is one number, cuda.grid(2) two: i, j = cuda.grid(2).",
    "exception_match": "A kernel has no try and except: ask before, such as if i < A.shape[0].",
    r">>> str\(": "A kernel prints without f-strings: print(i, j).",
    r"numpy\.random": "A kernel has no np.random: see cuda.random, or draw the numbers before the launch.",
    r"linear algebra|unsupported NumPy function|>>> (transpose|npy_\w+)\(": _LOOPS,
    r"'append' of type list|>>> (max|min|sum)\(list": "A kernel makes no lists: it reads and writes single entries.",
    "yield in a closure": "A kernel has no comprehensions and generators: write the loop.",
    r"'_allocate'|NRT required|Only accept returning of array": _NO_ARRAYS,
    r">>> (zeros|empty|ones|full|arange|array|zeros_like|empty_like|add|sub|mul|truediv|floordiv|pow)\(": _NO_ARRAYS,
}

_OF_COMPILED_CODE = {
    r"[gs]etitem\(array\([^)]*\), [^\n]*float": "An index is a whole number: write // instead of /, or int(...) of it.",
    r"setitem\(readonly array": "A global array is constant in compiled code: make it in the function, or pass it.",
    r">>> [gs]etitem\(list\(": "A list has one index: make an array by np.zeros((rows, columns)).",
    r">>> (zeros|empty|ones)\((u?int\d+|Literal\[int\]\(\d+\)), (u?int|Lit)|>>> (zeros|empty|ones)\(list": _SHAPE,
    "format spec in f-strings": "Compiled code prints numbers without a format: print(i, x).",
    r">>> (max|min|[lg][te]|eq|ne)\(array\(": _ENTRIES,
    "reflected list": "It was given a list and needs an array: make it with np.zeros or np.array.",
    r"array\(pyobject": "The array holds Python objects: give it a type of numbers, such as dtype=np.int64.",
    r"etermine Numba type of <class '(dict|list|set|NoneType|str|[\w.]*DataFrame)'": (
        "Compiled code works with numbers, tuples of them, and arrays: with no other objects."
    ),
    "Numba type of <class 'type'>": "A kernel finds it as an attribute only: import cuda, and write cuda.threadIdx.",
    "Untyped global name": "Compiled code calls compiled functions only: put @njit in front of that one.",
    "as a callable": "This is no function: leave out the parentheses behind it.",
    r"getiter with parameters \(u?int|'int' object is not iter": "A number is no sequence: range(n) counts up to n.",
    r">>> range\(": "range takes whole numbers, such as X.shape[0].",
    "Cannot unify": "A variable has one type: give it the same kind of value in every branch.",
}

_OF_ARRAYS = {
    "0-dimensional arrays can be converted|only length-1 arrays": _ONE_NUMBER,
    "inhomogeneous shape": "Arrays of different shapes do not fit into one array: keep them in a list.",
    "as a data type": _SHAPE,
    "truth value of an array": _ENTRIES,
    "could not be broadcast|could not broadcast|mismatch in its core dimension|not aligned": _SHAPES,
    "used as indices|only integers": "An index is a whole number: make it one by int(...), an array by .astype(int).",
    "equal division": "np.array_split also cuts a length that does not divide: parts differ by one.",
    "bitwise_xor": "In Python, ^ is no power: write ** or np.exp.",
    r"module 'numpy' has no attribute '(float|int|bool|object)'": "NumPy dropped this name: write np.float64 or int.",
    r"operand type.*'(Function|numpy\.ufunc|function|builtin_function_or_method)'": (
        "A function stands here without its argument: call it, as in np.exp(x)."
    ),
}

_OF_PYTHON = {
    "'float' object cannot be interpreted as an integer": "`/` gives a fraction, `//` a whole number.",
    "NoneType": "Something is None here: is a return statement missing in a function that it uses?",
    "required positional argument|positional arguments? but": _COUNT,
    "tuple index out of range": "A shape has one number for each dimension, and a vector has one dimension only.",
    "Invalid rank": "Ranks are 0 to P - 1: count round with % P, or leave out the first or last rank.",
    "must not be aliased": "One array cannot be sent and received into: write comm.Allreduce(MPI.IN_PLACE, x).",
    "unicodeescape": "In a text, \\U and \\x begin a character's number: write / instead of \\ in a path.",
    "^(module '[a-z_]+' has no attribute|cannot import name)": "Is it misspelt? Keep the names of the template.",
    "cannot contain null bytes": "Save the file as UTF-8: it is in another encoding.",
    "codec can't decode|Non-UTF-8 code": _ENCODING,
}

_AT_LAST = {"index": "An index is beyond the end: check where the loop ends, the order of indices, and fixed sizes."}

_UNDEFINED = re.compile(r"Untyped global name '(\w+)'[^\n]*UndefinedType|\bname '(\w+)' is not defined")
"""Messages of Python and of Numba, which has two, for a name that is not defined."""
_IMPORTS = {"np": "import numpy as np", "cuda": "from numba import cuda"}
_OF_CUDA = """
    atomic blockDim blockIdx const device_array grid gridDim gridsize laneid local shared syncthreads syncwarp threadIdx
    to_device warpsize
"""
_OF_NUMBA = "guvectorize jit njit prange stencil typeof vectorize"
_NUMBAS_TYPES = """
    boolean complex64 complex128 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 void
"""
_OF_NUMPY = "arange array dot empty empty_like full linspace ones ones_like zeros zeros_like"
"""NumPy's functions that are no ufuncs; its other names, such as `size`, may be a student's misspelt names."""

_NAMES_OF_REFUSALS = """
    TypingError LoweringError UnsupportedError UnsupportedBytecodeError CompilerError ConstantInferenceError
    RequireLiteralValue VerificationError NumbaError NumbaTypeError NumbaValueError NumbaAttributeError
    NumbaNotImplementedError NumbaRuntimeError
"""
_REFUSALS = frozenset(_NAMES_OF_REFUSALS.split())  # names of Numba's exceptions for code that it cannot compile
_COMPILED_BY_NJIT = "Failed in nopython mode"
"""Start of Numba's messages about a function for the CPU; messages about a kernel name another mode."""
_REFUSED = "Numba knows a part of Python and NumPy only: write this line with loops, numbers and single entries."


def is_refusal(kind: str) -> bool:
    """Return whether Numba raises an exception of the type named `kind` for code that it cannot compile."""
    return kind in _REFUSALS


def advise(kind: str, text: str) -> str:
    """Return the next step for an exception of the type named `kind` with this text; empty if there is none to give."""
    if name := undefined_name(text):
        return _say_where_it_is(name, is_compiled=is_refusal(kind))
    if outside := _OUTSIDE.search(text):
        return _say_what_is_outside(*outside.groups())
    of_kernels = {} if text.startswith(_COMPILED_BY_NJIT) else _OF_KERNELS
    telling = _first({**_OF_LAUNCHES, **of_kernels, **_OF_COMPILED_CODE, **_OF_ARRAYS, **_OF_PYTHON}, text)
    by_kind = _REFUSED if is_refusal(kind) else _BY_KIND.get(kind)
    return telling or by_kind or _first({**_AT_LIMITS, **_AT_LAST}, text)


def undefined_name(text: str) -> str:
    """Return the name that an exception's text calls undefined; empty if the text says something else."""
    match = _UNDEFINED.search(text)
    return next(filter(None, match.groups())) if match else ""


def _say_where_it_is(name: str, *, is_compiled: bool) -> str:
    """Return the next step for an undefined name: the import that defines it, if a known library has the name."""
    if name in _OF_CUDA.split():
        return f"Write cuda. in front of this name: cuda.{name}."
    if name in _OF_NUMBA.split() or (is_compiled and name in _NUMBAS_TYPES.split()):
        return f"`{name}` is not imported: add `from numba import {name}`."
    if name in _IMPORTS or name in sys.stdlib_module_names or name in {"numba", "numpy"}:
        return f"`{name}` is not imported: add `{_IMPORTS.get(name, f'import {name}')}`."
    of_math = f"math.{name} for single numbers (`import math`)" if hasattr(math, name) else ""
    is_numpys = name in _OF_NUMPY.split() or isinstance(getattr(np, name, None), np.ufunc)
    of_numpy = f"np.{name} for arrays (`import numpy as np`)" if is_numpys else ""
    if suggestions := " or ".join(filter(None, (of_math, of_numpy))):
        return f"`{name}` is not defined: write {suggestions}."
    return f"`{name}` is not defined: is it misspelt, or an import missing?"


def _say_what_is_outside(name: str, index: str, shape: str) -> str:
    """Return the next step where a kernel leaves an array: which index is outside, and where to look."""
    numbers, sizes = ([int(number) for number in text.split(",") if number.strip()] for text in (index, shape))
    words = _AXES.get(len(sizes), tuple(f"entries along axis {axis}" for axis in range(len(sizes))))
    for number, size, word in zip(numbers, sizes, words, strict=False):
        if not 0 <= number < size:
            return f"`{name}` has {size} {word}, and the index is {number}. {_WHERE_INDICES_COME_FROM}"
    return _BOUNDS


def _first(advice: Mapping[str, str], text: str) -> str:
    return next((step for words, step in advice.items() if re.search(words, text)), "")
