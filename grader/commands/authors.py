"""Commands for authors of assignments: `grader new`, `selftest`, `handout` and `package`; and `doctor`, for a machine.

`grader new` knows three kinds of assignment; in the new files, the assignment's name replaces `tiny`:

functions   functions add two matrices, by loops and by a kernel
classes     a class adds up matrices, on the CPU and by a kernel
ranks       MPI ranks add up their arrays around a ring
"""

import argparse
import keyword
import re
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.assignment import ASSIGNMENTS, OUTSIDE, Assignment, load_assignment, outside_folder
from grader.commands import BELOW, OK, add_shared
from grader.errors import UsageError
from grader.grading import Options
from grader.kit.handout import make_handout
from grader.kit.parts import CUDA, HERE, PYTHONS, collect_finals, fetch_wheels, gather
from grader.kit.platforms import PLATFORMS, make_package
from grader.kit.settings import load_settings
from grader.sandbox import doctor
from grader.sandbox.levels import LIMITS
from grader.trial.selftest import reference_files, run_trials, try_kit


def _add_selftest(parser: argparse.ArgumentParser) -> None:
    parser.description = "Try reference, template, comparisons, mistakes, general cheats and the kit of an assignment."
    add_shared(parser, "assignment", "data", "device")


def _selftest(options: argparse.Namespace) -> int:
    problems = 0
    for trial in run_trials(load_assignment(options.assignment), Options(data=options.data, device=options.device)):
        problems += bool(trial.problem)
        detail = trial.problem or trial.note
        sys.stdout.write(f"{'WRONG' if trial.problem else 'ok   '}  {trial.what}\n")
        sys.stdout.write(f"       {detail}\n" if detail else "")
        sys.stdout.flush()
    sys.stdout.write(f"{problems} of the trials went wrong.\n" if problems else "Everything is as it has to be.\n")
    return BELOW if problems else OK


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write a small assignment, to be changed file by file; docs/assignment.md says how."
    parser.add_argument("name", help="lower-case letters and digits, such as axpy")
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what students write (default: %(default)s)")
    parser.add_argument(
        "--into", type=Path, metavar="DIR", help=f"the folder of assignments (default: {OUTSIDE}, or courses)"
    )


def _new(options: argparse.Namespace) -> int:
    folder = options.into or outside_folder() or Path("courses")
    for path in make_scaffold(options.name, folder, options.kind):
        sys.stdout.write(f"  {path}\n")
    sys.stdout.write(
        f"These grade as they are: make selftest ASSIGNMENTS={folder} ASSIGNMENT={options.name}\n"
        "Change one after the other; docs/assignment.md says what each is for.\n"
    )
    return OK


def _add_handout(parser: argparse.ArgumentParser) -> None:
    parser.description = "Pack the template and the student kit into one zip."
    add_shared(parser, *("assignment", "template", "out"), template="the students' files (default: the assignment's)")


def _handout(options: argparse.Namespace) -> int:
    settings = load_settings(load_assignment(options.assignment))
    template = options.template or settings.assignment.template
    sys.stderr.write("Trying the kit on template and reference first (half a minute) …\n")
    with tempfile.TemporaryDirectory(prefix="grader-handout-") as temporary:
        made = make_handout(settings, template, Path(temporary))
        try_kit(made, settings.assignment.name, reference_files(settings.assignment))
    made = make_handout(settings, template, options.out)
    for name in made.files:
        sys.stdout.write(f"  {name}\n")
    size_kb = made.path.stat().st_size / 1000
    sys.stdout.write(f"{made.path} is what students get: {size_kb:.0f} kB, the wheel in it {made.wheel.name}.\n")
    return OK


_FOR_GRADING = {"wheelhouse": False, "python": HERE, "cuda": "", "sandbox": "auto"}
"""Options with their defaults, for packages that grade."""


def _add_package(parser: argparse.ArgumentParser) -> None:
    parser.description = "Pack what a platform needs to grade an assignment; docs/platforms.md walks through each."
    add = parser.add_argument
    add("platform", choices=sorted(PLATFORMS), help="the platform")
    add_shared(
        parser,
        *("assignment", "out", "data", "sandbox"),
        out="it goes to DIR/<platform>/ (default: out)",
        data="folder with MNIST to pack, or `digits` for scikit-learn's (default: data, if MNIST is there)",
        sandbox="what confines submissions there (default: the strongest that works)",
    )
    add("--wheelhouse", action="store_true", help="pack all wheels: the platform needs no network to set up")
    add("--python", choices=PYTHONS, default=HERE, help=f"Python on the platform (default: {HERE}, as here)")
    add("--cuda", choices=CUDA, default="", help="what the driver of the GPU there runs (default: no GPU)")
    add("--final", type=Path, metavar="BATCH", help="show the results of this batch instead of grading its files")


