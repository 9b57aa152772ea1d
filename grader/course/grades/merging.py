"""A platform's provisional gradings and a batch that was graded where there is a GPU, as one batch of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.course.grades.graded import load_batch
from grader.course.grades.rescoring import copy_truth
from grader.course.store import Store
from grader.model import Evidence
from grader.reports import write_atomically
from grader.reports.evidence import encode
from grader.scoring.joining import contradictions, join

PROVISIONAL = "provisional.json"
"""What the platform observed, beside the joined `evidence.json`."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The new batch, and the keys of its hand-ins by what became of them."""

    store: Store
    joined: tuple[str, ...]
    alone: tuple[str, ...]
    """Hand-ins that no record has the files of; the batch's own grading stands."""
    contradicted: Mapping[str, tuple[str, ...]]
    """Joined ones where checks passed in one grading and failed in the other, and those checks."""
    unused: int
    """Records whose files nobody handed in to the batch, such as those of earlier submissions."""


def merge(batch: Store, records: Iterable[Evidence], target: Path) -> Merged:
    """Write `batch`, joined with `records` of the same files, into the new folder `target`; sheets are not written.

    Args:
        batch: Graded where there is a GPU; it stays as it is.
        records: What the platform observed. Of several of the same files, the last counts.
        target: A folder that is not there yet, or is empty.

    Raises:
        UsageError: `batch` is none, a record is another assignment's, or `target` is not empty.
        GraderError: the disk refuses; then `target` is removed.
    """
    known = {record.submission.contents: record for record in records if record.submission.files}
    finals = {one.handin.key: one.evidence for one in load_batch(batch).graded}
    files = {key: final.submission.contents for key, final in finals.items()}
    pairs = {key: (finals[key], known[files[key]]) for key in finals if files[key] in known}
    joined = {key: encode(join(final, record)) for key, (final, record) in pairs.items()}
    store = copy_truth(batch, target)
    try:
        for key, (_final, record) in pairs.items():
            write_atomically(store.folder(key) / PROVISIONAL, encode(record))
            write_atomically(store.evidence(key), joined[key])
    except BaseException:  # a batch that is joined in part would pass for the final one
        shutil.rmtree(target, ignore_errors=True)
        raise
    return Merged(
        store,
        joined=tuple(pairs),
        alone=tuple(key for key in finals if key not in pairs),
        contradicted={key: found for key, pair in pairs.items() if (found := contradictions(*pair))},
        unused=len(known.keys() - set(files.values())),
    )
