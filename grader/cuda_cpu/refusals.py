"""What this executor lacks, by name, with the next step; and what is loaded only when somebody asks for it."""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any, Final

import numba

from grader.cuda_cpu.numba_internals import NumbaError, types

_UFUNCS: Final = ("vectorize", "guvectorize")
_LAZY: Final = {"Reduce": "kernels.reduction", "reduce": "kernels.reduction"}
_PTX: Final = "it compiles for a GPU; install numba-cuda and call it without this executor"
_DRIVER: Final = "it needs a GPU's driver; leave it out on the CPU"
_REFUSED: Final = {
    "compile": _PTX,
    "compile_all": _PTX,
    "compile_for_current_device": _PTX,
    "compile_ptx": _PTX,
    "compile_ptx_for_current_device": _PTX,
    "declare_device": "it links CUDA C++; write the function in Python with @cuda.jit(device=True)",
    "CUSource": "it links CUDA C++; write the function in Python with @cuda.jit(device=True)",
    "open_ipc_array": "memory of another process; copy the array instead",
    "IpcHandle": "memory of another process; copy the array instead",
    "set_memory_manager": _DRIVER,
    "BaseCUDAMemoryManager": _DRIVER,
    "HostOnlyCUDAMemoryManager": _DRIVER,
    "GetIpcHandleMixin": _DRIVER,
    "MemoryPointer": _DRIVER,
    "MappedMemory": _DRIVER,
    "PinnedMemory": _DRIVER,
    "MemoryInfo": _DRIVER,
    "nvvm": _DRIVER,
    "libdevice": "the GPU's own mathematics library; use the functions of the math module",
}


class CudaSupportError(RuntimeError):
    """Something that only a real GPU with its driver can do."""


class NotOnCpuError(NotImplementedError, AttributeError):
    """A name of ``numba.cuda``, or of a device or context, that this executor does not have."""


def refuse(name: str) -> Any:
    """Return a lazily loaded part of ``numba.cuda``, or say what is missing and what to do instead.

    Raises:
        NotOnCpuError: for parts of CUDA that this executor does not have.
        AttributeError: for names that CUDA does not have either.
    """
    if name in types.__all__:  # numba-cuda has the names of types, such as float32, in its module
        return getattr(types, name)
    if name in _UFUNCS:
        return functools.partial(getattr(numba, name), target="cuda")
    if name in _LAZY:
        return importlib.import_module(f"numba.cuda.{_LAZY[name]}").Reduce
    if name in _REFUSED:
        raise NotOnCpuError(f"cuda.{name} is not available in the CUDA executor for the CPU: {_REFUSED[name]}")
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}")


_NEXT_STEPS: Final = (
    (r"NameError: name '\w+' is not defined", "nothing has this name here: define it, or import it"),
    (r"UndefinedType", "nothing has this name: import it, as in `from numba import prange`"),
    (r"[gs]etitem\((Literal\[)?(u?int|float|bool|complex)", "a number has no elements: leave the index out"),
    (r"Cannot unify", "a variable of a kernel has one type for good: give the other value a name of its own"),
    (
        r"'numpy\.(sqrt|exp|floor|ceil|fabs|power|trunc)'",
        "CUDA's target does not know this function: use the math module",
    ),
    (r"'numpy\.(dot|matmul)'|BLAS|linalg", "CUDA's target has no linear algebra: write the loops"),
    (
        r"\b(empty|zeros|ones|full|arange|array(?!\()|zeros_like|empty_like)\b.*|NRT required",
        "a kernel cannot allocate memory: use cuda.local.array or cuda.shared.array, or pass the array as an argument",
    ),
    (
        r"build_list|reflected list|build_set|build_map|list\(|dict",
        "a kernel cannot build a list, set or dict: use arrays",
    ),
    (r"Numba type of <class 'function'>", "kernels call only @cuda.jit(device=True) or @njit functions"),
    (r"Untyped global name", "kernels know numbers, tuples, arrays and functions: pass such a value as an argument"),
)
_RETURNS_VALUE: Final = re.compile(r"No conversion from .* to none for '\$\S*return_value")


def explain_refusal(error: Exception) -> Exception:
    """Return the exception to raise for a kernel that did not compile: CUDA's reason, then the next step."""
    text = str(error)
    if _RETURNS_VALUE.search(text):
        return TypeError("CUDA kernel must have void return type.")
    for pattern, advice in _NEXT_STEPS:
        if re.search(pattern, "\n".join(text.splitlines()[:4])):
            first: Any = error.args[0] if error.args else ""
            error.args = (f"{first}\n\nCUDA: {advice}", *error.args[1:])
            if isinstance(error, NumbaError) and hasattr(error, "msg"):
                error.msg = error.args[0]
            break
    return error
