"""Methods and functions of numbers where CUDA's target differs from Numba's CPU target."""

from __future__ import annotations

from typing import Any

from numba.extending import overload_method

from grader.cuda_cpu.bits import popc
from grader.cuda_cpu.numba_internals import types, typing
from grader.cuda_cpu.target import lowering_registry


@lowering_registry.lower(round, types.float32, types.Integer)
def _round_single(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Round as CUDA's target does, whose powers of ten are doubles: ``round(x, n)`` of a double, then a single."""
    wide = [context.cast(builder, args[0], types.float32, types.float64), args[1]]
    double = typing.signature(types.float64, types.float64, sig.args[1])
    result = context.get_function(round, double)(builder, wide)
    return context.cast(builder, result, types.float64, types.float32)


@overload_method(types.Integer, "bit_count", target="cuda")
def _bit_count(number: Any) -> Any:
    def count(number: Any) -> Any:
        return popc(number)

    return count
