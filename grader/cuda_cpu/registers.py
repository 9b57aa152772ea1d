"""Special registers: ``threadIdx``, ``blockIdx``, ``blockDim``, ``gridDim``, ``grid``, ``gridsize``, ``laneid``."""

from __future__ import annotations

from typing import Any, Final

from numba.extending import intrinsic, models, register_model

from grader.cuda_cpu.numba_internals import (
    AttributeTemplate,
    NumbaValueError,
    RequireLiteralValue,
    cgutils,
    signature,
    types,
)
from grader.cuda_cpu.records import I32, I64, load_field
from grader.cuda_cpu.target import lowering_registry, typing_registry


class TripleType(types.Dummy):
    """The type of ``threadIdx`` and its three sisters; `field` is their name in the thread record."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(name=f"dim3({field})")


register_model(TripleType)(models.OpaqueModel)


class Register:
    """What ``cuda.threadIdx`` is in Python: a name that only means something inside a kernel."""

    def __init__(self, name: str, field: str) -> None:
        self._name = name
        self._numba_type_ = TripleType(field)

    def __repr__(self) -> str:
        return f"<cuda.{self._name}, known inside kernels only>"


threadIdx: Final = Register("threadIdx", "tid")  # noqa: N816  # CUDA's name
blockIdx: Final = Register("blockIdx", "ctaid")  # noqa: N816  # CUDA's name
blockDim: Final = Register("blockDim", "ntid")  # noqa: N816  # CUDA's name
gridDim: Final = Register("gridDim", "nctaid")  # noqa: N816  # CUDA's name


@typing_registry.register_attr
class _TripleAttributes(AttributeTemplate):
    key = TripleType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        return types.int32 if attr in ("x", "y", "z") else None


@lowering_registry.lower_getattr_generic(TripleType)
def _lower_triple(context: Any, builder: Any, typ: Any, val: Any, attr: str) -> Any:
    return load_field(builder, f"{typ.field}_{attr}")


def thread_number(builder: Any) -> Any:
    """Emit the thread's number within its block, counted along x, then y, then z, as an ``i32``."""
    x, y, z = (load_field(builder, f"tid_{axis}") for axis in "xyz")
    width, height = (load_field(builder, f"ntid_{axis}") for axis in "xy")
    return builder.add(x, builder.mul(width, builder.add(y, builder.mul(height, z))))


def lane_number(builder: Any) -> Any:
    """Emit the thread's lane in its warp, as an ``i32``."""
    return builder.and_(thread_number(builder), I32(31))


def _grid_signature(ndim: Any) -> Any:
    if not isinstance(ndim, types.IntegerLiteral):
        raise RequireLiteralValue(ndim)
    axes = ndim.literal_value
    if axes not in (1, 2, 3):
        raise NumbaValueError("argument can only be 1, 2, 3")
    return signature(types.int64 if axes == 1 else types.UniTuple(types.int64, axes), types.int32)


def _make_position(name: str, doc: str, per_axis: Any) -> Any:
    """Return a function of the number of axes that gives one ``i64`` per axis."""

    def resolve(typingctx: Any, ndim: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            # Numba keeps one such function for all numbers of axes: the signature says which it is.
            values = [per_axis(builder, axis) for axis in "xyz"[: getattr(sig.return_type, "count", 1)]]
            return values[0] if len(values) == 1 else cgutils.pack_array(builder, values)

        return _grid_signature(ndim), codegen

    resolve.__name__, resolve.__doc__ = name, doc
    return intrinsic(target="cuda")(resolve)


def _load(builder: Any, field: str) -> Any:
    return builder.sext(load_field(builder, field), I64)


grid = _make_position(
    "grid",
    "Return the position of the thread in the whole grid, along 1, 2 or 3 axes.",
    lambda builder, axis: builder.add(
        builder.mul(_load(builder, f"ctaid_{axis}"), _load(builder, f"ntid_{axis}")), _load(builder, f"tid_{axis}")
    ),
)
gridsize = _make_position(
    "gridsize",
    "Return the number of threads of the whole grid, along 1, 2 or 3 axes.",
    lambda builder, axis: builder.mul(_load(builder, f"ntid_{axis}"), _load(builder, f"nctaid_{axis}")),
)
