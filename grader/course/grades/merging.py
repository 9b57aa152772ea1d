"""Merges a platform's provisional gradings and a batch that was graded on a GPU into a new batch.

The two gradings of a hand-in become one:

    the second grading           the first grading    joined
    decided                      same, or undecided   the second's
    grader failed, or not run    decided              the first's
    left to a TA                 anything             the second's
    passed                       failed               undecided: a TA looks, because one of the gradings is wrong
    failed                       passed               the same

Passed and failed count as decided. Flags of both stay: some races show only on the CPU, some only on a GPU.

These files may contain gradings:

    the platform's own file    in its export, zipped or not, such as Gradescope's submission_metadata.yml
    *.json                     results of the autograder, one or several in a file
    evidence.json              the grader's own file

If the platform's own file exists, nothing else is read, because all other files of an export belong to students. Only
strings under the key `grader_record` of a parsed document count. So a student's text that looks like such a key and
value does not count.
"""

import json
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from grader.course.grades.graded import load_batch
from grader.course.grades.rescoring import copy_truth
from grader.course.model import PROVISIONAL_FILE, Store
from grader.course.platforms import PLATFORMS
from grader.errors import StaffError, UsageError
from grader.intake.archive import ZIP_ERRORS
from grader.intake.disk import write_atomically
from grader.model import Evidence, Finding, Observation, Outcome, printable
from grader.reports.files import EVIDENCE_FILE, KEY, decode, encode, read_record

_DECIDED = {Outcome.PASSED, Outcome.FAILED}
_UNKNOWN = {Outcome.ERROR, Outcome.NOT_MEASURED, Outcome.SKIPPED}
"""Outcomes that say nothing about the submission. After `INCONCLUSIVE` a TA decides, so it is not among them."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The new batch, and which of its hand-ins were joined with a record."""

    store: Store
    joined: tuple[str, ...]
    alone: tuple[str, ...]  # hand-ins without a record of the same files; they keep the batch's grading
    contradicted: Mapping[str, tuple[str, ...]]
    """Key of a joined hand-in -> checks that passed in one grading and failed in the other."""
    unused: int  # number of records whose files are in no graded hand-in of the batch, such as earlier submissions


def merge(batch: Store, records: Iterable[Evidence], target: Path) -> Merged:
    """Write `batch`, joined with `records` of the same files, into the new folder `target`, without sheets.

    If several records have the same files, the last counts. `batch` is not changed.

    Raises:
        UsageError: `batch` is no batch, a record is of another assignment, or `target` is not empty.
        GraderError: the disk refuses; then `target` is removed.
    """
    known = {record.submission.contents: record for record in records if record.submission.files}
    finals = {graded.handin.key: graded.evidence for graded in load_batch(batch).graded}
    files = {key: final.submission.contents for key, final in finals.items()}
    pairs = {key: (finals[key], known[files[key]]) for key in finals if files[key] in known}
    joined = {key: encode(join(final, record)) for key, (final, record) in pairs.items()}
    store = copy_truth(batch, target)
    try:
        for key, (_final, record) in pairs.items():
            write_atomically(store.folder(key) / PROVISIONAL_FILE, encode(record))
            write_atomically(store.evidence(key), joined[key])
    except BaseException:  # a partly joined batch would look like a complete one
        shutil.rmtree(target, ignore_errors=True)
        raise
    return Merged(
        store,
        joined=tuple(pairs),
        alone=tuple(key for key in finals if key not in pairs),
        contradicted={key: checks for key, pair in pairs.items() if (checks := contradictions(*pair))},
        unused=len(known.keys() - set(files.values())),
    )


def join(final: Evidence, provisional: Evidence) -> Evidence:
    """Return `final` joined with `provisional` by the first table above; `UsageError` if files or homework differ."""
    if final.assignment != provisional.assignment:
        raise UsageError(
            f"one grading is of {final.assignment}, and the other of {provisional.assignment}: name the right files"
        )
    if not final.submission.files or final.submission.contents != provisional.submission.contents:
        raise UsageError("the two gradings are not of the same files")
    first, second = provisional.by_check, final.by_check
    joined = tuple(_join(second.get(check), first.get(check)) for check in {**second, **first})
    run = provisional.run
    note = f"Joined with the provisional grading: device {run.device}, sandbox {run.sandbox}, seed {run.seed}."
    return replace(final, observations=joined, run=replace(final.run, notes=(*final.run.notes, note)))


