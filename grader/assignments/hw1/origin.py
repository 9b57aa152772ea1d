"""Where an answer came from: the kernels that were launched, or something else that looks like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.assignments.hw1 import rules
from grader.authoring import Inconclusive, Note, Student, fail
from grader.compare import as_array, matches

Array = npt.NDArray[Any]
Args = tuple[Array, ...]
Solve = Callable[..., tuple[Array, Array | float]]
"""Returns the right answer for the arguments, and how far each entry may be off."""

TOP = 100
"""Patterns are of whole numbers from 0 to 100: every type of number holds them."""
PARTLY = 0.4
"""From this share of right entries on, kernels do a large part of the work: a symmetric half, for instance."""


def expect_from_kernels(
    student: Student,
    call: tuple[str, str],
    args: tuple[Args, Args],
    solve: Solve,
    rng: np.random.Generator,
    note: Note,
) -> None:
    """Fail if the answer of a function certainly does not come from the kernels that it launches.

    Args:
        student: The submission; the function has been called before and was right.
        call: Names of module and function.
        args: Two sets of arguments that the submission has never seen.
        solve: What the right answer is.
        rng: For the pattern that takes the place of what the kernels write.
        note: Takes what was seen; doubts are flags.

    Raises:
        StudentFault: the right answer came although the kernels wrote something else, or before they ran.
        Inconclusive: the kernels alone, given other data, do nothing like the work.
    """
    right, tolerance = solve(*args[0])
    pattern = rng.integers(0, TOP + 1, right.size)
    seen = _examine(student, call, "", args, pattern)
    name = f"`{call[1]}`"
    if not seen["wrote"]:
        fail(
            f"The kernels that {name} launched changed none of the arrays that they were given.",
            hint="The kernel writes the result into its last argument; return that.",
        )
    _expect_pattern(name, seen, pattern, right, tolerance, note)
    _flag_zeros_taken_for_granted(student, call, args[0], right, tolerance, note)
    if any(is_right(array, right, tolerance) for array in seen["strangers"]):
        fail(
            f"{name} had the finished answer before its kernel ran, and gave it to the kernel.",
            hint="Give the kernel the data, and let it compute.",
        )
    if seen["odd"]:
        msg = f"{name} launches its kernels with code of its own around them ({seen['odd'][0]}). A TA should read it."
        raise Inconclusive(msg)
    _expect_whole_job(name, seen, solve(*args[1]), note)


def expect_kernel_works(
    student: Student, call: tuple[str, str], kernel: str, args: Args, solve: Solve, rng: np.random.Generator
) -> None:
    """Fail if the launches of `kernel` change nothing: it would be launched for show."""
    right, _ = solve(*args)
    seen = _examine(student, call, kernel, (args, args), rng.integers(0, TOP + 1, right.size))
    if not seen["wrote"]:
        fail(
            f"`{kernel}` is launched by `{call[1]}`, but changes none of the arrays that it is given.",
            hint="Each thread writes its part of the result into the kernel's last argument.",
        )


def expect_from_kernel(
    student: Student, call: tuple[str, str], kernel: str, args: Args, solve: Solve, rng: np.random.Generator
) -> None:
    """Fail if the right answer comes although the launches of `kernel`, and only those, write something else."""
    right, tolerance = solve(*args)
    seen = _examine(student, call, kernel, (args, args), rng.integers(0, TOP + 1, right.size))
    if seen["replaced"] and is_right(seen["substituted"], right, tolerance):
        fail(
            f"The launches of `{kernel}` do not make the answer of `{call[1]}`: other kernels do.",
            hint=f"Let `{kernel}` compute the answer.",
        )


def _examine(
    student: Student, call: tuple[str, str], kernel: str, args: tuple[Args, Args], pattern: Array
) -> dict[str, Any]:
    """Return what `grader.worker.substitution.examine_launches` reports, with every key there is."""
    nothing: dict[str, Any] = {
        "complete": True,
        "wrote": 0,
        "replaced": 0,
        "substituted": None,
        "raised": "",
        "replayed": [],
        "strangers": [],
        "odd": [],
    }
    return rules.observe(student, "substitution", "examine_launches", (*call, kernel, *args, pattern), nothing)


def _expect_pattern(
    name: str, seen: dict[str, Any], pattern: Array, right: Array, tolerance: Array | float, note: Note
) -> None:
    """Judge what came back when each launch wrote the pattern instead of its result."""
    if not seen["replaced"]:
        note.flag(f"{name} launched kernels in one call and none in the next")
    elif is_right(seen["substituted"], right, tolerance):
        fail(
            f"{name} returns the right answer even when its kernels write something else: it does not come from them.",
            hint="Return the array that the kernel wrote.",
        )
    elif is_right(seen["substituted"], pattern.reshape(right.shape), 0):
        note.fact("origin", "what the kernels wrote is what was returned")
    else:
        ending = f"it raised {seen['raised']}" if seen["raised"] else "it returned something else"
        note.flag(f"when the kernels of {name} wrote a pattern of ours, {ending}: does it check or repair the result?")


def _flag_zeros_taken_for_granted(
    student: Student, call: tuple[str, str], args: Args, right: Array, tolerance: Array | float, note: Note
) -> None:
    """Tell a TA of answers that need zeros in new device memory, which only the executor gives for certain."""
    nothing: dict[str, Any] = {"tried": False, "value": None}
    seen = rules.observe(student, "substitution", "call_with_old_values", (*call, args, TOP), nothing)
    if seen["tried"] and not is_right(seen["value"], right, tolerance):
        note.flag(
            f"`{call[1]}` is right only where new device memory holds zeros, as it does here; on a GPU "
            "cuda.device_array leaves old values in it"
        )


def _expect_whole_job(name: str, seen: dict[str, Any], solved: tuple[Array, Array | float], note: Note) -> None:
    """Judge what the kernels alone made of other data."""
    share = max((_share_right(array, *solved) for array in seen["replayed"]), default=0.0)
    note.fact("kernels_alone_right_percent", round(100 * share, 1))
    if share == 1:
        return
    if not seen["complete"]:
        msg = f"{name} gives its kernels so much memory that they could not be tried alone. A TA should read it."
        raise Inconclusive(msg)
    if share < PARTLY:
        msg = (
            f"The kernels of {name}, launched alone on other data, do not compute the answer: the function may "
            "prepare it, or repair it, on the host. A TA should read it."
        )
        raise Inconclusive(msg)
    note.flag(f"the kernels of {name} alone get {100 * share:.0f} % of other data right; the host does the rest")


def is_right(got: Any, right: Array, tolerance: Array | float) -> bool:
    """Return whether `got` holds the right numbers, in one of the usual layouts."""
    return _share_right(got, right, tolerance) == 1


def _share_right(got: Any, right: Array, tolerance: Array | float) -> float:
    """Return the share of right entries, of the best of the usual layouts: as it is, transposed, flat or padded."""
    array = as_array(got)
    if not isinstance(array, np.ndarray) or array.size < right.size:
        return 0.0
    flat = [array.reshape(right.shape)] if array.size == right.size else []
    corner = [array[tuple(map(slice, right.shape))]] if array.ndim == right.ndim else []
    layouts = [layout for layout in (*flat, *corner) if layout.shape == right.shape]
    turned = [layout.T for layout in layouts if layout.T.shape == right.shape]
    shares = [float(matches(layout, right, atol=tolerance).mean()) for layout in (*layouts, *turned)]
    return max(shares, default=0.0)
