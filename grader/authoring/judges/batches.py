"""Batches of samples: whether a function cuts data and labels alike, and loses none."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Array, Finding, Foreign, Note, Student, StudentFault, expect, fail, hinted
from grader.authoring.comparison import as_array, describe
from grader.authoring.judges.weights import expect_items, shorten

SIZES = ((10, 3), (12, 4), (5, 8), (7, 1), (1, 1), (101, 16))
"""How many samples there are, and how many a batch has to hold."""


class _LastBatchMissing(StudentFault):
    """Nothing is wrong with the batches but that the last, smaller one is missing."""


def expect_batches(
    student: Student,
    call: tuple[str, str],
    rng: np.random.Generator,
    note: Note,
    *,
    share: float,
    unpacking: tuple[str, str] | None = None,
) -> None:
    """Fail unless a function cuts data and labels into batches, the last one with what is left; flag another order.

    The function gets data, labels and the size of a batch; samples are rows of random numbers, found again wherever
    they went. Where nothing is wrong but that the last, smaller batch is missing, `share` of the points is given.
    `unpacking` names a function of the staff's that returns the same batches as tuples: objects of a student's class
    that can be unpacked do not leave the worker.
    """
    ask = partial(_ask, student, call, unpacking)
    missing: list[StudentFault] = []
    for sizes in SIZES:
        for one_hot in (True, False):
            try:
                _expect_cut(ask, call[1], sizes, rng, note, one_hot=one_hot)
            except _LastBatchMissing as fault:
                missing.append(fault)
    if missing:
        note.credit(share, "all batches but the last are as they have to be")
        raise missing[0]


def _ask(student: Student, call: tuple[str, str], unpacking: tuple[str, str] | None, args: tuple[Any, ...]) -> Any:
    batches = student.run(*call, args).value
    if unpacking and isinstance(batches, list | tuple) and any(isinstance(batch, Foreign) for batch in batches):
        return student.run(*unpacking, args).value
    return batches


def _expect_cut(
    ask: Callable[[tuple[Any, ...]], Any],
    function: str,
    sizes: tuple[int, int],
    rng: np.random.Generator,
    note: Note,
    *,
    one_hot: bool,
) -> None:
    """Judge one call; `one_hot` says whether labels are rows with a one, or numbers."""
    samples, batch_size = sizes
    data = rng.permutation(samples * 4).reshape(samples, 4) / 8
    labels = np.eye(10)[rng.integers(0, 10, samples)] if one_hot else rng.permutation(samples)
    kind = "one-hot" if one_hot else "plain"
    what = f"`{function}` of {samples} samples and {kind} labels in batches of {batch_size}"
    batches = [_pair(what, batch) for batch in expect_items(what, ask((data, labels, batch_size)))]
    lengths = [len(part) for part, _ in batches]
    full, rest = divmod(samples, batch_size)
    right = [batch_size] * full + ([rest] if rest else [])
    hint = _explain_sizes(lengths, right, batch_size)
    wrong_sizes = Finding(f"{what}: the batches have the wrong sizes.", str(right), str(shorten(lengths)), hint)
    lacks_last = bool(rest) and lengths == right[:-1]
    if not batches and lacks_last:
        raise _LastBatchMissing(wrong_sizes)
    if lengths != right and not lacks_last:
        raise StudentFault(wrong_sizes)
    for part, part_labels in batches:
        if part.shape[1:] != data.shape[1:] or part_labels.shape[1:] != labels.shape[1:]:
            shapes = f"{part.shape} and {part_labels.shape}"
            fail(f"{what}: a batch has the wrong shape.", expected="rows as they came in", got=shapes)
    got_data, got_labels = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    order = [int(np.argmin(np.abs(data - row).sum(axis=1))) for row in got_data]
    whole = data[sorted(set(order))] if lacks_last else data
    expect(f"{what}: the array of data", got_data[np.argsort(order, kind="stable")], whole)
    with hinted("Some labels belong to other samples: data and labels must be cut and ordered alike.", always=True):
        expect(f"{what}: the array of labels", got_labels, labels[order])
    if lacks_last:
        raise _LastBatchMissing(wrong_sizes)
    if order != sorted(order) and not note.flags:
        note.flag(f"{function} changes the order of the samples; the sheet does not ask for it, nor forbid it")


def _explain_sizes(lengths: list[int], right: list[int], batch_size: int) -> str:
    """Return which kind of mistake the sizes of batches show."""
    if lengths == right[:-1]:
        return "The last, smaller batch is missing."
    if sum(lengths) != sum(right):
        return f"Together they hold {sum(lengths)} samples, and there are {sum(right)}."
    if len(lengths) == batch_size:
        return f"{batch_size} is how many samples a batch holds, not how many batches there are."
    return f"Each holds {batch_size} samples; only the last one may be smaller."


def _pair(call: str, batch: Any) -> tuple[Array, Array]:
    """Return a batch as data and labels, or fail."""
    is_pair = isinstance(batch, list | tuple) and len(batch) == 2  # noqa: PLR2004 - data and labels
    arrays = [as_array(part) for part in batch] if is_pair else []
    good = [array for array in arrays if isinstance(array, np.ndarray) and array.ndim]
    if len(good) != 2 or len(good[0]) != len(good[1]):  # noqa: PLR2004 - data and labels
        fail(
            f"{call}: a batch is not a pair (data, labels) of equal length.",
            got=describe(batch),
            hint="`data, labels = batch` must work, with one label for each sample.",
        )
    return good[0], good[1]
