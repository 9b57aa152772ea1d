"""Right submissions of an unusual kind keep every point: a wrong zero is the worst bug that a grader can have."""

import re

import handins
import pytest
from groups import one_per_file


def apart(group):
    """Split off what imports a file that another change of the group is of: it was written for the reference's."""
    stems = {change.target.removesuffix(".py") for change in group}
    imports = re.compile(r"^(?:from|import) (\w+)", re.MULTILINE)
    bound = [change for change in group if stems & {*imports.findall(change.text)}]
    rest = [change for change in group if change not in bound]
    return [*([rest] if rest else []), *([change] for change in bound)]


def together(*, slow):
    """All have to keep everything, so that one grading can try three of them, each in another file."""
    some = [change for change in handins.changes("unusual") if ("slow" in change.keys) == slow]
    groups = enumerate(part for group in one_per_file(some) for part in apart(group))
    for place, group in groups:
        marks = [pytest.mark.slow] if slow else handins.in_turn(place, group) or [pytest.mark.wide]
        yield pytest.param(group, id=handins.joined(group), marks=marks)


@pytest.mark.parametrize("changes", [*together(slow=False), *together(slow=True)])
def test_an_unusual_way_to_be_right_keeps_every_point(changes, tmp_path):
    report = handins.graded_changes(changes, tmp_path)
    assert handins.errors(report) == []
    lost = handins.explained(report)
    assert set(lost) == {check for change in changes for check in change.words("opened")}, lost
    assert all(text.startswith("inconclusive") for text in lost.values()), lost
    flagged = {check for check, _ in report.flags}
    for change in changes:
        seen = {check for check in flagged if handins.concerns(change, check)}
        assert seen == change.words("flagged"), (handins.id_of(change), report.flags)


def _in_every_source(change):
    files = handins.reference_files()
    return {name: change(data) if name.endswith(".py") else data for name, data in files.items()}


LITTER = {"__MACOSX/._utils.py": b"\0\5\26\7", ".DS_Store": b"\0\0\0\1Bud1", ".idea/workspace.xml": b"<project/>"}
LITTER |= {"__pycache__/utils.cpython-311.pyc": b"\0" * 40}
HANDINS = {
    "with Windows line ends": _in_every_source(lambda data: data.replace(b"\n", b"\r\n")),
    "with a byte order mark": _in_every_source(lambda data: b"\xef\xbb\xbf" + data),
    "indented by tabs": _in_every_source(
        lambda data: re.sub(rb"^(?:    )+", lambda spaces: b"\t" * (len(spaces[0]) // 4), data, flags=re.MULTILINE)
    ),
    "in the Windows code page for Hebrew": _in_every_source(
        lambda data: b"# -*- coding: cp1255 -*-\n# \xf9\xec\xe5\xed\n" + re.sub(rb"[^\x00-\x7f]", b"?", data)
    ),
    "with a future import": _in_every_source(lambda data: b"from __future__ import annotations\n" + data),
    "without a line end at the end": _in_every_source(lambda data: data.rstrip()),
    "in a wrapping folder": {f"hw1_123456789/{name}": data for name, data in handins.reference_files().items()},
    "with litter": handins.reference_files() | LITTER,
    "with extra files": handins.reference_files()
    | {"network.py": b"raise SystemExit('not the staff network')\n", "main.py": b"import utils\n", "notes.txt": b"hi"},
    "with capital letters": {name.replace("utils", "Utils"): data for name, data in handins.reference_files().items()},
}


MESS = {  # each of these in one grading, in CI, and then alone
    f"hw1/{name}": HANDINS[disorder][name]
    for name, disorder in {
        "utils.py": "with Windows line ends",
        "max_functions.py": "with a byte order mark",
        "matmul_functions.py": "in the Windows code page for Hebrew",
        "hw1.pdf": "with extra files",
        "main.py": "with extra files",
    }.items()
}


def disorder():
    yield pytest.param(MESS, id="all at once", marks=pytest.mark.wide)
    for name, files in HANDINS.items():
        yield pytest.param(files, id=name, marks=pytest.mark.slow)


@pytest.mark.parametrize("files", list(disorder()))
def test_the_disorder_of_real_life_costs_no_point(files, tmp_path):
    report = handins.graded_files(files, tmp_path)
    assert (handins.errors(report), handins.explained(report)) == ([], {})
    assert handins.warned(report) <= {"submission.files"}


@pytest.mark.wide
def test_a_helper_module_in_a_file_of_its_own_leaves_the_points_open(tmp_path):
    files = handins.reference_files()
    files["max_functions.py"] = b"from helpers import larger\n" + files["max_functions.py"]
    first = b"    return [\n        (data[start"
    assert first in files["utils.py"]
    files["utils.py"] = files["utils.py"].replace(first, b"    import helpers\n\n" + first)
    report = handins.graded_files(files | {"src/helpers.py": b"def larger(a, b): return a if a > b else b\n"}, tmp_path)
    assert handins.errors(report) == []
    lost = handins.explained(report)
    assert lost
    assert {check for check, text in lost.items() if not text.startswith("inconclusive")} == set()
    for check in ("max.cpu.correct", "utils.create_batches", "train.accuracy"):
        assert "src/helpers.py" in lost[check]
    assert report.score_high == 100


@pytest.mark.slow
def test_files_by_other_names_leave_their_points_open(tmp_path):
    names = {"max_functions.py": "max_function.py", "hw1.pdf": "Report_123456789.pdf"}
    files = {names.get(name, name): data for name, data in handins.reference_files().items()}
    report = handins.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    lost = handins.explained(report)
    assert {check.split(".")[0] for check in lost} == {"max", "report"}
    assert all(text.startswith("inconclusive") for text in lost.values()), lost
    assert "'max_function.py': a TA decides" in lost["max.gpu.correct"]
    assert "'Report_123456789.pdf': a TA decides" in lost["report.pdf"]
