"""Compiled Python on raw memory: an address becomes something that can be indexed."""

from __future__ import annotations

from typing import Any, Final

from numba import njit
from numba.core import types
from numba.core.extending import intrinsic

machine_code: Final = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy")
"""Decorates functions that only compiled code calls: without the wrappers they compile in half the time."""


@intrinsic
def words_at(typingctx: Any, address: Any) -> Any:
    """Return the 64-bit words at an address."""
    pointer = types.CPointer(types.int64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(pointer))

    return pointer(types.int64), codegen


@intrinsic
def bytes_at(typingctx: Any, address: Any) -> Any:
    """Return the bytes at an address."""
    pointer = types.CPointer(types.uint8)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(pointer))

    return pointer(types.int64), codegen
