"""Whose fault an error of CUDA is: by its code, in the words of Numba's own target, of numba-cuda, or of cuda.core.

A kernel that reads beyond an array fails with 700, and that is the student's. Memory that others took, a broken card or
a driver that is too old are not, and whatever is on no list of the student's is not either.
"""

from __future__ import annotations

import re

_KINDS = """
    CUDAError CompilationError CudaAPIError CudaDriverError CudaRuntimeError CudaSupportError LinkerError NVRTCError
    NVVMError NvrtcError NvvmError NvvmSupportError nvJitLinkError
"""
_CODE = re.compile(r"\[(\d+)\]")
_NAMES = {
    "INVALID_VALUE": 1,
    "OUT_OF_MEMORY": 2,
    "INVALID_CONTEXT": 201,
    "INVALID_PTX": 218,
    "ILLEGAL_ADDRESS": 700,
    "CONTEXT_IS_DESTROYED": 709,
    "LAUNCH_OUT_OF_RESOURCES": 701,
    "LAUNCH_TIMEOUT": 702,
    "ASSERT": 710,
    "HARDWARE_STACK_ERROR": 714,
    "ILLEGAL_INSTRUCTION": 715,
    "MISALIGNED_ADDRESS": 716,
    "INVALID_ADDRESS_SPACE": 717,
    "INVALID_PC": 718,
    "LAUNCH_FAILED": 719,
    "COOPERATIVE_LAUNCH_TOO_LARGE": 720,
}
_BEYOND = "A thread reads or writes where no array is: compare its index with the shape before it is used."
_TOO_MUCH = "A block asks for more than a multiprocessor has: fewer threads, fewer variables or less shared memory."
_ADVICE = {
    1: "Blocks come first, then threads per block, of which there are at most 1024.",
    **dict.fromkeys((700, 714, 715, 717, 718, 719), _BEYOND),
    701: _TOO_MUCH,
    702: "A kernel ran for so long that it was stopped: is there a loop that never ends?",
    710: "An assertion in the kernel failed.",
    716: "A thread reads a number that does not start where numbers of its type do: keep one type for an array.",
    720: "More blocks than fit on the GPU at once cannot wait for each other: launch fewer.",
}
_UNCLEAR = {
    2: "It asked for more memory than was free: too much, or other programs had taken it.",
    201: "The GPU's context is gone: does it call `cuda.close()`, or reset a device?",
    709: "The GPU's context is gone: does it call `cuda.close()`, or reset a device?",
}
"""What a submission may cause, and the machine as well: nobody loses a point, and a TA reads both."""
_SHARED = "too much shared data"


def is_cuda_error(kind: str) -> bool:
    """Return whether an exception of the type named `kind` is CUDA's, after which a process is not used again."""
    return kind in _KINDS.split()


def is_students(text: str) -> bool:
    """Return whether the submission caused the CUDA error with this text."""
    return code_of(text) in _ADVICE or _SHARED in text


def advise(text: str) -> str:
    """Return the next step for a CUDA error that the submission caused; empty if there is none to give."""
    return _TOO_MUCH if _SHARED in text else _ADVICE.get(code_of(text), "")


def doubt(text: str) -> str:
    """Return how a submission may have caused the CUDA error with this text; empty if it can hardly have."""
    return _UNCLEAR.get(code_of(text), "")


def code_of(text: str) -> int:
    """Return the CUresult that a text is about, 0 if it names none that is known."""
    if match := _CODE.search(text):
        return int(match[1])
    return next((code for name, code in _NAMES.items() if re.search(rf"CUDA_ERROR_{name}\b", text)), 0)
