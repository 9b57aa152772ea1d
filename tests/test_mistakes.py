"""Wrong submissions: each loses exactly the points of the checks that it breaks, and says why."""

import handins
import pytest
from groups import one_per_file

from grader.assignment import load_assignment
from grader.authoring.judges import training
from grader.model import Outcome
from grader.reports.story import first_step_text
from grader.worker.launcher import Limits

CHECKS = {row.id for row in load_assignment("hw1").rubric.criteria}


def alone():
    return [
        pytest.param([change], id=handins.id_of(change), marks=[pytest.mark.slow, *handins.not_yet(change)])
        for change in handins.changes("mistakes")
    ]


def together():
    """Mistakes in different files do not touch each other, so that one grading can hold three to account."""
    fast = [change for change in handins.changes("mistakes") if not {"slow", "not_yet"} & {*change.keys}]
    return [
        pytest.param(group, id=handins.joined(group), marks=handins.in_turn(place, group) or [pytest.mark.wide])
        for place, group in enumerate(one_per_file(fast))
    ]


@pytest.mark.parametrize("mistakes", [*together(), *alone()])
def test_a_mistake_loses_what_it_breaks_and_nothing_else(mistakes, tmp_path, monkeypatch):
    if min(change.limit_s for change in mistakes) < Limits().call_s:  # it hangs: nobody has to wait for that
        monkeypatch.setattr(training, "LONGEST_LIMIT_S", 20.0)
    report = handins.graded_changes(mistakes, tmp_path)
    assert handins.errors(report) == []
    lost, warned, flagged = handins.lost(report), handins.warned(report), {check for check, _ in report.flags}
    for change in mistakes:
        name, own = handins.id_of(change), {check for check in CHECKS if handins.concerns(change, check)}
        expected = {check: loss for check, loss in change.losses().items() if check in own}
        assert {check: lost.pop(check) for check in own & {*lost}} == expected, name
        if "warned" in change.keys:
            assert own & warned == change.words("warned"), name
        if "flagged" in change.keys:
            assert own & flagged == change.words("flagged"), report.flags
        _assert_names_the_culprit(change, report)
    assert lost == {}


def _assert_names_the_culprit(change, report):
    """A threshold speaks of what was measured; every other finding names a function or the file."""
    culprits = change.words("says") or handins.suspects(change)
    for check, text in handins.findings(report):
        if handins.concerns(change, check) and not text.startswith("The test accuracy"):
            assert any(name in text for name in culprits), f"{handins.id_of(change)}: {check}: {text}"


def test_every_case_says_what_follows_from_it():
    for change in handins.changes("mistakes"):
        assert {"failed", "partly", "opened"} & {*change.keys}, handins.id_of(change)
        assert not change.words("skipped") or change.words("failed"), handins.id_of(change)


PDF = {"report.pdf": "failed", "report.explanation": "skipped"}
MAX = dict.fromkeys(("max.cpu.correct", "max.numba.correct", "max.gpu.correct", "max.gpu.launch"), "failed") | (
    dict.fromkeys(("max.cpu.trivial", "max.numba.compiled", "max.gpu.speedup"), "skipped")
)
MATMUL = dict.fromkeys(
    ("matmul.trivial.correct", "matmul.numba.correct", "matmul.gpu.correct", "matmul.gpu.launch"), "failed"
) | {"matmul.numba.compiled": "skipped"}
NAMES = ("sigmoid", "sigmoid_prime", "random_weights", "zeros_weights", "zeros_biases", "create_batches")
UTILS = {f"utils.{name}": "failed" for name in (*NAMES, "add_elementwise")} | {"train.accuracy": "failed"}
MISSING = {"utils.py": UTILS, "max_functions.py": MAX, "matmul_functions.py": MATMUL, "hw1.pdf": PDF}


@pytest.mark.parametrize("name", [pytest.param(name, marks=handins.in_turn(n + 6)) for n, name in enumerate(MISSING)])
def test_a_missing_file_costs_only_its_own_checks(name, tmp_path):
    files = handins.reference_files()
    del files[name]
    report = handins.graded_files(files, tmp_path)
    assert (handins.errors(report), handins.lost(report)) == ([], MISSING[name])
    assert all(name in text for _, text in handins.findings(report))
    assert "submission.files" in handins.warned(report)


def unreadable():
    right = handins.reference_files()["hw1.pdf"]
    for name, data in {
        "cut in the middle": right[: len(right) // 2],
        "with a password": handins.protected_pdf(),
        "of no bytes": b"",
        "that is a text": b"My report: everything is fast.\n" * 20,
        "that is a Word document": b"PK\x03\x04" + bytes(2000),
        "of one empty page": handins.empty_pdf(),
        "of random bytes": b"%PDF-1.7\n" + bytes(range(256)) * 40,
    }.items():
        yield pytest.param(name, data)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "data"), list(unreadable()))
def test_a_report_that_nobody_can_read_costs_only_the_report(name, data, tmp_path):
    report = handins.graded_files(handins.reference_files() | {"hw1.pdf": data}, tmp_path)
    assert handins.errors(report) == []
    assert handins.lost(report) == PDF, name
    assert all("hw1.pdf" in text for _, text in handins.findings(report))


@pytest.mark.slow  # CI grades it by the command line, too
def test_the_reference_keeps_everything(tmp_path):
    report = handins.graded_files(handins.reference_files(), tmp_path)
    assert ((handins.lost(report), handins.warned(report)), report.flags) == (({}, set()), ())
    assert (report.score_low, report.score_high) == (83, 100)


def test_the_template_gets_nothing_and_says_what_to_do_first(tmp_path):
    report = handins.graded_files(handins.template_files(), tmp_path)
    assert (handins.errors(report), (report.score_low, report.score_high)) == ([], (0, 0))
    assert not {result.outcome for result in report.results if result.criterion.points} & {Outcome.PASSED}
    assert all(words in first_step_text(report) for words in ("utils.sigmoid", "fill in sigmoid(x)"))