def contradictions(final: Evidence, provisional: Evidence) -> tuple[str, ...]:
    """Return the checks that passed in one of the two gradings, and failed in the other."""
    first = provisional.by_check
    return tuple(check for check, second in final.by_check.items() if _contradicts(second, first.get(check)))


def _contradicts(second: Observation, first: Observation | None) -> bool:
    return first is not None and {second.outcome, first.outcome} == _DECIDED


def _join(second: Observation | None, first: Observation | None) -> Observation:
    if first is None or second is None:
        return first or second  # type: ignore[return-value] # a check that neither saw is in no table
    flags = tuple(dict.fromkeys((*second.flags, *first.flags)))
    if _contradicts(second, first):
        failed = first if first.outcome is Outcome.FAILED else second
        message = failed.finding.message if failed.finding else ""
        text = f"It {first.outcome} on the platform, and {second.outcome} in the second grading. {message}".strip()
        finding = Finding(text, hint="No point is lost yet: a TA looks at both.")
        return replace(second, flags=flags, outcome=Outcome.INCONCLUSIVE, share=0.0, finding=finding)
    takes_first = second.outcome in _UNKNOWN and first.outcome in _DECIDED
    return replace(first if takes_first else second, flags=flags)


_EXPORTS = {platform.export: platform for platform in PLATFORMS.values() if platform.export}
_ENDINGS = {".json", *(PurePath(export).suffix for export in _EXPORTS)}
_PROBLEM_LIMIT = 200


def find_records(source: Path) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Return the gradings in a file, folder or zip, and a sentence for each problem; `UsageError` if there are none."""
    records: list[Evidence] = []
    problems: list[str] = []
    try:
        for name, raw in _documents(source):
            with _noting(name, problems):
                for place, text in _texts(name, raw):
                    with _noting(place, problems):  # the records behind a damaged one count
                        records.append(decode(text) if isinstance(text, bytes) else read_record(text))
    except (*ZIP_ERRORS, RuntimeError, NotImplementedError) as error:  # RuntimeError: encrypted
        raise UsageError(f"{source} cannot be read ({error}): name what the platform exported") from error
    if not records:
        why = f" ({problems[0]})" if problems else ""
        raise UsageError(f"{source} holds no record of a grading{why}: name the platform's export, with its results")
    return tuple(records), tuple(problems)


def _documents(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each file in `source` that may contain gradings."""
    if source.is_dir():
        files = (path for path in source.rglob("*") if path.suffix in _ENDINGS and path.is_file())
        for name in _choose(path.relative_to(source).as_posix() for path in files):
            yield name, (source / name).read_bytes()
    elif zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            yield from ((name, archive.read(name)) for name in _choose(archive.namelist()))
    else:
        yield source.name, source.read_bytes()


def _choose(names: Iterable[str]) -> list[str]:
    """Return the names of JSON and YAML files; if there are platforms' own exports, only the outermost of these."""
    documents = sorted(name for name in names if PurePath(name).suffix in _ENDINGS)
    exports = [name for name in documents if PurePath(name).name in _EXPORTS]
    depth = min((name.count("/") for name in exports), default=0)
    return [name for name in exports if name.count("/") == depth] or documents


@contextmanager
def _noting(place: str, problems: list[str]) -> Iterator[None]:
    try:
        yield
    except (StaffError, ValueError, RecursionError) as error:
        problems.append(printable(f"{place}: {error}", _PROBLEM_LIMIT))


def _texts(name: str, raw: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Yield each grading in a file, as evidence or as the text of a record, after the place where it stands."""
    path = PurePath(name)
    if path.name == EVIDENCE_FILE:
        yield name, raw
    else:
        written = [platform for export, platform in _EXPORTS.items() if PurePath(export).suffix == path.suffix]
        yield from _marked_texts(written[0].parse(raw) if written else json.loads(raw), name, set())


def _marked_texts(document: Any, place: str, visited: set[int]) -> Iterator[tuple[str, str]]:
    """Yield the strings under `KEY` anywhere in `document`, which may contain itself, each after its place."""
    if not isinstance(document, dict | list) or id(document) in visited:
        return
    visited.add(id(document))
    for name, value in document.items() if isinstance(document, dict) else enumerate(document):
        if name == KEY and isinstance(value, str):
            yield place, value
        yield from _marked_texts(value, f"{place}, {name}", visited)
