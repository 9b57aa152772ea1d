"""Errors inside kernels: from the numbers that compiled code writes to Python exceptions.

Compiled code knows numbers only: a status, the number of the *site* (a place in the source) and the `FaultRecord` that
the launch hands to it. This module owns the tables behind these numbers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from grader.cuda_cpu.numba_internals import cgutils, ir, types
from grader.cuda_cpu.records import I64, FaultRecord, fields_of, load_field, place_of

OUT_OF_BOUNDS: Final = -100
BARRIER_DIVERGED: Final = -101
WARP_DIVERGED: Final = -102


class CudaBarrierError(RuntimeError):
    """A barrier that not all threads of a block (or named lanes of a warp) reach."""


@dataclass(frozen=True)
class Site:
    """A place in the kernel's source: what happens there, to what, and where."""

    action: str
    name: str
    filename: str
    line: int
    parts: tuple[str, ...] = ()  # of an index, such as ("", ":") for [i, :]; empty if all are integers
    element: str = ""  # NumPy's name of an element's type; empty if there is none

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


# Entries are never removed, because compiled code carries the numbers.
_SITES: Final[list[Site]] = []
_EXCEPTIONS: Final[list[tuple[type[BaseException] | None, tuple[Any, ...] | None, Any]]] = []
"""Of each ``raise`` statement the class, the arguments, and (function, file, line)."""


def register_site(action: str, name: str, loc: Any, parts: tuple[str, ...] = (), element: str = "") -> int:
    """Return the number that stands for this place in compiled code."""
    _SITES.append(Site(action, name, str(loc.filename), int(loc.line), parts, element))
    return len(_SITES) - 1


def count_sites() -> int:
    """Return how many places have a number."""
    return len(_SITES)


def find_site(number: int) -> Site:
    """Return the place that a number from compiled code stands for."""
    return _SITES[number]


def register_exception(exc: type[BaseException] | None, args: tuple[Any, ...] | None, locinfo: Any) -> int:
    """Return the positive status with which a function reports this ``raise`` statement."""
    _EXCEPTIONS.append((exc, args, locinfo))
    return len(_EXCEPTIONS)


def _numbers(words: Any) -> tuple[int, ...]:
    return tuple(int(word) for word in words)


def _position(record: Any) -> str:
    return f"block {_numbers(record['block'])}, thread {_numbers(record['thread'])}"


def _out_of_bounds(record: Any, kernel: str) -> IndexError:
    site = find_site(int(record["site"]))
    axes = int(record["ndim"])
    index = _numbers(record["index"][:axes])
    shape = _numbers(record["shape"][: int(record["shape_ndim"])])
    if not shape:
        return IndexError(
            f"{site}: {site.action} {site.name} is out of bounds in kernel {kernel}, in {_position(record)}"
        )
    shown = index[0] if axes == 1 else index
    numbers = iter(index)
    parts = [part or str(next(numbers)) for part in site.parts or [""] * axes]
    return IndexError(
        f"{site}: {site.action} {site.name}[{', '.join(parts)}] is out of bounds in kernel {kernel}: "
        f"index {shown} of an array of shape {shape}, in {_position(record)}"
    )


def _barrier(record: Any, kernel: str) -> CudaBarrierError:
    site = find_site(int(record["site"]))
    other = int(record["other_site"])
    place = "have already left the kernel" if other < 0 else f"wait in {find_site(other).name}() at {find_site(other)}"
    block, thread = _numbers(record["block"]), _numbers(record["other_thread"])
    waiting, missing = int(record["waiting"]), int(record["missing"])
    return CudaBarrierError(
        f"{site}: {site.name}() in kernel {kernel} is not reached by all threads: in block {block}, "
        f"{waiting} threads wait there, while {missing} others, such as thread {thread}, "
        f"{place}. A barrier must be reached by every thread of the block: move it out of the condition"
    )


def _warp(record: Any, kernel: str) -> CudaBarrierError:
    site = find_site(int(record["site"]))
    return CudaBarrierError(
        f"{site}: {site.name}() in kernel {kernel}, {_position(record)}, waits for lanes of its warp that never "
        "call it with the same mask. Every lane that the mask names must reach the call"
    )


