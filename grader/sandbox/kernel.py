"""System calls that Python's standard library does not have, made with ctypes. Linux only."""

import ctypes
import os

NO_NEW_PRIVS = 38
_LIBC = ctypes.CDLL(None, use_errno=True)


def call_kernel(number: int, *arguments: int) -> int:
    """Make system call `number` and return its result; `OSError` if the kernel refuses."""
    return _checked(int(_LIBC.syscall(ctypes.c_long(number), *map(ctypes.c_ulong, arguments))))


def control_process(option: int, *arguments: int) -> int:
    """Call prctl(2) for this process; `OSError` if the kernel refuses."""
    return _checked(int(_LIBC.prctl(option, *map(ctypes.c_ulong, (*arguments, 0, 0, 0, 0)[:4]))))


def set_capabilities(header: ctypes.Array[ctypes.c_uint32], data: ctypes.Array[ctypes.c_uint32]) -> None:
    """Call capset(2); `OSError` if the kernel refuses."""
    _checked(int(_LIBC.capset(ctypes.byref(header), data)))


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
