"""What this executor lacks, by name, with the next step; and what is loaded only when somebody asks for it."""

from __future__ import annotations

import functools
import importlib
from typing import Any, Final

import numba

from grader.cuda_cpu.numba_internals import types

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
