"""The module object that student code gets for ``numba.cuda``."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from grader.cuda_cpu import (  # noqa: F401  # they register themselves
    atomics,
    barriers,
    bits,
    devicearray,
    devices,
    fp16,
    groups,
    hostapi,
    known_names,
    memory,
    printing,
    registers,
    transfer,
    vectors,
    warps,
)
from grader.cuda_cpu.devicearray import DeviceNDArray, is_device_array
from grader.cuda_cpu.dispatcher import jit
from grader.cuda_cpu.geometry import WARP_SIZE, CudaAPIError
from grader.cuda_cpu.numba_internals import AttributeTemplate, types
from grader.cuda_cpu.refusals import CudaSupportError, refuse
from grader.cuda_cpu.target import lowering_registry, runtime_attributes, typing_registry


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(names)
    return module


def _public(module: ModuleType, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def _functions(module: ModuleType) -> dict[str, Any]:
    """Return the functions that a module of this package defines, for those whose every function is CUDA's."""
    own = {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    return {name: value for name, value in own.items() if callable(value) and name[0].islower()}


_DEVICEARRAY: Final = _module(
    "numba.cuda.cudadrv.devicearray",
    DeviceNDArray=DeviceNDArray,
    DeviceNDArrayBase=DeviceNDArray,
    is_cuda_ndarray=is_device_array,
    from_array_like=devicearray.from_array_like,
    auto_device=devicearray.auto_device,
)
_CUDADRV: Final = _module(
    "numba.cuda.cudadrv",
    devicearray=_DEVICEARRAY,
    driver=_module("numba.cuda.cudadrv.driver", CudaAPIError=CudaAPIError),
    error=_module("numba.cuda.cudadrv.error", CudaSupportError=CudaSupportError),
)

cuda: Final = _module(
    "numba.cuda",
    __path__=[],
    __doc__="CUDA kernels on this machine's processor.",
    __getattr__=refuse,
    atomic=_module("numba.cuda.atomic", **_public(atomics, *atomics.NAMES)),
    shared=_module("numba.cuda.shared", array=memory.shared_array),
    local=_module("numba.cuda.local", array=memory.local_array),
    const=_module("numba.cuda.const", array_like=memory.const_array_like),
    fp16=_module("numba.cuda.fp16", **fp16.FUNCTIONS),
    cudadrv=_CUDADRV,
    devicearray=_DEVICEARRAY,
    cg=_module("numba.cuda.cg", this_grid=groups.this_grid),
    types=_module("numba.cuda.types", **{name: value for name, value in vars(types).items() if name[:2] != "__"}),
    warpsize=WARP_SIZE,
    jit=jit,
    gpus=devices.gpus,
    runtime=devices.runtime,
    DeviceNDArray=DeviceNDArray,
    CudaAPIError=CudaAPIError,
    CudaSupportError=CudaSupportError,
    implementation="CPU executor",
    **_public(registers, "threadIdx", "blockIdx", "blockDim", "gridDim", "grid", "gridsize"),
    **_public(transfer, "In", "Out", "InOut"),
    **_public(barriers, *barriers.NAMES),
    **_public(warps, *warps.NAMES),
    **_public(bits, *bits.NAMES),
    **_functions(hostapi),
    **_functions(devices),
    **vectors.NAMES,
)


@typing_registry.register_attr
class _ModuleAttributes(AttributeTemplate):
    key = types.Module(cuda)

    def resolve_laneid(self, mod: Any) -> Any:
        return types.int32

    def resolve_warpsize(self, mod: Any) -> Any:
        return types.int32


@lowering_registry.lower_getattr(types.Module(cuda), "laneid")
def _lower_laneid(context: Any, builder: Any, typ: Any, val: Any) -> Any:
    return registers.lane_number(builder)


@lowering_registry.lower_getattr(types.Module(cuda), "warpsize")
def _lower_warpsize(context: Any, builder: Any, typ: Any, val: Any) -> Any:
    return context.get_constant(types.int32, WARP_SIZE)


runtime_attributes += [(types.Module(cuda), name) for name in ("laneid", "warpsize")]
