"""Numba types of kernel arguments as plain data, to cross from one process to another."""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu.numba_internals import types


def describe_type(kind: Any) -> Any:
    """Return a description of a kernel argument's type: a name, or a list that begins with one.

    Raises:
        NotImplementedError: for types other than numbers, arrays of numbers and tuples of them.
    """
    kind = types.unliteral(kind)
    if isinstance(kind, types.Array):
        return ["array", describe_type(kind.dtype), kind.ndim, kind.layout]
    if isinstance(kind, types.BaseTuple):
        return ["tuple", *(describe_type(part) for part in kind)]
    if isinstance(kind, (types.Number, types.Boolean)):
        return "boolean" if isinstance(kind, types.Boolean) else str(kind)
    raise NotImplementedError(
        f"arguments of type {kind} cannot be described to the assembler: use numbers and arrays of numbers"
    )


def restore_type(description: Any) -> Any:
    """Return the Numba type behind a description.

    Raises:
        ValueError: for a description that `describe_type` does not write.
    """
    if isinstance(description, str) and isinstance(kind := getattr(types, description, None), types.Type):
        return kind
    if isinstance(description, list) and description[:1] == ["array"]:
        _, dtype, ndim, layout = description
        return types.Array(restore_type(dtype), ndim, layout)
    if isinstance(description, list) and description[:1] == ["tuple"]:
        return types.Tuple([restore_type(part) for part in description[1:]])
    raise ValueError(f"{description!r} describes no type")
