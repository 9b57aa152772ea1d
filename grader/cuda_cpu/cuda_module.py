"""The module object that student code gets for ``numba.cuda``."""

import functools
import importlib.util
import math
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from numba import extending
from numba.extending import overload_method

from grader.cuda_cpu import (  # these modules register their names on import
    arguments,
    atomics,
    barriers,
    devicearray,
    devices,
    hostapi,
    intrinsics,
    memory,
    numbertypes,
    warps,
)
from grader.cuda_cpu.devicearray import DeviceNDArray, is_device_array
from grader.cuda_cpu.devices import CudaSupportError, refuse
from grader.cuda_cpu.dispatcher import jit
from grader.cuda_cpu.intrinsics import TripleType, call_named, popc
from grader.cuda_cpu.launches import WARP_SIZE, CudaAPIError
from grader.cuda_cpu.numba_internals import (
    AttributeTemplate,
    ConcreteTemplate,
    NumbaWarning,
    cgutils,
    datamodel,
    ir,
    npydecl,
    signature,
    types,
)
from grader.cuda_cpu.records import load_fields
from grader.cuda_cpu.target import attributes_only, data_models, lowering_registry, runtime_attributes, typing_registry

PRINTF: Final = "printf"
MAX_ITEMS: Final = 32
_TOO_MANY: Final = (
    "CUDA print() cannot print more than 32 items. The raw format string will be emitted by the kernel instead."
)


def _format_value(context: Any, builder: Any, kind: Any, value: Any) -> tuple[str, list[Any]]:
    """Return the ``printf`` conversion of a value and its arguments.

    Raises:
        NotImplementedError: for a type that CUDA's target cannot print either.
    """
    if isinstance(kind, types.StringLiteral):
        return "%s", [context.insert_const_string(builder.module, kind.literal_value)]
    kind = types.unliteral(kind)
    if isinstance(kind, types.Boolean):
        names = [context.insert_const_string(builder.module, text) for text in ("True", "False")]
        return "%s", [builder.select(context.cast(builder, value, kind, types.boolean), *names)]
    if isinstance(kind, types.Integer):
        wide = types.int64 if kind.signed else types.uint64
        return "%lld" if kind.signed else "%llu", [context.cast(builder, value, kind, wide)]
    if isinstance(kind, types.Float):
        return "%f", [context.cast(builder, value, kind, types.float64)]
    if isinstance(kind, types.BaseTuple):
        parts = [_format_value(context, builder, part, builder.extract_value(value, n)) for n, part in enumerate(kind)]
        end = ",)" if len(parts) == 1 else ")"
        return "(" + ", ".join(text for text, _ in parts) + end, [arg for _, args in parts for arg in args]
    if isinstance(kind, TripleType):
        return "(%d, %d, %d)", load_fields(builder, kind.field)
    raise NotImplementedError(f"print of {kind} in a kernel is not implemented, on a GPU neither: print its elements")


