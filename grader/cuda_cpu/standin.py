"""The module object that student code gets for ``numba.cuda``."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from numba.core import types
from numba.core.typing.templates import AttributeTemplate

from grader.cuda_cpu import atomics, barriers, hostapi, memory, numpy_names, registers, warps  # noqa: F401  # numpy_names registers itself
from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.geometry import CudaAPIError
from grader.cuda_cpu.target import lowering_registry, typing_registry


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(names)
    return module


_ATOMICS: Final = (
    "add",
    "sub",
    "max",
    "min",
    "nanmax",
    "nanmin",
    "and_",
    "or_",
    "xor",
    "exch",
    "inc",
    "dec",
    "cas",
    "compare_and_swap",
)
_HOST: Final = (
    "device_array",
    "device_array_like",
    "pinned_array",
    "pinned_array_like",
    "to_device",
    "pinned",
    "defer_cleanup",
    "synchronize",
    "is_available",
    "event_elapsed_time",
)
_BARRIERS: Final = (
    "syncthreads",
    "syncthreads_count",
    "syncthreads_and",
    "syncthreads_or",
    "threadfence",
    "threadfence_block",
    "threadfence_system",
)
_WARPS: Final = (
    "syncwarp",
    "all_sync",
    "any_sync",
    "eq_sync",
    "ballot_sync",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_down_sync",
    "shfl_xor_sync",
    "shfl_sync_intrinsic",
    "vote_sync_intrinsic",
    "match_any_sync",
    "match_all_sync",
    "activemask",
    "lanemask_lt",
)

cuda: Final = _module(
    "numba.cuda",
    __path__=[],
    __doc__="CUDA kernels on this machine's processor.",
    atomic=_module("numba.cuda.atomic", **{name: getattr(atomics, name) for name in _ATOMICS}),
    shared=_module("numba.cuda.shared", array=memory.shared_array),
    local=_module("numba.cuda.local", array=memory.local_array),
    const=_module("numba.cuda.const", array_like=memory.const_array_like),
    threadIdx=registers.threadIdx,
    blockIdx=registers.blockIdx,
    blockDim=registers.blockDim,
    gridDim=registers.gridDim,
    grid=registers.grid,
    gridsize=registers.gridsize,
    warpsize=32,
    stream=hostapi.Stream,
    event=hostapi.Event,
    DeviceNDArray=DeviceNDArray,
    CudaAPIError=CudaAPIError,
    **{name: getattr(hostapi, name) for name in _HOST},
    **{name: getattr(barriers, name) for name in _BARRIERS},
    **{name: getattr(warps, name) for name in _WARPS},
)


@typing_registry.register_attr
class _ModuleAttributes(AttributeTemplate):
    key = types.Module(cuda)

    def resolve_laneid(self, mod: Any) -> Any:
        return types.int32


@lowering_registry.lower_getattr(types.Module(cuda), "laneid")
def _lower_laneid(context: Any, builder: Any, typ: Any, val: Any) -> Any:
    return registers.lane_number(builder)
