"""``print`` inside kernels: the C library's ``printf``, as on a GPU."""

from __future__ import annotations

import warnings
from typing import Any, Final

from grader.cuda_cpu.numba_internals import NumbaWarning, cgutils, ir, types
from grader.cuda_cpu.registers import TripleType
from grader.cuda_cpu.target import lowering_registry
from grader.cuda_cpu.threadstate import load_field

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
        return "(%d, %d, %d)", [load_field(builder, f"{kind.field}_{axis}") for axis in "xyz"]
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
    function = cgutils.get_or_insert_function(builder.module, kind, PRINTF)
    builder.call(function, [pointer, *arguments])
    return context.get_dummy_value()
