"""The sheet's rules for max_functions.py and matmul_functions.py: by reading the source, and by what was observed."""

from __future__ import annotations

import math
from typing import Any

from grader.authoring import Answer, Note, Student, fail

SHOWN_LAUNCHES = 3


def expect_launches(answer: Answer, kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Fail unless every launch of `kernel` has so many blocks of so many threads; how they are arranged is free."""
    note.fact("launches", [[launch.kernel, list(launch.grid), list(launch.block)] for launch in answer.launches[:20]])
    own = [launch for launch in answer.launches if launch.kernel == kernel]
    expected = f"{kernel}[{blocks}, {threads}]"
    if not own:
        names = ", ".join(sorted({launch.kernel for launch in answer.launches})[:SHOWN_LAUNCHES]) or "nothing"
        fail(f"`{kernel}` was not launched.", expected=expected, got=names, hint=f"Call {expected}(...).")
    wrong = [launch for launch in own if (math.prod(launch.grid), math.prod(launch.block)) != (blocks, threads)]
    if not wrong:
        return
    got = "; ".join(f"grid {launch.grid}, block {launch.block}" for launch in wrong[:SHOWN_LAUNCHES])
    swapped = blocks != threads and (math.prod(wrong[0].grid), math.prod(wrong[0].block)) == (threads, blocks)
    hint = "Blocks come first: kernel[blocks, threads per block]." if swapped else ""
    fail(f"`{kernel}` was launched with other counts than the sheet's.", expected=expected, got=got, hint=hint)


def expect_compiled(student: Student, module: str, function: str, note: Note) -> None:
    """Fail unless `function`, called before, is or calls a function that Numba compiled for data in nopython mode."""
    seen: dict[str, Any] = student.call("grader.worker.inspection", "describe_compiled", (module, function)).value
    note.fact("compiled", seen)
    if seen["object_mode"]:
        names = ", ".join(map(str, seen["object_mode"][:3]))
        fail(f"Numba fell back to Python objects in {names}.", hint="Use @njit, and only what Numba can compile.")
    if not seen["nopython"]:
        fail(f"`{function}` is not compiled by Numba.", expected="@njit", hint="Decorate the function with @njit.")
