"""`grader zip`: the zip to hand in, made of the sheet's files, what is missing in it, and the score to expect."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress

from grader.assignment import load_assignment
from grader.commands import OK, add_shared
from grader.errors import GraderError
from grader.kit.handin import HandIn, make_handin
from grader.kit.settings import BY_STAFF, KitSettings, can_check, expect_folder, load_settings


def add(parser: argparse.ArgumentParser) -> None:
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
