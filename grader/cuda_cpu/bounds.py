"""Bounds checks whose failure names the array, the index, the line and the thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader.cuda_cpu import faults
from grader.cuda_cpu.numba_internals import cgutils, ir, types
from grader.cuda_cpu.records import I64, fields_of, place_of
from grader.cuda_cpu.threadstate import FaultRecord, load_field


@dataclass(frozen=True)
class IndexPart:
    """An integer in an index: where it stands, the axis that it selects from, its Numba type."""

    position: int
    axis: int
    kind: Any


def read_index(index_type: Any, ndim: int) -> tuple[list[IndexPart], tuple[str, ...]] | None:
    """Return the integers of an index, and how to show it: a text for each part, empty for integers.

    Args:
        index_type: the Numba type of the index.
        ndim: the array's number of axes.

    Returns:
        None for an index with parts other than integers, slices, ``...`` and ``None``.
    """
    parts = [
        types.unliteral(part) for part in (index_type if isinstance(index_type, types.BaseTuple) else [index_type])
    ]
    free = ndim - sum(not isinstance(part, (types.EllipsisType, types.NoneType)) for part in parts)
    found: list[IndexPart] = []
    shown: list[str] = []
    axis = 0
    for position, part in enumerate(parts):
        if isinstance(part, (types.Integer, types.Boolean)):
            found.append(IndexPart(position, axis, types.int64 if isinstance(part, types.Boolean) else part))
        elif type(part) not in _OTHER_PARTS:
            return None
        shown.append(_OTHER_PARTS.get(type(part), ""))
        axis += 0 if isinstance(part, types.NoneType) else free if isinstance(part, types.EllipsisType) else 1
    return found, tuple(shown)


_OTHER_PARTS = {types.SliceType: ":", types.SliceLiteral: ":", types.EllipsisType: "...", types.NoneType: "None"}


def check_index(
    context: Any,
    builder: Any,
    site: int,
    indices: list[Any],
    index_types: Any,
    shape: list[Any],
    axes: list[int] | None = None,
) -> list[Any]:
    """Emit the check of an index against ``shape``; return the indices counted from the front.

    The indices belong to the leading axes, or to ``axes`` where those are named. Negative indices of signed types
    count from the end, as everywhere in Numba. A failing thread writes the fault record and returns
    `faults.OUT_OF_BOUNDS`, which every caller passes on.
    """
    bad = cgutils.false_bit
    raw, wrapped = [], []
    extents = shape if axes is None else [shape[axis] for axis in axes]
    for value, kind, extent in zip(indices, index_types, extents, strict=False):
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
    most = fields_of(FaultRecord)["index"].count
    numbers, extents = indices[:most], shape[:most]
    words = {"site": [I64(site)], "ndim": [I64(len(numbers))], "shape_ndim": [I64(len(extents))]}
    for field, values in {**words, "index": numbers, "shape": extents}.items():
        for number, value in enumerate(values):
            builder.store(value, place_of(builder, record, FaultRecord, field, number))


def emit_nameless_fault(context: Any, builder: Any) -> None:
    """Emit the end of a launch for an index that Numba found to be out of bounds, in a slice for example."""
    site = faults.register_site("index of", context.current_array_name, context.current_loc)
    _write_fault(builder, site, [], [])
    builder.ret(ir.Constant(ir.IntType(32), faults.OUT_OF_BOUNDS))


def integer_index(index_type: Any) -> list[Any] | None:
    """Return the integer types of an index made of integers only, else None."""
    parts = list(index_type) if isinstance(index_type, types.BaseTuple) else [index_type]
    kinds = [types.unliteral(part) for part in parts]
    kinds = [types.int64 if isinstance(kind, types.Boolean) else kind for kind in kinds]
    return kinds if all(isinstance(kind, types.Integer) for kind in kinds) else None
