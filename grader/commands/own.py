"""What students do with their own folder: `grader check`, `zip` and `data`."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared
from grader.errors import GraderError
from grader.intake.datasets import download_mnist
from grader.kit.handin import HandIn, make_handin
from grader.kit.settings import BY_STAFF, KitSettings, can_check, expect_checkable, expect_folder, load_settings
from grader.scoring.rubric import expect_named


def add_zip(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Make the zip to hand in, and predict its score."
    add_shared(
        parser, "folder", "data", "assignment", data={"default": argparse.SUPPRESS}, assignment=argparse.SUPPRESS
    )
    parser.add_argument("--no-check", action="store_true", help="only make the zip, and predict no score")
    parser.set_defaults(command=_zip)


def _zip(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_folder(options.folder, assignment)
    made = make_handin(options.folder, assignment)
    _print(_describe(made, assignment.files))
    if options.no_check:
        return OK
    if not can_check():
        _print(["The score to expect is not known here: checks need Linux, macOS or WSL."])
        return OK
    _print(["Looking what it would get; Ctrl-C ends this, and the zip stays ..."])
    with suppress(KeyboardInterrupt):  # the zip is there
        try:
            _print(_predict(options, load_settings(assignment)))
        except GraderError as error:
            _print([f"The score to expect is not known: {error}."])
    return OK


def _describe(made: HandIn, files: tuple[str, ...]) -> Iterator[str]:
    for name in files:
        size = f"{made.sizes_bytes[name]:>10} bytes" if name in made.sizes_bytes else f"{'not in it':>16}"
        yield f"  {name:<24}{size}"
    yield f"{made.path} is written. Keep its fingerprint: sha256 {made.sha256}"
    for name, flaw in made.flaws.items():
        yield f"{name} {flaw}."
    for name, functions in made.unwritten.items():
        yield f"{name}: still to be written: {', '.join(functions)}."


def _predict(options: argparse.Namespace, settings: KitSettings) -> Iterator[str]:
    from grader.authoring import Options  # noqa: PLC0415 - Windows lacks modules of this
    from grader.kit.dialogue import predict_quietly  # noqa: PLC0415 - the same
    from grader.kit.selfcheck import CheckOptions  # noqa: PLC0415 - the same

    caller = getattr(options, "caller", BY_STAFF)
    how = Options(data=getattr(options, "data", options.folder / "data"))
    return predict_quietly(settings, CheckOptions(options.folder, how, get_mnist=caller.get_mnist), caller)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
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
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    assignment = load_assignment(options.assignment)
    expect_checkable(options.folder, assignment)
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


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Fetch MNIST, verified."
    parser.add_argument("folder", nargs="?", type=Path, default=Path("data"), help="where to put it (default: data)")
    parser.set_defaults(command=_data)


def _data(options: argparse.Namespace) -> int:
    sys.stderr.write(f"Fetching MNIST into {options.folder} …\n")
    fetched = download_mnist(options.folder)
    sys.stdout.write(f"MNIST is in {options.folder} ({len(fetched)} files fetched, all verified).\n")
    return OK
