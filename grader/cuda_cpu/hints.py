"""Why CUDA refuses to compile something, and what to write instead."""

from __future__ import annotations

import re
from typing import Any, Final

from grader.cuda_cpu.numba_internals import NumbaError

_NEXT_STEPS: Final = (
    (
        r"'numpy\.(sqrt|exp|floor|ceil|fabs|power|trunc)'",
        "CUDA's target does not know this function: use the math module",
    ),
    (r"'numpy\.(dot|matmul)'|BLAS|linalg", "CUDA's target has no linear algebra: write the loops"),
    (
        r"\b(empty|zeros|ones|full|arange|array|zeros_like|empty_like)\b.*|NRT required",
        "a kernel cannot allocate memory: use cuda.local.array or cuda.shared.array, or pass the array as an argument",
    ),
    (
        r"build_list|reflected list|build_set|build_map|list\(|dict",
        "a kernel cannot build a list, set or dict: use arrays",
    ),
    (r"UndefinedType", "nothing has this name: import it, as in `from numba import prange`"),
    (r"Untyped global name|cannot determine Numba type", "kernels call only @cuda.jit(device=True) or @njit functions"),
)
_RETURNS_VALUE: Final = re.compile(r"No conversion from .* to none for '\$\S*return_value")


def explain_refusal(error: Exception) -> Exception:
    """Return the exception to raise for a kernel that did not compile: CUDA's reason, then the next step."""
    text = str(error)
    if _RETURNS_VALUE.search(text):
        return TypeError("CUDA kernel must have void return type.")
    for pattern, advice in _NEXT_STEPS:
        if re.search(pattern, "\n".join(text.splitlines()[:3])):
            return _with_advice(error, advice)
    return error


def _with_advice(error: Exception, advice: str) -> Exception:
    first: Any = error.args[0] if error.args else ""
    error.args = (f"{first}\n\nCUDA: {advice}", *error.args[1:])
    if isinstance(error, NumbaError) and hasattr(error, "msg"):
        error.msg = error.args[0]
    return error
