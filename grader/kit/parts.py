"""The files that every package has, for all platforms.

<wheel>            the whole grader with one assignment; no other assignment, and no reference
constraints.txt    the versions of all projects that are installed here, for pip
settings.json      the assignment, and the level of the sandbox
install.sh         sets up a virtual environment from these files: `sh install.sh /opt/grader`
wheelhouse/        optional: all wheels that are needed, so that the setup needs no network
final/             optional: the results of a batch, found by the submitted files; the platform shows them, and grades
                   only files that the batch does not have, such as a later submission
data/              optional: MNIST; without it the network learns scikit-learn's digits
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

from grader.assignment import Assignment
from grader.course.grades.graded import load_batch
from grader.course.model import Store
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.intake.datasets import load_dataset, mnist_files
from grader.kit.handout import PACKAGE, PROJECT, Wheel, build_wheel, list_needs, render_text, written, written_below
from grader.kit.settings import load_settings
from grader.model import Submission, printable
from grader.reports.gradescope import render

TEMPLATES = Path(__file__).parent / "templates"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")  # versions of Python for which packages can be made
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
CUDA = ("12", "13")  # releases of CUDA for whose drivers there are wheels
_PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_27_x86_64", "manylinux_2_28_x86_64")
"""Tags of wheels that run on any Linux since 2018; all are listed, because pip derives no tag from another."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a package."""

    assignment: Assignment
    wheel: Wheel
    constraints: str  # lines `project==version`
    data: tuple[Path, ...] = ()  # MNIST's files; empty for the digits, which come with scikit-learn
    wheelhouse: Path | None = None  # a folder of wheels; None if they are fetched during the setup
    sandbox: str = "auto"  # one of `grader.sandbox.levels.WANTED`
    python: str = HERE  # version of Python for packed wheels; without them, the one that the setup tries first
    finals: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # results by file name, of `collect_finals`


def gather(
    assignment: Assignment, *, data: Path | None = None, sandbox: str = "auto", python: str = HERE, cuda: str = ""
) -> Parts:
    """Return the parts of a package for `assignment`, without wheels of other projects; see `fetch_wheels`.

    `data` is a folder that may contain MNIST; `cuda` is one of `CUDA`, or empty for no GPU.

    Raises:
        StaffError: the assignment's `kit.toml` is wrong.
        UsageError: `python` is not in `PYTHONS`; or MNIST is damaged or incomplete.
    """
    if python not in PYTHONS:
        raise UsageError(f"there is no package for Python {python}: name one of {', '.join(PYTHONS)}")
    chosen = mnist_files(data) if data is not None and assignment.learns else []
    if chosen:
        load_dataset(data)  # a damaged or missing file is reported here, and not later on the platform
    there = {each.metadata["Name"]: each.version for each in metadata.distributions() if each.metadata["Name"]}
    versions = "".join(f"{name}=={there[name]}\n" for name in sorted(there, key=str.lower) if name != PROJECT)
    return Parts(assignment, make_wheel(assignment, cuda), versions, tuple(chosen), sandbox=sandbox, python=python)


def make_wheel(assignment: Assignment, cuda: str = "") -> Wheel:
    """Return the wheel of the whole grader with one assignment; its command is `grader`.

    It requires the projects of the grader, of this assignment and, with `cuda`, for a GPU.
    """
    asked = list(list_needs())
    by_name = {need.name.lower(): str(need) for extra, need in asked if extra}
    needs = [str(need) for extra, need in asked if not extra]
    needs += [by_name.get(name, name) for name in load_settings(assignment).needs]
    needs += [str(need) for extra, need in asked if cuda and extra == f"gpu{cuda}"]
    files = {f"grader/{name}": path.read_bytes() for name, path in _own_files(assignment)}
    summary = f"Grades {assignment.name}"
    return build_wheel(PROJECT.replace("-", "_"), summary, needs, files, {"grader": "grader.__main__:main"})


