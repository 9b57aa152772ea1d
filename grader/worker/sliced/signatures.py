"""Numba's types as a slice gets them, for numbers and arrays, and signatures made of these types.

If a signature is a text, Numba executes the text as Python code. So texts are checked first.
"""

import ast
import re
from typing import Any

import numpy as np
from numba import types

from grader.slices.policy import module_names
from grader.worker.sliced import operations
from grader.worker.sliced.calllog import refuse
from grader.worker.sliced.exact import exact_arguments, leaves
from grader.worker.sliced.labels import Unwrapped, label_of, unwrap

SIGNATURES = frozenset({"signature_or_function", "func_or_sig", "signature", "sig"})
_TYPES = {"List", *(module_names("numba.types") or ())} & {*vars(types)}
_LAYOUT = re.compile(r"[\w\s(),]*->[\w\s(),]*")
_PARTS = (ast.Expression, ast.Tuple, ast.Call, ast.Subscript, ast.Slice, ast.Constant, ast.keyword, ast.Load)


def expect_signatures(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Refuse texts among a compiler's arguments that are no signatures.

    Raises:
        TypeError: a text is no signature; Numba raises it for such a text, too.
    """
    for text in leaves([*args, *(value for name, value in options.items() if name in SIGNATURES)]):
        if isinstance(text, str) and not is_signature(text):
            refuse(f"the signature {text[:60]!r}", f"compile for the signature {text!r}")


def is_signature(text: str) -> bool:
    """Return whether a text is made of Numba's types, or is a layout of shapes such as `(n),(n)->()`."""
    if "->" in text:
        return bool(_LAYOUT.fullmatch(text))
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(map(_is_part, ast.walk(tree)))


def _is_part(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _TYPES or isinstance(vars(types).get(node.id), types.Type)
    return isinstance(node, _PARTS)


class NumbaType(Unwrapped):
    """A type of Numba's, or a class of types. A type of numbers that is called with an array makes an observed one."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Convert a number, or the numbers of an array; a type of arrays gives a signature, a class of types a type."""
        args, options = exact_arguments(args, options)
        result = self._real(*unwrap(args), **unwrap(options))
        has_numbers = isinstance(result, np.ndarray | np.generic | complex | float | int)
        return operations.labelled(result, label_of(args)) if has_numbers else NumbaType(result)

    def __getitem__(self, key: Any) -> Any:
        return NumbaType(self._real[key])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumbaType) and bool(self._real == other._real)  # of no other class, which would see it

    def __hash__(self) -> int:
        return hash(self._real)

    def __repr__(self) -> str:
        return repr(self._real)
