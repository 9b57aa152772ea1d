"""The data model of ``float16``: CUDA's target has it, Numba's CPU target does not."""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu.numba_internals import datamodel, ir, types

HALF: Final = ir.HalfType()


class FloatModel(datamodel.models.FloatModel):
    """Floating-point numbers of 16, 32 and 64 bits."""

    def __init__(self, manager: Any, kind: Any) -> None:
        if kind == types.float16:
            datamodel.models.PrimitiveModel.__init__(self, manager, kind, HALF)
        else:
            super().__init__(manager, kind)


def make_data_models() -> Any:
    """Return Numba's data models with ``float16`` added, for one target context; Numba's own stay as they are."""
    own = datamodel.DataModelManager()
    own.register(types.Float, FloatModel)
    return own.chain(datamodel.default_manager)
