"""Bounds checks whose failure names the array, the index, the line and the thread."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types

from grader.cuda_cpu import faults
from grader.cuda_cpu.threadstate import I64, load_field


def check_index(
    context: Any, builder: Any, site: int, indices: list[Any], index_types: Any, shape: list[Any]
) -> list[Any]:
    """Emit the check of an index against the leading axes of ``shape``; return the indices counted from the front.

    Negative indices of signed types count from the end, as everywhere in Numba. A failing thread writes the fault
    record and returns `faults.OUT_OF_BOUNDS`, which every caller passes on.
    """
    bad = cgutils.false_bit
    raw, wrapped = [], []
    for value, kind, extent in zip(indices, index_types, shape, strict=False):
        wide = context.cast(builder, value, kind, types.int64 if kind.signed else types.uint64)
        raw.append(wide)
        if kind.signed:
            negative = builder.icmp_signed("<", wide, I64(0))
            wide = builder.select(negative, builder.add(wide, extent), wide)
        bad = builder.or_(bad, builder.icmp_unsigned(">=", wide, extent))
        wrapped.append(wide)
    with builder.if_then(bad, likely=False):
        _write_fault(builder, site, raw, shape)
        builder.ret(ir.Constant(ir.IntType(32), faults.OUT_OF_BOUNDS))
    return wrapped


def _write_fault(builder: Any, site: int, indices: list[Any], shape: list[Any]) -> None:
    record = load_field(builder, "fault")
    axes = min(len(indices), faults.MAX_AXES)
    words = {faults.SITE: I64(site), faults.NDIM: I64(axes)}
    words |= {faults.INDEX + axis: indices[axis] for axis in range(axes)}
    words |= {faults.SHAPE + axis: shape[axis] for axis in range(axes)}
    for position, value in words.items():
        builder.store(value, builder.gep(record, [I64(position)], inbounds=True))


def integer_index(index_type: Any) -> list[Any] | None:
    """Return the integer types of an index made of integers only, else None."""
    parts = list(index_type) if isinstance(index_type, types.BaseTuple) else [index_type]
    kinds = [types.unliteral(part) for part in parts]
    kinds = [types.int64 if isinstance(kind, types.Boolean) else kind for kind in kinds]
    return kinds if all(isinstance(kind, types.Integer) for kind in kinds) else None
