"""The checks on a student's own folder: what passed before and did not change is answered from the last run.

contents of the folder -> keys -> answers of the last run -> checks for all else -> report

Only what passed is kept, in a file of the folder, so that a failure is always looked at again. A key stands for
everything that an answer depends on: the code of the files that a check judges and of what they import, this kit,
Python, Numba, the device and the data. Comments and the layout of the code do not count. The course itself grades
without the file.
"""

import ast
import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import msgspec

from grader.assignment import has_learned
from grader.authoring import Options, Setup
from grader.authoring.session import observe
from grader.errors import GraderError
from grader.intake.archive import read_submission
from grader.intake.datasets import HOW_TO_GET_MNIST, describe_dataset
from grader.intake.disk import digest_of, write_atomically
from grader.kit.settings import KitSettings, with_imported
from grader.machine import choose_device, describe_versions
from grader.model import Evidence, Observation, Outcome, Report, Result, Run, Submission, is_named
from grader.scoring.score import score
from grader.worker.folders import temporary_folder
from grader.worker.process import PlainLauncher


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """What a student asked for."""

    folder: Path
    grading: Options = field(default_factory=Options)
    fresh: bool = False
    """Whether to run again what passed the last time."""
    get_mnist: str = HOW_TO_GET_MNIST
    """A sentence on how MNIST is to be had, for who checks without it."""


Announce = Callable[[Result, bool], None]
"""Told of each check that is decided, and whether it passed the last time and was not run again."""