@lowering_registry.lower(print, types.VarArg(types.Any))
def _lower_print(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    formatted = [_format_value(context, builder, kind, value) for kind, value in zip(sig.args, args, strict=True)]
    text = " ".join(conversion for conversion, _ in formatted) + "\n"
    arguments = [argument for _, values in formatted for argument in values]
    if len(arguments) > MAX_ITEMS:
        warnings.warn(NumbaWarning(_TOO_MANY), stacklevel=2)
        text, arguments = text.replace("%", "%%"), []
    pointer = context.insert_const_string(builder.module, text)
    kind = ir.FunctionType(ir.IntType(32), [ir.IntType(8).as_pointer()], var_arg=True)
    builder.call(cgutils.get_or_insert_function(builder.module, kind, PRINTF), [pointer, *arguments])
    return context.get_dummy_value()


_PREFIX: Final = "numba.cuda."
_BORROWED: Final = (
    *("random", "kernels", "kernels.reduction", "vectorizers", "deviceufunc"),
    *("cudamath", "errors", "stubs", "vector_types"),
)


class BorrowingFinder(MetaPathFinder):
    """Finds the modules of ``numba.cuda`` that this package borrows from Numba, and refuses all others by name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a borrowed module of ``numba.cuda`` lies; None for modules outside ``numba.cuda``."""
        if not fullname.startswith(_PREFIX):
            return None
        name = fullname.removeprefix(_PREFIX)
        if name not in _BORROWED:
            raise ModuleNotFoundError(
                f"{fullname} is not part of the CUDA executor for the CPU: it needs a real GPU and its driver",
                name=fullname,
            )
        import numba

        file = Path(numba.__file__).parent.joinpath("cuda", *name.split("."))
        if file.is_dir():
            return importlib.util.spec_from_loader(fullname, None, is_package=True)
        return importlib.util.spec_from_file_location(fullname, file.with_suffix(".py"))


def install_finder() -> None:
    """Put the finder before Python's own, once."""
    if not any(isinstance(finder, BorrowingFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, BorrowingFinder())


_FLOATS: Final = (types.float32, types.float64)
_WHOLE: Final = (types.int64, types.uint64)


def _declare(name: str, cases: list[Any]) -> None:
    """Make a function of `math` known to kernels."""
    function = getattr(math, name)
    template = type(f"Math_{name}", (ConcreteTemplate,), {"key": function, "cases": cases})
    typing_registry.register_global(function, types.Function(template))


# Functions that numba-cuda knows and that Numba's own list lacks.
_declare("exp2", [*(signature(types.float64, kind) for kind in _WHOLE), *(signature(kind, kind) for kind in _FLOATS)])
_declare("nextafter", [signature(kind, kind, kind) for kind in _FLOATS])


def _remainder(context: Any, builder: Any, sig: Any, values: Any) -> Any:
    return call_named(builder, "remainderf" if isinstance(values[0].type, ir.FloatType) else "remainder", *values)


def _modf(context: Any, builder: Any, sig: Any, values: Any) -> Any:
    """Split into fraction and whole part, both with the sign of the value; the fraction of infinity is zero."""
    value = values[0]
    whole = call_named(builder, "llvm.trunc", value)
    infinite = builder.fcmp_ordered("==", call_named(builder, "llvm.fabs", value), value.type(float("inf")))
    fraction = builder.select(infinite, value.type(0.0), builder.fsub(value, whole))
    return context.make_tuple(builder, sig.return_type, (call_named(builder, "llvm.copysign", fraction, value), whole))


for _kind in _FLOATS:
    lowering_registry.lower(math.fmod, _kind, _kind)(lambda _, builder, __, values: builder.frem(*values))
    lowering_registry.lower(math.remainder, _kind, _kind)(_remainder)
    lowering_registry.lower(math.modf, _kind)(_modf)


@lowering_registry.lower(round, types.float32, types.Integer)
def _round_single(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Round as CUDA's target does, with powers of ten as doubles: round a double, then convert to a single."""
    wide = [context.cast(builder, args[0], types.float32, types.float64), args[1]]
    double = signature(types.float64, types.float64, sig.args[1])
    return context.cast(builder, context.get_function(round, double)(builder, wide), types.float64, types.float32)


@overload_method(types.Integer, "bit_count", target="cuda")
def _bit_count(number: Any) -> Any:
    def count(number: Any) -> Any:
        return popc(number)

    return count


npydecl.register_number_classes(typing_registry.register_global)
for _ufunc in (
    *(*npydecl.trigonometric_functions, *npydecl.comparison_functions, *npydecl.bit_twiddling_functions),
    *("log", "log2", "log10", "isnan", "divide", "true_divide"),
):
    npydecl.register_numpy_ufunc(_ufunc, typing_registry.register_global)
# Numba's sums and means of arrays iterate with the first.
typing_registry.register_global(np.nditer)(npydecl.NdIter)
typing_registry.register_global(np.ndindex)(npydecl.NdIndex)
typing_registry.register_global(np.ndenumerate)(npydecl.NdEnumerate)


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(names)
    return module


def _public(module: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(module, name) for name in names}


def _names(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if name[:2] != "__"}


def _functions(module: ModuleType) -> dict[str, Any]:
    """Return the functions that a module of this package defines, all of which are functions of CUDA."""
    own = {name: value for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    return {name: value for name, value in own.items() if callable(value) and name[0].islower()}


# Decorators with which courses add own types to CUDA's target, and attributes and functions that kernels may use.
_REGISTER: Final = ("register", "register_attr", "register_global")
_LOWER: Final = ("lower", "lower_getattr", "lower_getattr_generic", "lower_setattr", "lower_cast", "lower_constant")
_FOR_A_TARGET: Final = ("overload", "overload_attribute", "overload_method")


def _intrinsic(function: Any = None, **options: Any) -> Any:
    make = extending.intrinsic(**{"target": "cuda", **options})
    return make if function is None else make(function)


def _register_model(kind: Any) -> Any:
    """Return a decorator of the class that says how kernels hold values of a type.

    Numba looks for the fields of a type among the host's models, so the host gets the model, too, if it has none.
    """
    datamodel.default_manager._handlers.setdefault(kind, lambda manager, known_kind: data_models[known_kind])  # noqa: SLF001  # numba offers no accessor
    return datamodel.register(data_models, kind)


_DEVICEARRAY: Final = _module(
    "numba.cuda.cudadrv.devicearray",
    DeviceNDArray=DeviceNDArray,
    DeviceNDArrayBase=DeviceNDArray,
    is_cuda_ndarray=is_device_array,
    from_array_like=devicearray.from_array_like,
    auto_device=hostapi.auto_device,
)
_CUDADRV: Final = _module(
    "numba.cuda.cudadrv",
    devicearray=_DEVICEARRAY,
    driver=_module("numba.cuda.cudadrv.driver", CudaAPIError=CudaAPIError),
    error=_module("numba.cuda.cudadrv.error", CudaSupportError=CudaSupportError),
)

_EXTENDING: Final = {
    **_names(extending),
    **{name: functools.partial(getattr(extending, name), target="cuda") for name in _FOR_A_TARGET},
    "intrinsic": _intrinsic,
}

cuda: Final = _module(
    "numba.cuda",
    __path__=[],
    __doc__="CUDA kernels on this machine's processor.",
    __getattr__=refuse,
    atomic=_module("numba.cuda.atomic", **_public(atomics, *atomics.NAMES)),
    shared=_module("numba.cuda.shared", array=memory.shared_array),
    local=_module("numba.cuda.local", array=memory.local_array),
    const=_module("numba.cuda.const", array_like=memory.const_array_like),
    fp16=_module("numba.cuda.fp16", **numbertypes.FUNCTIONS),
    cudadrv=_CUDADRV,
    devicearray=_DEVICEARRAY,
    cudadecl=_module("numba.cuda.cudadecl", registry=typing_registry, **_public(typing_registry, *_REGISTER)),
    cudaimpl=_module(
        "numba.cuda.cudaimpl",
        registry=lowering_registry,
        lower_attr=lowering_registry.lower_getattr,
        **_public(lowering_registry, *_LOWER),
    ),
    models=_module("numba.cuda.models", **{**_names(extending.models), "register_model": _register_model}),
    extending=_module("numba.cuda.extending", **_EXTENDING),
    cg=_module("numba.cuda.cg", this_grid=barriers.this_grid),
    types=_module("numba.cuda.types", **_names(types)),
    warpsize=WARP_SIZE,
    jit=jit,
    gpus=devices.gpus,
    runtime=devices.runtime,
    DeviceNDArray=DeviceNDArray,
    CudaAPIError=CudaAPIError,
    CudaSupportError=CudaSupportError,
    implementation="CPU executor",
    **_public(intrinsics, *intrinsics.NAMES),
    **_public(arguments, "In", "Out", "InOut"),
    **_public(barriers, *barriers.NAMES),
    **_public(warps, *warps.NAMES),
    **_functions(hostapi),
    **_functions(devices),
)


@typing_registry.register_attr
class _ModuleAttributes(AttributeTemplate):
    key = types.Module(cuda)

    def generic_resolve(self, mod: Any, attr: str) -> Any:
        return types.int32 if attr in ("laneid", "warpsize") else None


@lowering_registry.lower_getattr(types.Module(cuda), "laneid")
def _lower_laneid(context: Any, builder: Any, typ: Any, val: Any) -> Any:
    return intrinsics.lane_number(builder)


@lowering_registry.lower_getattr(types.Module(cuda), "warpsize")
def _lower_warpsize(context: Any, builder: Any, typ: Any, val: Any) -> Any:
    return context.get_constant(types.int32, WARP_SIZE)


runtime_attributes += [(types.Module(cuda), name) for name in ("laneid", "warpsize")]
for _name in ("threadIdx", "blockIdx", "blockDim", "gridDim", "shared", "local", "const", "atomic"):
    _value = vars(cuda)[_name]
    attributes_only[id(_value)] = getattr(_value, "_numba_type_", None) or types.Module(_value)
