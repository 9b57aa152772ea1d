"""Hand-ins of `tests/handins_found/`: attacks found by reading the grader gain nothing, honest idioms lose nothing.

Each folder holds the files that take the place of the reference's, and perhaps a `case.json`:

    target:   checks that end without points, or open, or with a flag that names them   (insider)
    seconds:  how long the whole grading may take; null where it does not matter        (insider)
    flagged:  checks with a flag for a TA, and no others                                 (idioms; default: none)

What a program wrote is written again by it: see `GENERATED`.

No test asserts a time. Instead of `seconds`, no check may have been ended by a limit.
"""

import json
from pathlib import Path

import handins
import pytest

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report

FOUND = handins.TESTS / "handins_found"
PREFIXES = {**handins.PREFIXES, "hw1.pdf": "report."}
ONE_IN = 12
"""So many run in `make test-all` for each that runs in CI."""


def dos_methods() -> dict[str, bytes]:
    """Return the reference with a class of 18,000 methods, which takes long to read."""
    text = (handins.REFERENCE / "max_functions.py").read_bytes()
    return {"max_functions.py": text + b"\n\nclass K:\n" + b" def f(s):0\n" * 18_000}


GENERATED = {"dos_methods": dos_methods}


def cases(kind):
    """Return the folders of one kind."""
    folders = sorted(folder for folder in (FOUND / kind).iterdir() if folder.is_dir())
    return [
        pytest.param(folder, id=folder.name, marks=[pytest.mark.slow if place % ONE_IN else pytest.mark.wide])
        for place, folder in enumerate(folders)
    ]


def case(folder: Path):
    path = folder / "case.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def files_of(folder: Path) -> dict[str, bytes]:
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name in PREFIXES}
    files |= GENERATED[folder.name]() if folder.name in GENERATED else {}
    assert files, folder
    return files


def prefixes_of(folder: Path) -> tuple[str, ...]:
    """Return how the checks of its files begin."""
    found = [PREFIXES[name] for name in files_of(folder)]
    return tuple(prefix for each in found for prefix in ([each] if isinstance(each, str) else each))


def graded(folder: Path, scratch: Path) -> Report:
    """Grade the reference with the files of `folder`, as far as checks concern these."""
    path = scratch / "hw1.zip"
    path.write_bytes(handins.packed(handins.reference_files() | files_of(folder)))
    only = tuple(prefix.removesuffix(".") for prefix in prefixes_of(folder))
    return grade(path, load_assignment("hw1"), Options(seed=handins.SEED, device="cpu", only=only))


@pytest.mark.parametrize("folder", cases("insider"))
def test_what_a_reader_of_the_grader_found_gains_nothing(folder, tmp_path):
    report, expected = graded(folder, tmp_path), case(folder)
    assert handins.errors(report) == []
    flagged = {check for check, _ in report.flags}
    rows = {result.criterion.id: result for result in report.results}
    assert set(expected["target"]) <= set(rows)
    gained = {
        check: str(rows[check].outcome)
        for check in expected["target"]
        if rows[check].points_low > 0 and rows[check].outcome is not Outcome.INCONCLUSIVE and check not in flagged
    }
    assert gained == {}, report.flags
    if expected["seconds"]:
        assert [result.criterion.id for result in report.results if "Stopped after" in str(result.finding)] == []


@pytest.mark.parametrize("folder", cases("idioms"))
def test_an_honest_idiom_keeps_every_point(folder, tmp_path):
    report = graded(folder, tmp_path)
    assert handins.errors(report) == []
    lost = {check: words for check, words in handins.explained(report).items() if check.startswith(prefixes_of(folder))}
    assert lost == {}
    open_ones = {row.criterion.id for row in report.results if row.outcome is Outcome.INCONCLUSIVE}
    assert open_ones <= set(handins.OPEN)
    assert {check for check, _ in report.flags} == set(case(folder).get("flagged", [])), report.flags


def test_every_folder_says_what_it_is_for():
    for param in cases("insider"):
        assert set(case(param.values[0])) == {"target", "seconds"}, param.id
