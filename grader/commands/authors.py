"""What authors of an assignment do: `grader new`, `selftest` and `handout`.

A new one is of one of several kinds, and its name takes the place of `tiny` everywhere:

functions   two matrices are added, by loops and by a kernel
classes     a class adds up matrices, on the CPU and by a kernel
ranks       MPI ranks add up their arrays round a ring
"""

import argparse
import re
import sys
import tempfile
from pathlib import Path

from grader.assignment import ASSIGNMENTS, OUTSIDE, load_assignment, outside_folder
from grader.commands import BELOW, OK, add_shared
from grader.errors import UsageError
from grader.grading import Options
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings
from grader.trial.selftest import reference_files, run_trials, try_kit


def add_selftest(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Try reference, template, comparisons, mistakes, general cheats and the kit of an assignment."
    add_shared(parser, "assignment", "data", "device")
    parser.set_defaults(command=_selftest)


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


def add_new(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Write a small assignment, to be changed file by file; docs/assignment.md says how."
    parser.add_argument("name", help="lower-case letters and digits, such as axpy")
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what students write (default: %(default)s)")
    parser.add_argument(
        "--into", type=Path, metavar="DIR", help=f"the folder of assignments (default: {OUTSIDE}, or courses)"
    )
    parser.set_defaults(command=_new)


def _new(options: argparse.Namespace) -> int:
    folder = options.into or outside_folder() or Path("courses")
    for path in make_scaffold(options.name, folder, options.kind):
        sys.stdout.write(f"  {path}\n")
    sys.stdout.write(
        f"These grade as they are: make selftest ASSIGNMENTS={folder} ASSIGNMENT={options.name}\n"
        "Change one after the other; docs/assignment.md says what each is for.\n"
    )
    return OK


def add_handout(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Pack the template and the student kit into one zip."
    add_shared(
        parser,
        *("assignment", "template", "out"),
        template="the students' files (default: the assignment's template)",
    )
    parser.set_defaults(command=_handout)


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


TEMPLATES = Path(__file__).parents[1] / "trial/templates"
KINDS = ("functions", "classes", "ranks")
_NAME = re.compile(r"[a-z][a-z0-9]*")
_TINY = re.compile(r"\btiny\b|(?<=test_)tiny\b")


def make_scaffold(name: str, folder: Path, kind: str = KINDS[0]) -> list[Path]:
    """Write the files of a new assignment to `folder`/`name`, which has to be new, and return where they are.

    `kind` is one of `KINDS`.

    Raises:
        UsageError: the name cannot be one, or there is such an assignment; the folder cannot be written to.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be an assignment's name: use lower-case letters and digits, a letter first")
    for taken in (ASSIGNMENTS / name, folder / name):
        if taken.exists():
            raise UsageError(f"there is {taken} already: choose another name than {name}")
    made = []
    templates = TEMPLATES / kind
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
