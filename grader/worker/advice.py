"""The next step after an exception, by the words of its text or by its kind: one sentence for whoever reads it."""

from __future__ import annotations

from collections.abc import Mapping

_UNREADABLE = "Python cannot read the file: run it, and repair the line that Python points at."
_WRITES = "A submission may write small files only, and needs none."
_STARTS = "It starts more processes or threads than a submission gets."
_ONE_NUMBER = "A function of `math` takes one number: NumPy's of that name take arrays."
_SHAPES = "Arrays of these shapes do not fit together: print both shapes in the line before."
_COUNT = "The call and the function disagree on the number of arguments; keep the parameters that the sheet gives."
_ENCODING = "Save the file as UTF-8: its comments hold letters in another encoding."

_BY_KIND = {
    "NotImplementedError": "This still stands as in the template: write its body.",
    "SystemExit": "Functions must return, not end the program.",
    "RecursionError": "It calls itself without end, or too deeply.",
    "MemoryError": "It asks for more memory than a submission gets.",
    "ModuleNotFoundError": "Only numpy, numba, the standard library and the files that you hand in are there.",
    "FileNotFoundError": "Only the files that you hand in are there: read no other.",
    "SyntaxError": _UNREADABLE,
    "IndentationError": _UNREADABLE,
    "TabError": "Indent with spaces only: editors can turn all tabs of a file into spaces.",
    "OverflowError": "A type is too small for the value: give the result the type of the arguments.",
    "NameError": "Nothing has this name here: is it misspelt, or an import missing?",
    "UnboundLocalError": "This name gets its value later, or in a branch that was not taken: set it first.",
    "EOFError": "Nobody types while it is checked: remove input().",
    "TypingError": "Numba could not compile it: see the line that its message points at.",
}

_AT_LIMITS = {
    "File too large": _WRITES,
    "No space left on device": _WRITES,
    "Resource temporarily unavailable": _STARTS,
    "can't start new thread": _STARTS,
    "Operation not permitted": "A submission may not touch other processes, the network or the system.",
    "Permission denied": "A submission may read its own files only, and write in the current folder only.",
}

_OF_KERNELS = {
    "out of bounds in kernel": "This thread has no such element: compare its index with the shape before it is used.",
    "; the limit is 1024": "Blocks come first, then threads per block, of which there are at most 1024.",
    "too much shared data": "A block has 48 KiB of shared memory, 6144 float64: keep one tile there at a time.",
    "dim3(": "threadIdx, blockIdx, blockDim and gridDim have .x, .y and .z: write cuda.threadIdx.x.",
    "<intrinsic shared_array>": "The shape of a shared array is a constant, such as 32 or (32, 32).",
    "<intrinsic local_array>": "The shape of a local array is a constant, such as 32 or (32, 32).",
    "'function' object is not subscriptable": "Only a kernel takes [blocks, threads]: put @cuda.jit in front of it.",
    "void return type": "A kernel returns nothing: write the answer into an array that it is given.",
    "at least the griddim and blockdim": "Both counts stand in one pair of brackets: kernel[blocks, threads](...).",
    "launch configuration was not specified": "Say how many: kernel[blocks, threads per block](...).",
    "Signature mismatch": "Give the kernel one argument for each of its parameters.",
    "module 'numba.cuda' has no": "Look at the spelling, capital letters included: cuda.threadIdx.x, cuda.blockDim.x.",
}

_OF_COMPILED_CODE = {
    "Untyped global name": "Compiled code calls compiled functions only: put @njit in front of that one.",
    "attribute 'shape' of type reflected list": "It was given a list and needs an array: make it with np.zeros.",
    "is not defined": _BY_KIND["NameError"],
}

_OF_ARRAYS = {
    "0-dimensional arrays can be converted": _ONE_NUMBER,
    "only length-1 arrays": _ONE_NUMBER,
    "inhomogeneous shape": "Arrays of different shapes do not fit into one array: keep them in a list.",
    "as a data type": "A shape is one argument: np.zeros((rows, columns)), with two pairs of parentheses.",
    "truth value of an array": "Compare single entries, such as A[i, j] > B[i, j], not rows or matrices.",
    "could not be broadcast": _SHAPES,
    "could not broadcast": _SHAPES,
    "mismatch in its core dimension": _SHAPES,
    "not aligned": _SHAPES,
    "bitwise_xor": "In Python, ^ is no power: write ** or np.exp.",
}

_OF_PYTHON = {
    "'float' object cannot be interpreted as an integer": "`/` gives a fraction, `//` a whole number.",
    "NoneType": "Something is None here: is a return statement missing in a function that it uses?",
    "required positional argument": _COUNT,
    "positional arguments but": _COUNT,
    "positional argument but": _COUNT,
    "codec can't decode": _ENCODING,
    "Non-UTF-8 code": _ENCODING,
}

_AT_LAST = {
    "index": "An index is beyond the end: take the loops' ends from the shape of the argument, not from a fixed size.",
}


def advise(kind: str, text: str) -> str:
    """Return the next step for an exception of the type named `kind` with this text; empty if there is none to give."""
    telling = _first({**_OF_KERNELS, **_OF_COMPILED_CODE, **_OF_ARRAYS, **_OF_PYTHON}, text)
    return telling or _BY_KIND.get(kind) or _first({**_AT_LIMITS, **_AT_LAST}, text)


def _first(advice: Mapping[str, str], text: str) -> str:
    return next((step for words, step in advice.items() if words in text), "")
