"""Whether kernels computed the parts of an answer, each by a chain of launches that starts with the data.

For scenarios with device arrays, whose answers have several parts, each computed by several launches; `kernels` judges
single functions that take and return host arrays.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from grader.authoring import Array, Inconclusive, Note, fail
from grader.authoring.comparison import as_array
from grader.authoring.judges import kernels, loops, makers, slices
from grader.authoring.judges.scenarios import Launched, Watched

FEW_TOLD_IN_ALL = 220
"""How many numbers the launches for one result may get: one launch for each of 70 rows, with its index, makes 140."""
_ENTRIES_OF_A_NUMBER = 4
"""How many entries of an answer, each with the five digits that are compared, a number of 64 bits can contain."""
_FEWEST_FRACTIONS = 3


def expect_made_by_kernels(run: Watched, keys: Iterable[str], known: Sequence[Array], note: Note) -> None:
    """Fail unless kernels, and not the host, computed the parts `keys` of a right answer.

    `known` are the arrays that the scenario was given: kernels may get these in any form.

    Raises:
        StudentFault: the host computed a part, or its numbers went to a kernel one by one, or into its code.
        Inconclusive: the run was not observed, or the launches got so many numbers that these may be the answer.
    """
    note.fact("launches", kernels.as_fact(run.seen.launches))
    told = {key: _expect_chain(run, key, known, note) for key in keys}
    for key, (numbers, entries) in told.items():  # after the loop above: a certain fault of another part goes first
        if numbers > max(FEW_TOLD_IN_ALL, entries):  # one small number cannot contain an entry
            raise Inconclusive(
                f"{run.subject}: the kernels that compute {key} are told {numbers} numbers, one by one or by the "
                "launches that are chosen. A TA should read it."
            )


def _expect_chain(run: Watched, key: str, known: Sequence[Array], note: Note) -> tuple[int, int]:
    """Return how many numbers the launches that lead to one part got, and how many entries the part has."""
    scene, right = run.seen, as_array(run.value.get(key))
    if not isinstance(right, np.ndarray):
        fail(f"{run.subject}: {key} {right.message}")
    made_by = makers.find_makers(scene.launches, right)
    if not made_by and scene.is_thinned:
        raise Inconclusive(f"{run.subject} launches more than a record has room for. A TA should read it.")
    if not made_by:
        by = slices.host_work(scene.came_from.get(key, frozenset())) or "the host"
        fail(
            f"{run.subject}: {by} computes {key}, and no kernel.",
            hint="Let a kernel compute it, and return what the kernel wrote.",
        )
    if loops.are_many(taken := max(scene.work.reads, scene.work.leaks), right.size):
        note.flag(f"{run.subject} takes {taken} numbers out of arrays, one by one: what does Python do with them?")
    chain = [launch for maker in made_by for launch in makers.find_chain(scene.launches, maker)]
    _expect_few_numbers(run, key, right, chain, known, note)
    for launch in chain:
        _expect_work_of_kernels(run, key, right, launch, known, note)
    return makers.count_singles(chain, known), right.size


def _expect_work_of_kernels(
    run: Watched, key: str, right: Array, launch: Launched, known: Sequence[Array], note: Note
) -> None:
    """Fail if a launch that leads to a result got arrays that the host had worked on, or was compiled with the data.

    Flag a large array whose numbers are not those of the data, even if no work of the host on it was observed.
    """
    earlier = run.seen.launches[: makers.place_of(run.seen.launches, launch)]
    others = [array for array in launch.inputs() if not makers.is_known(array, known, earlier)]
    if others:
        if words := slices.host_work(launch.given):
            fail(
                f"{run.subject}: `{launch.kernel}`, which writes {key}, is given what the host worked on: {words}.",
                hint="Give the kernel the data, and let it compute.",
            )
        old = {id(array) for made in (*earlier, launch) for array in made.old}
        large = [array for array in others if array.size > makers.SMALL]
        if any(
            np.isin(right, array).all() or not (id(array) in old or makers.is_made_of(array, known, earlier))
            for array in large
        ):
            note.flag(f"{run.subject}: `{launch.kernel}`, which writes {key}, is given numbers that are not the data's")
        alone = sorted(token.removeprefix("alone: ") for token in launch.given if token.startswith("alone: "))
        if alone and not all(any(makers.holds(array, one) for one in known) for array in others):
            note.flag(f"{run.subject}: `{launch.kernel}`, which writes {key}, is given what {alone[0]} made")
    if any(token.startswith("argument ") for token in launch.constants_from):
        fail(
            f"{run.subject}: `{launch.kernel}`, which writes {key}, was compiled with the data of one call in it.",
            hint="Give the kernel the data as arguments, and compile it once.",
        )


def _find_copied(small: Iterable[Array], arrays: Iterable[Array]) -> set[float]:
    """Return the numbers of the `small` arrays that are also in `arrays`."""
    copied = np.unique(np.concatenate([np.zeros(0), *small]))
    return {number for array in (arrays if copied.size else ()) for number in copied[np.isin(copied, array)]}


def _is_given_singly(right: Array, numbers: Iterable[float]) -> bool:
    """Return whether an answer has three different fractions or more, and all of them are among the numbers."""
    with np.errstate(all="ignore"):  # infinite numbers, and those too large for the type
        fractions = np.unique(right[np.isfinite(right) & (right % 1 != 0)])
        return fractions.size >= _FEWEST_FRACTIONS and bool(
            np.isin(fractions, np.array([*numbers], float).astype(right.dtype)).all()
        )


def _expect_few_numbers(
    run: Watched, key: str, right: Array, chain: Sequence[Launched], known: Sequence[Array], note: Note
) -> None:
    """Fail if kernels got so many single numbers, or the device in small copies, that these may be the answer.

    Flag an answer whose fractions are all among these numbers.
    """
    copies = (array.ravel() for way, array in run.seen.copies if way == "to device" and array.size <= makers.SMALL)
    small = [array.view(array.real.dtype) for array in copies]  # both parts of complex numbers
    given = [array.ravel().view(array.real.dtype) for launch in chain for array in launch.before]
    # Kernels may cast memory, and NaN may carry data.
    as_words = ([array.view(f"u{array.itemsize}") for array in arrays] for arrays in (small, given))
    numbers = max(_find_copied(small, given), _find_copied(*as_words), key=len)
    sizes = {*range(2 * max((length for array in (*known, right) for length in array.shape), default=0) + 1)}
    told = [makers.find_singles(launch, known) for launch in chain]
    numbers.update(*told)
    if right.dtype.kind == "f" and _is_given_singly(right, numbers):
        note.flag(f"{run.subject}: `{chain[0].kernel}`, which writes {key}, is told the numbers of the answer")
    many = len(numbers - sizes) + sum(max(0, len(of_launch) - makers.SMALL) for of_launch in told)
    if many > max(makers.SMALL, right.size // _ENTRIES_OF_A_NUMBER):
        fail(
            f"{run.subject}: `{chain[0].kernel}`, which writes {key}, is told {many} numbers one by one.",
            hint="Give the kernel the data as arrays, and let it compute.",
        )
