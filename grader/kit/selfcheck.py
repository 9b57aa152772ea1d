"""Runs the checks on a student's own folder; a check that passed is not run again if nothing has changed since.

contents of the folder -> keys -> kept answers of the last run -> run all other checks -> report

Only passed checks are kept, in a file in the folder; failed checks always run again. A check's key is a digest of
everything that its answer depends on: the code of the files that the check judges and of files that they import, this
kit, Python, Numba, the device, and the names of the data files. Comments and code layout do not count. The course's own
grading does not use this file.
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
    """The options of a student's check."""

    folder: Path
    grading: Options = field(default_factory=Options)
    fresh: bool = False  # whether to run checks again that passed the last time
    get_mnist: str = HOW_TO_GET_MNIST  # a sentence about how to get MNIST, for students who check without it


Announce = Callable[[Result, bool], None]  # for each decided check; True: it passed last time and was not run again


class SelfCheck:
    """Runs checks on one folder, once or several times, and keeps the results so far."""

    def __init__(
        self,
        settings: KitSettings,
        options: CheckOptions,
        announce: Announce = lambda _result, _remembered: None,
        begin: Callable[[str], None] = lambda _check: None,
    ) -> None:
        self._settings, self._options, self._announce, self._begin = settings, options, announce, begin
        self._asked, self._rubric = options.grading, settings.assignment.rubric
        self._device = choose_device(options.grading.device)[0]
        self._known: dict[str, Observation] = {}
        self._last_keys: Mapping[str, str] = {}
        self._submission = Submission("", "")
        self._run = Run(self._device, "", "none", 0)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the requested checks, in the rubric's order."""
        ids = [row.id for row in self._rubric.criteria]
        return tuple(check for check in ids if not self._asked.only or is_named(check, self._asked.only))

    def run(self, files: Iterable[str] | None = None) -> Report:
        """Run the chosen checks, or only those of them that judge one of `files`; return the report on all so far.

        Raises:
            UsageError: the folder or the data cannot be read.
            SubmissionRefused: the folder has no file to check.
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
            name, note = self._run.data, ""
            if any(map(self._settings.learns_from_data, chosen)):  # no file is unpacked: workers can start early
                name, note = describe_dataset(self._asked.data, self._options.get_mnist)
            notes, seed = (note,) if note else self._run.notes, self._asked.draw_seed()
            self._run = Run(self._device, name, "none", seed, versions=describe_versions(), notes=notes)
            keys = self._keys(contents)
            same = {check for check, key in keys.items() if self._last_keys.get(check) == key}
            self._known = {check: seen for check, seen in self._known.items() if check in same}
            self._last_keys = keys
            remembered = self._recall(chosen, keys)
            if due := [check for check in chosen if check not in remembered]:
                self._check(due, copies)
        report = self._report()
        keep_answers(self._options.folder, report.results, keys)
        return report

    def _keys(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        around = {
            **describe_versions(),
            "machine": platform.machine(),
            "device": self._device,
            "explain": str(self._asked.explain),
            "assignment": digest_of_code(self._settings.assignment.folder),
        }
        keys = {}
        # The names of the data files are enough to distinguish data sets; the files need not be read.
        data = " ".join(sorted(path.name for path in self._asked.data.glob("*ubyte*"))) if self._asked.data else ""
        for row in self._rubric.criteria:
            files = with_imported(self._settings.files_of(row.id), contents)
            learns = {"data": data} if self._settings.learns_from_data(row.id) else {}
            keys[row.id] = make_key(files, contents, {**around, **learns, "check": row.id})
        return keys

    def _recall(self, chosen: Iterable[str], keys: Mapping[str, str]) -> set[str]:
        """Return, and announce, the checks in `chosen` that passed the last time with the same key.

        Kept answers of other checks are not announced, but they count for the prediction.
        """
        if self._options.fresh:
            return set()
        kept = read_answers(self._options.folder, keys)
        self._known.update(kept)
        report, remembered = self._report(), [check for check in chosen if check in kept]
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
            progress=self._begin,
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
    """Return the kept observations whose key is the same in `keys`; empty if the file cannot be read."""
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
    """Write the passed checks to the file; if that fails, the next run is only slower."""
    answers = {
        result.criterion.id: _Answer(keys[result.criterion.id], result.observation)
        for result in results
        if result.outcome is Outcome.PASSED and result.criterion.id in keys
    }
    with suppress(GraderError):
        write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(answers), indent=1))


def make_key(files: Sequence[str], contents: Mapping[str, bytes], circumstances: Mapping[str, str]) -> str:
    """Return the SHA-256 of the code in `files`, of this kit and of the `circumstances`, in hexadecimal."""
    digest = hashlib.sha256(json.dumps(dict(circumstances), sort_keys=True).encode())
    digest.update(digest_of_code(_PACKAGE).encode())
    for name in files:
        digest.update(f"\0{name}\0{name in contents}\0".encode())
        digest.update(_meaning(name, contents.get(name, b"")))
    return digest.hexdigest()


def _meaning(name: str, data: bytes) -> bytes:
    """Return the part of a file that decides its behaviour: the syntax tree of Python, all bytes of other files."""
    if not name.endswith(".py"):
        return data
    try:
        return ast.dump(ast.parse(data)).encode("utf-8", "backslashreplace")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return data


@cache
def digest_of_code(folder: Path) -> str:
    """Return a digest of a folder's code, because another version of kit or assignment may give other answers."""
    return digest_of((path for path in folder.rglob("*") if path.suffix in {".py", ".toml"}), folder)
