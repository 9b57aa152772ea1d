"""Which kernels a call launched, and with how many blocks and threads."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from grader.authoring import CheckedCall, Note, fail
from grader.worker.runs import SHOWN
from grader.worker.wire import Launch


def as_fact(launches: Iterable[Launch]) -> list[list[Any]]:
    """Return what reports keep of launches: kernel, grid and block of each."""
    return [[launch.kernel, list(launch.grid), list(launch.block)] for launch in launches]


def expect_returned(value: Any, function: str) -> None:
    """Fail if a function returned None: many students return what a launch gives."""
    if value is None:
        fail(
            f"`{function}` returned None.",
            hint="A launch gives nothing back: return the array that the kernel wrote, copied to the host.",
        )


def expect_launched(answer: CheckedCall, function: str, example: str) -> None:
    """Fail if a function launched no kernel.

    `example` is a line that launches the kernel, such as `add_kernel[10, 10](A, B, C)`.
    """
    if not answer.seen.launches:
        fail(f"`{function}` launched no kernel.", hint=f"Call {example} and return what it wrote to C.")


def expect_launches(answer: CheckedCall, kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Fail unless every launch of `kernel` has so many blocks of so many threads; how they are arranged is free."""
    expect_counts(answer.seen.launches, kernel, blocks, threads, note)


def expect_counts(launches: Sequence[Launch], kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Do the same for launches that may have made nothing, as their kernel raises or does not end."""
    note.fact("launches", as_fact(launches[:20]))
    own = [launch for launch in launches if launch.kernel == kernel]
    expected = f"{kernel}[{blocks}, {threads}]"
    if not own:
        names = ", ".join(sorted({launch.kernel for launch in launches})[:SHOWN]) or "nothing"
        fail(f"`{kernel}` was not launched.", expected=expected, got=names, hint=f"Call {expected}(...).")
    wrong = [launch for launch in own if (math.prod(launch.grid), math.prod(launch.block)) != (blocks, threads)]
    if not wrong:
        return
    got = "; ".join(f"grid {launch.grid}, block {launch.block}" for launch in wrong[:SHOWN])
    swapped = blocks != threads and (math.prod(wrong[0].grid), math.prod(wrong[0].block)) == (threads, blocks)
    many = "block" if blocks == 1 else "blocks"
    also = f"The sheet asks for {blocks} {many} of {threads} threads, even if values are right."
    hint = "Blocks come first: kernel[blocks, threads per block]." if swapped else also
    fail(f"`{kernel}` was launched with the wrong number of blocks or threads.", expected=expected, got=got, hint=hint)
