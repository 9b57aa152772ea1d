"""Cooperative groups: ``cuda.cg.this_grid().sync()``, a barrier for all blocks of the grid."""

from __future__ import annotations

from typing import Any

from numba.extending import models, register_model

from grader.cuda_cpu.barriers import AT_GRID, emit_wait
from grader.cuda_cpu.intrinsics import cuda_intrinsic
from grader.cuda_cpu.numba_internals import AbstractTemplate, AttributeTemplate, signature, types
from grader.cuda_cpu.target import lowering_registry, typing_registry


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
