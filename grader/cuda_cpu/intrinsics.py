"""How this package declares the functions that kernels call: intrinsics of Numba's CUDA target."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.extending import intrinsic

Resolve = Callable[..., Any]


def cuda_intrinsic(resolve: Resolve) -> Any:
    """Make an intrinsic of a function that gives calls their types.

    Args:
        resolve: called with the typing context and the Numba types of a call's arguments. It returns the signature and
            a function that emits the call's code, or None where it does not take these types. The second is called
            with Numba's target context, the LLVM builder and the LLVM values of the arguments; it returns the LLVM
            value of the result, or None where there is none. Numba uses it for all calls with the same types of
            arguments, after their conversion to those of the signature.
    """

    @functools.wraps(resolve)
    def definition(*kinds: Any, **named_kinds: Any) -> Any:
        found = resolve(*kinds, **named_kinds)
        if found is None:
            return None
        signature, emit = found

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = emit(context, builder, *args)
            return context.get_dummy_value() if value is None else value

        return signature, codegen

    return intrinsic(target="cuda")(definition)


def named_intrinsic(name: str, doc: str) -> Callable[[Resolve], Any]:
    """Return `cuda_intrinsic` for one of several functions that a loop makes."""

    def make(resolve: Resolve) -> Any:
        resolve.__name__ = resolve.__qualname__ = name
        resolve.__doc__ = doc
        return cuda_intrinsic(resolve)

    return make