def describe_early_return(record: Any, kernel: str) -> str:
    """Return the warning about threads that returned while others still wait at a barrier."""
    site = find_site(int(record["exited_early"]) - 1)
    return (
        f"{site}: some threads of kernel {kernel} returned before {site.name}(), at which others of their block wait. "
        "A GPU goes on without them, but CUDA does not promise it: let all threads reach the barrier"
    )


def describe_user_exception(status: int, record: Any) -> BaseException:
    """Return the exception that a ``raise`` statement or failed ``assert`` in the kernel stands for."""
    exc, args, locinfo = _EXCEPTIONS[status - 1]
    place = f"In function {locinfo[0]!r}, file {locinfo[1]}, line {locinfo[2]}, " if locinfo else ""
    thread, block = list(_numbers(record["thread"])), list(_numbers(record["block"]))
    text = f"{place}tid={thread} ctaid={block}"
    kind = exc or RuntimeError
    return kind(f"{text}: {args[0]}", *args[1:]) if args else kind(text)


def describe_fault(record: Any, kernel: str) -> BaseException:
    """Return the exception for a kernel of this name that stopped with a fault, by its `FaultRecord`."""
    status = int(record["status"])
    if status == OUT_OF_BOUNDS:
        return _out_of_bounds(record, kernel)
    if status == BARRIER_DIVERGED:
        return _barrier(record, kernel)
    if status == WARP_DIVERGED:
        return _warp(record, kernel)
    if status > 0:
        return describe_user_exception(status, record)
    return SystemError(f"kernel {kernel} ended with the unknown status {status}")


@dataclass(frozen=True)
class IndexPart:
    """An integer in an index: where it stands, the axis that it selects from, its Numba type."""

    position: int
    axis: int
    kind: Any


def read_index(index_type: Any, ndim: int) -> tuple[list[IndexPart], tuple[str, ...]] | None:
    """Return the integers of an index, and how to show it: a text for each part, empty for integers.

    None stands for an index with parts other than integers, slices, ``...`` and ``None``.
    """
    parts = [
        types.unliteral(part) for part in (index_type if isinstance(index_type, types.BaseTuple) else [index_type])
    ]
    free = ndim - sum(not isinstance(part, (types.EllipsisType, types.NoneType)) for part in parts)
    integers: list[IndexPart] = []
    shown: list[str] = []
    axis = 0
    for position, part in enumerate(parts):
        if isinstance(part, (types.Integer, types.Boolean)):
            integers.append(IndexPart(position, axis, types.int64 if isinstance(part, types.Boolean) else part))
        elif type(part) not in _OTHER_PARTS:
            return None
        shown.append(_OTHER_PARTS.get(type(part), ""))
        axis += 0 if isinstance(part, types.NoneType) else free if isinstance(part, types.EllipsisType) else 1
    return integers, tuple(shown)


_OTHER_PARTS = {types.SliceType: ":", types.SliceLiteral: ":", types.EllipsisType: "...", types.NoneType: "None"}


def check_index(
    context: Any, builder: Any, site: int, indices: list[Any], index_types: Any, shape: list[Any], axes: Iterable[int]
) -> list[Any]:
    """Emit the check of an index against ``shape``; return the indices counted from the front.

    The indices belong to ``axes``. Negative indices of signed types count from the end, as everywhere in Numba. A
    failing thread writes the fault record and returns `OUT_OF_BOUNDS`, which every caller passes on.
    """
    bad = cgutils.false_bit
    raw, wrapped = [], []
    for value, kind, axis in zip(indices, index_types, axes, strict=True):
        extent = shape[axis]
        wide = context.cast(builder, value, kind, types.int64 if kind.signed else types.uint64)
        raw.append(wide)
        if kind.signed:
            negative = builder.icmp_signed("<", wide, I64(0))
            wide = builder.select(negative, builder.add(wide, extent), wide)
        bad = builder.or_(bad, builder.icmp_unsigned(">=", wide, extent))
        wrapped.append(wide)
    with builder.if_then(bad, likely=False):
        _write_fault(builder, site, raw, shape)
        builder.ret(ir.Constant(ir.IntType(32), OUT_OF_BOUNDS))
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
    _write_fault(builder, register_site("index of", context.current_array_name, context.current_loc), [], [])
    builder.ret(ir.Constant(ir.IntType(32), OUT_OF_BOUNDS))