class SelfCheck:
    """Runs checks on one folder, as often as asked, and keeps the results so far."""

    def __init__(
        self, settings: KitSettings, options: CheckOptions, announce: Announce = lambda _result, _remembered: None
    ) -> None:
        self._settings, self._options, self._announce = settings, options, announce
        self._asked, self._rubric = options.grading, settings.assignment.rubric
        self._device = choose_device(options.grading.device)[0]
        self._known: dict[str, Observation] = {}
        self._submission = Submission("", "")
        self._run = Run(self._device, "", "none", 0)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the checks that were asked for, in the rubric's order."""
        ids = [row.id for row in self._rubric.criteria]
        return tuple(check for check in ids if not self._asked.only or is_named(check, self._asked.only))

    def run(self, files: Iterable[str] | None = None) -> Report:
        """Run the chosen checks, or those of them that judge one of `files`, and return the report on all so far.

        Raises:
            UsageError: the folder or the data cannot be read.
            SubmissionRefused: the folder holds nothing to be checked.
            StaffError: the kit itself is broken.
        """
        with temporary_folder("check") as temporary:
            copies = temporary / "files"
            self._submission = read_submission(self._options.folder, copies, self._settings.assignment.files)
            contents = {file.name: (copies / file.name).read_bytes() for file in self._submission.files}
            chosen = list(self.chosen)
            if files is not None:
                saved, files_of = set(files), self._settings.files_of
                chosen = [check for check in chosen if saved.intersection(with_imported(files_of(check), contents))]
            self._run = self._describe(any(map(self._settings.learns_from_data, chosen)))
            keys = self._keys(contents)
            remembered = self._recall(chosen, keys)
            if due := [check for check in chosen if check not in remembered]:
                self._check(due, copies)
        report = self._report()
        keep_answers(self._options.folder, report.results, keys)
        return report

    def _describe(self, learns: bool) -> Run:
        """Return what is known of a run before any file of a data set is unpacked, while workers start."""
        name, note = describe_dataset(self._asked.data, self._options.get_mnist) if learns else (self._run.data, "")
        notes = (note,) if note else self._run.notes
        return Run(self._device, name, "none", self._asked.draw_seed(), versions=describe_versions(), notes=notes)

    def _keys(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        around = {
            **describe_versions(),
            "machine": platform.machine(),
            "device": self._device,
            "explain": str(self._asked.explain),
            "assignment": digest_of_code(self._settings.assignment.folder),
        }
        keys = {}
        # The names of the data files there are: enough to tell data sets apart without reading them.
        data = " ".join(sorted(path.name for path in self._asked.data.glob("*ubyte*"))) if self._asked.data else ""
        for row in self._rubric.criteria:
            files = with_imported(self._settings.files_of(row.id), contents)
            learns = {"data": data} if self._settings.learns_from_data(row.id) else {}
            keys[row.id] = make_key(files, contents, {**around, **learns, "check": row.id})
        return keys

    def _recall(self, chosen: Iterable[str], keys: Mapping[str, str]) -> set[str]:
        """Return, and announce, which of the `chosen` passed the last time and cannot have changed since.

        What is known of the others counts for the prediction, silently.
        """
        if self._options.fresh:
            return set()
        kept = read_answers(self._options.folder, keys)
        self._known.update(kept)
        report = self._report()
        remembered = [check for check in chosen if check in kept]
        for check in remembered:
            self._announce(_result(report, check), True)
        return set(remembered)

    def _check(self, ids: list[str], files: Path) -> None:
        judged = {name for check in ids for name in self._settings.files_of(check)}
        setup = Setup(
            assignment=self._settings.assignment,
            options=replace(self._asked, only=tuple(ids)),
            device=self._device,
            seed=self._run.seed,
            launcher=PlainLauncher(),
            starts_ahead=any(name.endswith(".py") for name in judged),
            has_baselines=False,
            take=self._take,
        )
        observe(setup, self._submission, files)

    def _take(self, observation: Observation) -> None:
        self._known[observation.check] = observation
        self._announce(_result(self._report(), observation.check), False)

    def _report(self) -> Report:
        observations = tuple(self._known.values())
        run = self._run if has_learned(self._settings.assignment.learns, observations) else replace(self._run, notes=())
        evidence = Evidence(self._submission, run, observations, assignment=self._settings.assignment.name)
        return score(evidence, self._rubric)


def _result(report: Report, check: str) -> Result:
    return next(result for result in report.results if result.criterion.id == check)


FILE = ".last-check.json"
_PACKAGE = Path(__file__).parents[1]


class _Answer(msgspec.Struct):
    key: str
    observation: Observation


def read_answers(folder: Path, keys: Mapping[str, str]) -> dict[str, Observation]:
    """Return the kept observations whose key is still the one in `keys`; a file that cannot be read holds none."""
    try:
        answers = msgspec.json.decode((folder / FILE).read_bytes(), type=dict[str, _Answer])
    except (OSError, msgspec.MsgspecError):
        return {}
    return {
        check: answer.observation
        for check, answer in answers.items()
        if keys.get(check) == answer.key and answer.observation.outcome is Outcome.PASSED
    }


def keep_answers(folder: Path, results: Iterable[Result], keys: Mapping[str, str]) -> None:
    """Keep what passed; a folder that cannot be written to only makes the next run slower."""
    answers = {
        result.criterion.id: _Answer(keys[result.criterion.id], result.observation)
        for result in results
        if result.outcome is Outcome.PASSED and result.criterion.id in keys
    }
    with suppress(GraderError):
        write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(answers), indent=1))


def make_key(files: Sequence[str], contents: Mapping[str, bytes], circumstances: Mapping[str, str]) -> str:
    """Return the SHA-256 of the code in `files`, of this kit and of the `circumstances`, as hexadecimal digits."""
    digest = hashlib.sha256(json.dumps(dict(circumstances), sort_keys=True).encode())
    digest.update(digest_of_code(_PACKAGE).encode())
    for name in files:
        digest.update(f"\0{name}\0{name in contents}\0".encode())
        digest.update(_meaning(name, contents.get(name, b"")))
    return digest.hexdigest()


def _meaning(name: str, data: bytes) -> bytes:
    """Return what of a file decides how it behaves: the syntax tree of Python, the bytes of everything else."""
    if not name.endswith(".py"):
        return data
    try:
        return ast.dump(ast.parse(data)).encode("utf-8", "backslashreplace")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return data


@cache
def digest_of_code(folder: Path) -> str:
    """Return a digest of a folder's code: another kit, or another assignment, may see other things."""
    return digest_of((path for path in folder.rglob("*") if path.suffix in {".py", ".toml"}), folder)
