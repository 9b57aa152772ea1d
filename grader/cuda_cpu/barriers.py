"""``syncthreads`` and the other barriers: a thread writes what it waits for into its record and stops."""

from typing import Any, Final

from numba.extending import models, register_model

from grader.cuda_cpu import faults
from grader.cuda_cpu.codelibrary import GRID_SUSPEND, SUSPEND, WARP_SUSPEND, emit_placeholder
from grader.cuda_cpu.intrinsics import cuda_intrinsic, named_intrinsic
from grader.cuda_cpu.numba_internals import AbstractTemplate, AttributeTemplate, signature, types
from grader.cuda_cpu.records import I32, I64, load_field, store_field
from grader.cuda_cpu.target import lowering_registry, typing_registry
from grader.cuda_cpu.tracing.emit import emit_arrive, emit_fence

RUNNING: Final = 0
DONE: Final = 1
AT_BARRIER: Final = 2
AT_WARP: Final = 3
AT_GRID: Final = 4
EARLY_RETURN: Final = 1
_PLACEHOLDERS: Final = {AT_BARRIER: SUSPEND, AT_WARP: WARP_SUSPEND, AT_GRID: GRID_SUSPEND}
NAMES: Final = (
    *("syncthreads", "syncthreads_count", "syncthreads_and", "syncthreads_or"),
    *("threadfence", "threadfence_block", "threadfence_system"),
)


def emit_wait(context: Any, builder: Any, kind: int, name: str, payload: Any = None, mask: Any = None) -> Any:
    """Emit a stop of the running thread; return the scheduler's answer, an ``i64``.

    `kind` is what the thread waits for, such as `AT_BARRIER`, `name` the CUDA function, for messages, and `payload` the
    ``i64`` that the thread brings. `mask`, an ``i32``, has the lanes that take part in a warp operation.
    """
    site = faults.register_site("barrier", name, context.current_loc)
    store_field(builder, "wait", I32(kind))
    store_field(builder, "site", I32(site))
    if payload is not None:
        store_field(builder, "payload", payload)
    if mask is not None:
        store_field(builder, "mask", mask)
    emit_placeholder(builder, _PLACEHOLDERS[kind])
    emit_arrive(builder, name)
    return load_field(builder, "reply")


@cuda_intrinsic
def syncthreads(typingctx: Any) -> Any:
    """Wait until all threads of the block are here."""

    def emit(context: Any, builder: Any) -> None:
        emit_wait(context, builder, AT_BARRIER, "syncthreads", payload=I64(0))

    return signature(types.none), emit


def _compare(sign: str) -> Any:
    return lambda builder, count: builder.zext(builder.icmp_signed(sign, count, I64(0)), I32)


_REDUCTIONS: Final = {
    "syncthreads_count": ("!=", lambda builder, count: builder.trunc(count, I32)),
    "syncthreads_and": ("==", _compare("==")),
    "syncthreads_or": ("!=", _compare("!=")),
}
"""Barrier -> the comparison with 0 that selects the predicates it counts, and the result made of their number."""


def emit_payload(builder: Any, name: str, predicate: Any) -> Any:
    """Emit the payload of a thread at a counting barrier, an ``i64``, from its predicate, an ``i32``."""
    return builder.zext(builder.icmp_signed(_REDUCTIONS[name][0], predicate, I32(0)), I64)


def emit_answer(builder: Any, name: str, total: Any) -> Any:
    """Emit the result of a counting barrier, an ``i32``, from the sum of its threads' payloads, an ``i64``."""
    return _REDUCTIONS[name][1](builder, total)


def _make_reduction(name: str) -> Any:
    @named_intrinsic(name, f"``{name}(predicate)``: wait for the block; return what its threads' predicates come to.")
    def resolve(typingctx: Any, predicate: Any) -> Any:
        if not isinstance(types.unliteral(predicate), (types.Integer, types.Boolean)):
            return None

        def emit(context: Any, builder: Any, value: Any) -> Any:
            payload = emit_payload(builder, name, value)
            return emit_answer(builder, name, emit_wait(context, builder, AT_BARRIER, name, payload=payload))

        return signature(types.int32, types.int32), emit

    return resolve


syncthreads_count, syncthreads_and, syncthreads_or = map(_make_reduction, _REDUCTIONS)


def _make_fence(name: str) -> Any:
    def emit(context: Any, builder: Any) -> None:
        builder.fence("seq_cst")
        emit_fence(builder)

    @named_intrinsic(name, f"``{name}()``: make this thread's writes visible to the others.")
    def resolve(typingctx: Any) -> Any:
        return signature(types.none), emit

    return resolve


threadfence = _make_fence("threadfence")
threadfence_block = _make_fence("threadfence_block")
threadfence_system = _make_fence("threadfence_system")


class GridGroupType(types.Type):
    """The type of what ``this_grid()`` returns."""

    def __init__(self) -> None:
        super().__init__(name="grid_group")


grid_group = GridGroupType()
register_model(GridGroupType)(models.OpaqueModel)


@cuda_intrinsic
def this_grid(typingctx: Any) -> Any:
    """Return the group of all threads of the grid."""
    return signature(grid_group), lambda context, builder: None


class _Sync(AbstractTemplate):
    key = "GridGroup.sync"

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int32, recvr=self.this) if not args and not kws else None


@typing_registry.register_attr
class _GridGroupAttributes(AttributeTemplate):
    key = GridGroupType

    def resolve_sync(self, group: Any) -> Any:
        return types.BoundFunction(_Sync, group)


@lowering_registry.lower("GridGroup.sync", GridGroupType)
def _lower_sync(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    emit_wait(context, builder, AT_GRID, "grid.sync")
    return context.get_constant(types.int32, 0)
