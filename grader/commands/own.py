"""Commands for students with their own folder, and their command line for one assignment: `python -m <name>check`.

python -m <name>check [FOLDER]   the checks, and the predicted score: `grader check`
python -m <name>check zip        the zip to hand in: `grader zip`
python -m <name>check bench      the time comparisons for the report, with charts: `grader bench`
python -m <name>check data       fetch MNIST once, verified: `grader data`
python -m <name>check run FILE   a script that uses numba.cuda, without a GPU; --help says what it can show
"""

import argparse
import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared, begin, make_parser, run_safely
from grader.errors import GraderError, UsageError
from grader.intake.datasets import download_mnist
from grader.kit.handin import HandIn, make_handin
from grader.kit.settings import (
    BY_STAFF,
    UNIX_ONLY,
    KitSettings,
    can_check,
    expect_folder,
    find_caller,
    load_settings,
    print_lines,
)
from grader.scoring.rubric import expect_named


def _add_zip(parser: argparse.ArgumentParser) -> None:
    parser.description = "Make the zip to hand in, and predict its score."
    hidden = argparse.SUPPRESS
    add_shared(parser, "folder", "data", "assignment", data={"default": hidden}, assignment=hidden)
    parser.add_argument("--no-check", action="store_true", help="only make the zip, and predict no score")


def _zip(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_folder(options.folder, assignment)
    print_lines(_describe(make_handin(options.folder, assignment), assignment.files))
    if options.no_check:
        return OK
    if not can_check():
        print_lines(["The score to expect is not known here: checks need Linux, macOS or WSL."])
        return OK
    print_lines(["Checking its points; Ctrl-C stops only this, the zip is done ..."])
    with suppress(KeyboardInterrupt):  # the zip is written already
        try:
            print_lines(_predict(options, load_settings(assignment)))
        except GraderError as error:
            print_lines([f"The score to expect is not known: {error}."])
    return OK


def _describe(made: HandIn, files: tuple[str, ...]) -> Iterator[str]:
    for name in files:
        size = f"{made.sizes_bytes[name]:>10} bytes" if name in made.sizes_bytes else f"{'not in it':>16}"
        yield f"  {name:<24}{size}"
    yield f"{made.path} is written. Keep this proof of it: sha256 {made.sha256}"
    yield from (f"{name} {flaw}." for name, flaw in made.flaws.items())
    for name, functions in made.unwritten.items():
        yield f"{name}: still to be written: {', '.join(functions)}."


def _predict(options: argparse.Namespace, settings: KitSettings) -> Iterator[str]:
    from grader.authoring import Options  # noqa: PLC0415 - Windows lacks modules of this
    from grader.kit.dialogue import predict_quietly  # noqa: PLC0415 - the same
    from grader.kit.selfcheck import CheckOptions  # noqa: PLC0415 - the same

    caller = getattr(options, "caller", BY_STAFF)
    how = Options(data=getattr(options, "data", options.folder / "data"))
    return predict_quietly(settings, CheckOptions(options.folder, how, get_mnist=caller.get_mnist), caller)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.description = "Check your own folder, and predict its score."
    add_shared(parser, "folder", "only", only="this check, or all whose id starts so; repeatable")
    add = parser.add_argument
    add("--watch", action="store_true", help="stay, and check a file again whenever it is saved; Ctrl-C ends it")
    add("--fresh", action="store_true", help="run again what passed the last time, too")
    add_shared(
        parser,
        *("plain", "explain", "data", "device", "seed", "assignment"),
        plain="whole sentences without symbols, columns and colours",
        data={"default": argparse.SUPPRESS},
        seed="make the inputs repeatable (default: fresh ones)",
        assignment=argparse.SUPPRESS,
    )


def _check(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    if not can_check():
        raise UsageError(UNIX_ONLY)
    expect_folder(options.folder, assignment)
    expect_named(options.only, assignment.rubric)
    from grader.authoring import Options  # noqa: PLC0415 - Windows lacks modules of this: it has been told by now
    from grader.kit.dialogue import talk  # noqa: PLC0415 - the same
    from grader.kit.selfcheck import CheckOptions  # noqa: PLC0415 - the same

    caller = getattr(options, "caller", BY_STAFF)
    how = Options(
        data=getattr(options, "data", options.folder / "data"),
        seed=options.seed,
        device=options.device,
        only=tuple(options.only),
        explain=options.explain,
    )
    asked = CheckOptions(options.folder, how, options.fresh, caller.get_mnist)
    is_full = talk(load_settings(assignment), asked, plain=options.plain, watch=options.watch, caller=caller)
    return OK if is_full else BELOW


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.description = "Fetch MNIST, verified."
    parser.add_argument("folder", nargs="?", type=Path, default=Path("data"), help="where to put it (default: data)")


def _data(options: argparse.Namespace) -> int:
    sys.stderr.write(f"Fetching MNIST into {options.folder} …\n")
    fetched = download_mnist(options.folder)
    sys.stdout.write(f"MNIST is in {options.folder} ({len(fetched)} files fetched, all verified).\n")
    return OK


def _add_inside(parser: argparse.ArgumentParser) -> None:
    parser.description = "Grade one upload in a platform's container, as the package that `grader package` made says."
    platforms = ("autolab", "github", "gradescope", "prairielearn")
    parser.add_argument("platform", choices=platforms, help="the platform of this container")


def _inside(options: argparse.Namespace) -> int:
    importlib.import_module(f"grader.kit.inside.{options.platform}").run()  # by its name: students' kits lack them
    return OK


_COMMANDS = ("check", "zip", "data")
_RUN = "run"
_OF_UNIX = ("bench",)  # commands that do not work on Windows, where there is no fcntl


def main(assignment: str, arguments: Sequence[str] | None = None) -> None:
    """Run the command line of `assignment` and exit with its code."""
    begin()
    sys.exit(run(assignment, sys.argv[1:] if arguments is None else arguments))


def run(assignment: str, arguments: Sequence[str]) -> int:
    """Run the command line of `assignment` and return its exit code."""
    called = f"python -m {assignment}check"
    names = (*_COMMANDS, *(_OF_UNIX if find_spec("fcntl") else ()))
    words = list(arguments)
    if words[:1] == [_RUN]:
        from grader.cuda_cpu.__main__ import main as execute_script  # noqa: PLC0415 - loads Numba, which takes a while

        return execute_script(words[1:])
    if not words or words[0] not in {*names, "-h", "--help", "--version"}:
        words = ["check", *words]
    about = "Checks your homework on your own computer, with the checks of the course."
    further = f"Without a command it checks. The options of that: {called} check --help. "
    further += f"To run a script that uses numba.cuda without a GPU: {called} {_RUN} --help"
    options = make_parser(called, names, words, description=about, epilog=further).parse_args(words)
    options.assignment = assignment
    options.caller = find_caller(called)
    return run_safely(f"{assignment}check", lambda: int(options.command(options)))