def _package(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    _expect_possible(options)
    parts = gather(assignment, data=options.data, sandbox=options.sandbox, python=options.python, cuda=options.cuda)
    if options.final is not None:
        parts = replace(parts, finals=_finals(options, assignment))
    out = options.out / options.platform
    try:
        with tempfile.TemporaryDirectory(prefix="grader-wheels-") as temporary:
            if options.wheelhouse:
                sys.stderr.write(f"Fetching the wheels for Python {options.python} …\n")
                fetch_wheels(parts, Path(temporary))
                parts = replace(parts, wheelhouse=Path(temporary))
            made = make_package(options.platform, parts, out)
    except OSError as error:
        raise UsageError(
            f"the package cannot be written to {out} ({error.strerror}): choose another folder with --out"
        ) from error
    learns = ""
    if assignment.learns and PLATFORMS[options.platform].grades:
        learns = f" The network learns {'MNIST' if parts.data else 'the digits'}."
    sys.stdout.write(f"{made} is the package of {assignment.name} for {options.platform}.{learns}\n")
    sys.stdout.write(f"  {PLATFORMS[options.platform].next_step}\n")
    return OK


def _expect_possible(options: argparse.Namespace) -> None:
    """Refuse options that the platform cannot use."""
    made = PLATFORMS[options.platform]
    chosen = [name for name, default in _FOR_GRADING.items() if getattr(options, name) != default]
    if chosen and not made.grades:
        raise UsageError(f"{options.platform} grades nothing, and sets itself up by network: leave out --{chosen[0]}")
    if options.final is not None and not made.shows_finals:
        raise UsageError(
            f"{options.platform} shows no results of a batch: leave out --final, and upload the batch's sheets there"
        )


def _finals(options: argparse.Namespace, assignment: Assignment) -> Mapping[str, bytes]:
    if options.sandbox == LIMITS:
        raise UsageError(f"--final needs a sandbox: with --sandbox={LIMITS}, a student's code can read all results")
    finals, left_out = collect_finals(options.final, assignment)
    sys.stdout.write("".join(f"{line}\n" for line in left_out))
    return finals


TEMPLATES = Path(__file__).parents[1] / "trial/templates"
KINDS = ("functions", "classes", "ranks")
_NAME = re.compile(r"[a-z][a-z0-9]*")
_TINY = re.compile(r"\btiny\b|(?<=test_)tiny\b")


def make_scaffold(name: str, folder: Path, kind: str = KINDS[0]) -> list[Path]:
    """Write the files of a new assignment to `folder`/`name`, which must not exist, and return their paths.

    `kind` is one of `KINDS`.

    Raises:
        UsageError: the name is not allowed or is taken already, or the folder cannot be written to.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} cannot be an assignment's name: use lower-case letters and digits, a letter first")
    for taken in (ASSIGNMENTS / name, folder / name):
        if taken.exists():
            raise UsageError(f"there is {taken} already: choose another name than {name}")
    made, templates = [], TEMPLATES / kind
    try:
        for path in sorted(path for path in templates.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            target = folder / name / _TINY.sub(name, path.relative_to(templates).as_posix())
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_TINY.sub(name, path.read_text("utf-8")), "utf-8")
            made.append(target)
    except OSError as error:
        raise UsageError(
            f"{folder / name} cannot be written ({error.strerror}): name another folder with --into"
        ) from error
    return made


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.description = "Examine this machine."
    add_shared(parser, "data")
    what = "an unpacked package: only what grading with it uses"
    parser.add_argument("--package", type=Path, metavar="DIR", help=what)


def _doctor(options: argparse.Namespace) -> int:
    if options.package is None:
        items = doctor.examine(options.data)
    else:
        from grader.kit.inside import find_data, read_settings  # noqa: PLC0415 - loads all that grades

        assignment = load_assignment(read_settings(options.package).assignment)
        items = doctor.examine_package(find_data(options.package), learns=bool(assignment.learns))
    sys.stdout.write(doctor.render(items))
    return OK if doctor.is_able(items) else BELOW
