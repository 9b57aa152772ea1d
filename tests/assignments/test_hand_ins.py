"""Hand-ins of all assignments but hw1: a mistake costs what it breaks, what is right nothing, cheats gain nothing."""

from importlib.util import find_spec

import handins
import pytest
from handins import DISTRIBUTED, GEMM, LAYERS

from grader.model import Outcome

NEEDS_MPI = pytest.mark.skipif(not find_spec("mpi4py"), reason="needs mpi4py")
COURSES = [
    pytest.param(LAYERS, id="layers"),
    pytest.param(GEMM, id="gemm"),
    pytest.param(DISTRIBUTED, id="distributed", marks=NEEDS_MPI),
]
OPERATIONS = {f"operations.{name}": "failed" for name in ("convolve", "gradients", "neuron", "attention")}
MATRIX = {f"matrix.{name}": "failed" for name in ("values", "copies", "shapes")}
MLP = {f"mlp.{name}": "failed" for name in ("forward", "extremes", "loss", "gradients", "update", "products")}
COLLECTIVES = dict.fromkeys(("ring.values", "ring.bytes", "tree.values", "tree.messages"), "failed")
IN_CI = "layers"
"""The assignment of which CI grades some here; it grades others by `make outcomes`."""


def cases(kind):
    return [
        pytest.param(
            *course.values,
            *case.values,
            id=f"{course.id}-{case.id}",
            marks=[*course.marks, *case.marks, *([pytest.mark.slow] if course.id != IN_CI else [])],
        )
        for course in COURSES
        for case in handins.one_by_one(course.values[0].changes(kind))
    ]


@pytest.mark.wide
@pytest.mark.parametrize("course", COURSES)
def test_the_template_gets_nothing_and_each_check_names_what_to_fill_in(course, tmp_path):
    report = course.graded_files(course.template_files(), tmp_path)
    assert (handins.errors(report), (report.score_low, report.score_high)) == ([], (0, 0))
    said = [text for check, text in handins.findings(report) if not check.startswith(("report", "submission"))]
    assert [text for text in said if ".py: fill in " not in text] == []


@pytest.mark.wide
@pytest.mark.parametrize(
    ("course", "lowest"),
    [pytest.param(GEMM, 86, id="gemm"), pytest.param(DISTRIBUTED, 94, id="distributed", marks=NEEDS_MPI)],
)
def test_the_reference_gets_every_point_that_can_be_measured_here(course, lowest, tmp_path):
    report = course.graded_files(course.reference_files(), tmp_path)
    assert course.lost(report) == {}, course.explained(report)
    assert (handins.errors(report), report.flags) == ([], ())
    assert (report.score_low, report.score_high) == (lowest, 100)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("course", "missing", "lost"),
    [
        pytest.param(LAYERS, "dataset.py", {"dataset.points": "failed"}, id="layers"),
        pytest.param(LAYERS, "matrix.py", MATRIX, id="layers-others-import-it"),
        pytest.param(GEMM, "operations.py", OPERATIONS, id="gemm"),
        pytest.param(GEMM, "mlp.py", MLP, id="gemm-others-import-it"),
        pytest.param(DISTRIBUTED, "collectives.py", COLLECTIVES, id="distributed", marks=NEEDS_MPI),
    ],
)
def test_a_missing_file_costs_its_own_checks_only(course, missing, lost, tmp_path):
    files = course.reference_files()
    del files[missing]
    report = course.graded_files(files, tmp_path)
    assert (handins.errors(report), course.lost(report)) == ([], lost)


@pytest.mark.parametrize(("course", "change"), cases("mistakes"))
def test_a_mistake_loses_what_it_breaks_and_nothing_else(course, change, tmp_path):
    report = course.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert course.lost(report) == change.losses(), course.explained(report)
    assert {check for check, _ in report.flags} >= change.words("flagged")
    assert change.words("warned") <= handins.warned(report)
    says, told = change.keys.get("says", ""), {one.criterion.id: str(one.finding) for one in report.results}
    texts = [*course.explained(report).values(), *(told[check] for check in change.words("warned"))]
    assert all(says in text or text.startswith("skipped") for text in texts)


@pytest.mark.parametrize(("course", "change"), cases("unusual"))
def test_what_is_right_keeps_everything_however_it_is_written(course, change, tmp_path):
    report = course.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert course.lost(report) == change.losses(), course.explained(report)
    assert not [one.criterion.id for one in report.results if one.outcome is Outcome.FAILED]
    assert {check for check, _ in report.flags} == change.words("flagged"), report.flags


@pytest.mark.parametrize(("course", "change"), cases("attacks"))
def test_a_cheat_gains_nothing_without_a_flag(course, change, tmp_path):
    report = course.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert handins.gained(report, change.words("aims")) == {}, report.flags
    if "aims" not in change.keys:
        assert course.lost(report) == change.losses(), course.explained(report)
        assert {check for check, _ in report.flags} >= change.words("flagged")
        assert change.words("warned") <= handins.warned(report)


@pytest.mark.parametrize("kind", ["mistakes", "unusual", "attacks"])
@pytest.mark.parametrize("course", COURSES)
def test_every_case_is_python(course, kind):
    changes = course.changes(kind)
    assert changes
    for change in changes:
        for name, text in change.changed_files().items():
            compile(text, name, "exec")
        assert kind == "unusual" or {"failed", "warned", "flagged", "opened", "aims"} & {*change.keys}
