"""Raw memory in compiled Python: an address becomes something that can be indexed."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.extending import intrinsic


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
