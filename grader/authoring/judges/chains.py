"""Whether the parts of an answer were computed by kernels, each by a chain of launches that began at the data.

For scenarios with arrays of the device, where an answer has several parts and each of them several launches behind it;
`kernels` judges single functions that take and return arrays of the host.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from grader.authoring import Array, Inconclusive, Note, fail
from grader.authoring.comparison import as_array
from grader.authoring.judges import kernels, loops, makers, slices
from grader.authoring.judges.scenarios import Launched, Watched

FEW_TOLD_IN_ALL = 220
"""So much some launches which lead to one result are told: a launch for each of 70 rows, with its place, takes 140."""
_ENTRIES_OF_A_NUMBER = 4
"""So many entries of an answer, to the five digits that are looked at, a number of 64 bits has room for."""
_FEWEST_FRACTIONS = 3


def expect_made_by_kernels(run: Watched, keys: Iterable[str], known: Sequence[Array], note: Note) -> None:
    """Fail unless the parts `keys` of an answer, which are right, were computed by kernels and not by the host.

    The arrays that the scenario was given are `known`: kernels may be handed these in whatever way.

    Raises:
        StudentFault: the host computed one of them.
        Inconclusive: the run was not observed, or launches are told so many numbers that these may be the answer.
    """
    note.fact("launches", kernels.as_fact(run.seen.launches))
    told = {key: _expect_chain(run, key, known, note) for key in keys}
    for key, (numbers, entries) in told.items():  # only now: what is certainly wrong with another one goes before
        if numbers > max(FEW_TOLD_IN_ALL, entries):  # to tell an entry takes more than one small number
            raise Inconclusive(
                f"{run.subject}: the kernels that compute {key} are told {numbers} numbers, one by one or by the "
                "launches that are chosen. A TA should read it."
            )


def _expect_chain(run: Watched, key: str, known: Sequence[Array], note: Note) -> tuple[int, int]:
    """Return how many numbers the launches that lead to one part are told, and how many entries it has."""
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
    return makers.count_told(chain, known), right.size


def _expect_work_of_kernels(
    run: Watched, key: str, right: Array, launch: Launched, known: Sequence[Array], note: Note
) -> None:
    """Fail if one of the launches that lead to a result is given what the host made of the data, or knows it.

    A TA is told of numbers that are not those of the data, though the host worked on single entries at most.
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
    if any(token.startswith("argument ") for token in launch.constants_from):
        fail(
            f"{run.subject}: `{launch.kernel}`, which writes {key}, was compiled with the data of one call in it.",
            hint="Give the kernel the data as arguments, and compile it once.",
        )


def _find_copied(small: Iterable[Array], arrays: Iterable[Array]) -> set[float]:
    """Return the numbers of small copies that stand in `arrays`."""
    copied = np.unique(np.concatenate([np.zeros(0), *small]))
    return {number for array in (arrays if copied.size else ()) for number in copied[np.isin(copied, array)]}


def _as_words(array: Array) -> Array:
    return array.view(f"u{array.itemsize}")


def _is_told(right: Array, numbers: Iterable[float]) -> bool:
    """Return whether an answer has fractions, and each of them is among the numbers."""
    with np.errstate(all="ignore"):  # infinite ones, and such as are too large for the answer's type
        fractions = np.unique(right[np.isfinite(right) & (right % 1 != 0)])
        return fractions.size >= _FEWEST_FRACTIONS and bool(
            np.isin(fractions, np.array([*numbers], float).astype(right.dtype)).all()
        )


def _expect_few_numbers(
    run: Watched, key: str, right: Array, chain: Sequence[Launched], known: Sequence[Array], note: Note
) -> None:
    """Fail if kernels are told so many numbers, or the device a few at a time, that these may be the answer.

    A TA is told of a short answer whose numbers all stand there.
    """
    copies = (array.ravel() for way, array in run.seen.copies if way == "to device" and array.size <= makers.SMALL)
    small = [array.view(array.real.dtype) for array in copies]  # of complex numbers both parts
    given = [array.ravel().view(array.real.dtype) for launch in chain for array in launch.before]
    as_words = map(_as_words, small), map(_as_words, given)  # a kernel may view memory, and NaN may carry data
    numbers = max(_find_copied(small, given), _find_copied(*as_words), key=len)
    sizes = {*range(2 * max((length for array in (*known, right) for length in array.shape), default=0) + 1)}
    told = [makers.find_told(launch, known) for launch in chain]
    numbers.update(*told)
    if right.dtype.kind == "f" and _is_told(right, numbers):
        note.flag(f"{run.subject}: `{chain[0].kernel}`, which writes {key}, is told the numbers of the answer")
    digits = sum(max(0, len(of_launch) - makers.SMALL) for of_launch in told)
    if len(numbers - sizes) + digits > max(makers.SMALL, right.size // _ENTRIES_OF_A_NUMBER):
        kernel, many = chain[0].kernel, len(numbers - sizes) + digits
        fail(
            f"{run.subject}: `{kernel}`, which writes {key}, is told {many} numbers one by one.",
            hint="Give the kernel the data as arrays, and let it compute.",
        )