def fetch_wheels(parts: Parts, folder: Path) -> None:
    """Fetch all wheels that `parts` need into `folder`, and that of pip, for x86-64 Linux and `parts.python`.

    Raises:
        UsageError: pip fails, for example because a wheel does not exist or there is no network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wheel, constraints = folder / parts.wheel.name, folder / "constraints.txt"
    wheel.write_bytes(parts.wheel.data)
    constraints.write_text(parts.constraints, "utf-8")
    tags = chain.from_iterable(("--platform", tag) for tag in _PLATFORMS)
    target = ["--only-binary=:all:", "--python-version", parts.python, *tags]
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", *target]
    done = subprocess.run(  # noqa: S603 - pip, with arguments of ours
        [*command, "--constraint", str(constraints), "--dest", str(folder), str(wheel), "pip"],
        capture_output=True,
        text=True,
        check=False,
    )
    wheel.unlink()
    constraints.unlink()
    if done.returncode:
        problem = next((line for line in done.stderr.splitlines() if line.startswith("ERROR: ")), "pip says nothing")
        raise UsageError(
            f"the wheels for Python {parts.python} could not be fetched ({problem}): "
            "try again, or leave out --wheelhouse"
        )


def write_parts(folder: Path, parts: Parts) -> None:
    """Write the files that every package has into `folder`."""
    write(folder / parts.wheel.name, parts.wheel.data)
    write(folder / "constraints.txt", parts.constraints.encode())
    settings = {"assignment": parts.assignment.name, "sandbox": parts.sandbox}
    write(folder / "settings.json", (json.dumps(settings) + "\n").encode())
    write_templates(folder, "shared", parts)
    for name, content in parts.finals.items():
        write(folder / FINALS / name, content)
    for path in parts.data:
        write(folder / "data" / path.name, path.read_bytes())
    if parts.wheelhouse is not None:
        shutil.copytree(parts.wheelhouse, folder / "wheelhouse")


def write_templates(folder: Path, platform: str, parts: Parts, more: Mapping[str, object] | None = None) -> None:
    """Write the texts of `templates/<platform>/` into `folder`; files that begin with `#!` become executable.

    They may use the names in `context` below; `versions` are those of Python, separated by spaces.
    """
    offline = parts.wheelhouse is not None
    context = {
        "assignment": parts.assignment,
        "wheel": parts.wheel.name,
        "versions": " ".join([parts.python] if offline else dict.fromkeys([parts.python, *PYTHONS])),
        "python": parts.python,
        "offline": offline,
        **(more or {}),
    }
    for path in written_below(TEMPLATES / platform):
        write(folder / path.relative_to(TEMPLATES / platform), render_text(path, context))


def write(path: Path, content: bytes) -> None:
    """Write a file of a package and make the folders above it; a file that begins with `#!` becomes executable."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755 if content.startswith(b"#!") else 0o644)


def _own_files(assignment: Assignment) -> Iterator[tuple[str, Path]]:
    """Yield name in the package and path of each file of the grader; of the assignments, only this one is included."""
    rooms = PACKAGE / "assignments"
    for path in written_below(PACKAGE):
        if path.parent == rooms or not path.is_relative_to(rooms):
            yield path.relative_to(PACKAGE).as_posix(), path
    for path in written(assignment.own_files()):
        yield f"assignments/{assignment.name}/{path.relative_to(assignment.folder).as_posix()}", path


FINALS = "final"


def collect_finals(batch: Path, assignment: Assignment) -> tuple[Mapping[str, bytes], tuple[str, ...]]:
    """Return file name -> `results.json` for the submissions of a batch, and sentences about students who are left out.

    Students who handed in the same files are left out if their results differ: results are found by the files alone.
    Raises as `load_batch`, and `UsageError` if it is a batch of another assignment.
    """
    results = load_batch(Store(batch))
    if results.rubric.assignment != assignment.name:
        raise UsageError(f"{batch} is a batch of {results.rubric.assignment}, not of {assignment.name}: name another")
    owners: dict[str, dict[bytes, list[str]]] = {}
    """File name -> each result for these files -> the students who got it."""
    for graded in results.graded:
        name = _name(graded.evidence.submission) if graded.evidence.submission.files else ""
        for student in graded.handin.students:
            rendered = render(replace(graded.reports[student.id], students=())).encode()
            owners.setdefault(name, {}).setdefault(rendered, []).append(printable(student.label))
    unopened = owners.pop("", {})
    waiting = [printable(student.label) for handin in results.waiting for student in handin.students]
    damaged = [printable(student.label) for handin, _why in results.damaged for student in handin.students]
    finals = {name: next(iter(by_result)) for name, by_result in owners.items() if len(by_result) == 1}
    divided = [who for name, by_result in owners.items() if name not in finals for who in by_result.values()]
    left_out = {
        "nothing was opened": chain(*unopened.values()),
        "others got another result for the same files": chain(*divided),
        "they are not graded yet": waiting,
        "what was observed of them cannot be read": damaged,
    }
    named = {why: people for why, students in left_out.items() if (people := ", ".join(students))}
    return finals, tuple(f"Not in the package, because {why}: {who}. Enter them by hand." for why, who in named.items())


def find_final(package: Path, upload: Path, assignment: Assignment) -> dict[str, Any] | None:
    """Return the final result for the files in `upload`; None if the unpacked `package` has no result for them."""
    if not (package / FINALS).is_dir():
        return None
    with tempfile.TemporaryDirectory(prefix="grader-final-") as temporary:
        try:
            submission = read_submission(upload, Path(temporary, "files"), assignment.files)
        except SubmissionRefused:
            return None
    file = package / FINALS / _name(submission)
    return dict(json.loads(file.read_bytes())) if file.is_file() else None


def _name(submission: Submission) -> str:
    return f"{hashlib.sha256(json.dumps(submission.contents).encode()).hexdigest()}.json"
