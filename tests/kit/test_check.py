"""`python -m hw1check` in a student's folder, run as students run it: from the wheel, in a process of its own."""

import io
import json
import shutil
import sys

import handins
import pytest
from groups import one_per_file

from grader.assignment import load_assignment
from grader.grading import Options
from grader.kit import selfcheck
from grader.kit.dialogue import talk
from grader.kit.settings import BY_STAFF, load_settings
from grader.trial.changes import replaced
from grader.worker.launcher import Limits

pytestmark = pytest.mark.wide

QUICK = ("--only", "utils", "--only", "report", "--only", "max.gpu.speedup")
"""Checks that are soon done; of the last two, no answer is kept."""


@pytest.fixture(scope="module")
def finished(kit, tmp_path_factory):
    """A folder with the reference, of which a few checks ran once; with what was printed."""
    folder = tmp_path_factory.mktemp("finished")
    write(folder, [])
    outcomes, text = kit.outcomes(folder, *QUICK)
    return folder, outcomes, text


def lost(outcomes, settings):
    """Return the checks with points that are not as for a right hand-in, as `handins.lost` does for a grading."""
    words = {"not measured": "not_measured", "for a TA": "inconclusive", "undecided": "inconclusive"}
    plain = {check: words.get(word, word) for check, word in outcomes.items()}
    rows = [row.id for row in settings.assignment.rubric.criteria if row.points]
    return {check: plain[check] for check in rows if plain[check] != str(handins.OPEN.get(check, "passed"))}


@pytest.mark.slow  # what costs most of a minute is graded by CI as well
def test_the_reference_is_predicted_as_it_is_graded(kit, settings, tmp_path):
    write(tmp_path, [])
    outcomes, text = kit.outcomes(tmp_path)
    assert (lost(outcomes, settings), kit.predicted(text)) == ({}, (83, 90))
    assert "7 wait for the GPU server; 10 are the TA's" in text
    assert set(outcomes) == {row.id for row in settings.assignment.rubric.criteria}
    again = kit.run("check", "--plain", "--device", "cpu", cwd=tmp_path, code=0).stdout
    assert (again.count("as last time"), kit.predicted(again)) == (25, kit.predicted(text))


def test_what_passed_is_answered_from_the_last_run_and_says_so(kit, finished):
    folder, outcomes, text = finished
    again = kit.run("check", "--plain", "--device", "cpu", *QUICK, cwd=folder, code=0).stdout
    remembered = {line.partition(":")[0] for line in again.splitlines() if "as last time" in line}
    assert remembered == {check for check, outcome in outcomes.items() if outcome == "passed"}
    assert set(outcomes) - remembered == {"max.gpu.speedup", "report.explanation"}
    assert kit.predicted(again) == kit.predicted(text)


def test_a_file_by_another_name_is_undecided_for_the_grader_and_in_the_kit(kit, tmp_path):
    right = handins.reference_files()
    (tmp_path / "max_function.py").write_bytes(right["max_functions.py"])
    (tmp_path / "utils.py").write_bytes(right["utils.py"])
    graded = handins.explained(handins.graded(tmp_path))["max.cpu.correct"]
    assert graded.startswith("inconclusive")
    assert "'max_function.py'" in graded
    checked = kit.run("check", "--plain", "--device", "cpu", "--only", "max.cpu.correct", cwd=tmp_path, code=0).stdout
    assert "max.cpu.correct: undecided, 0 to 4 of 4 points." in checked
    assert "'max_function.py'" in checked


def test_comments_do_not_count_imported_code_does_and_with_explain_what_passed_is_run_again(kit, finished, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(finished[0], folder)
    source = (folder / "utils.py").read_text("utf-8")
    (folder / "utils.py").write_text("# a remark\n" + source.replace("0.0, ", "0.0,  "), "utf-8")
    check = ("check", "--plain", "--device", "cpu", "--only", "utils.zeros_biases")
    assert "as last time" in kit.run(*check, cwd=folder, code=0).stdout
    assert "as last time" not in kit.run(*check, "--explain", cwd=folder, code=0).stdout
    (folder / "utils.py").write_text(f"{source}\nfrom max_functions import zeros_biases\n", "utf-8")
    (folder / "max_functions.py").write_text(source, "utf-8")
    kit.run(*check, cwd=folder, code=0)
    assert "as last time" in kit.run(*check, cwd=folder, code=0).stdout
    (folder / "max_functions.py").write_text(source.replace("sizes[1:]", "sizes[:-1]"), "utf-8")
    changed = kit.run(*check, cwd=folder, code=1).stdout
    assert "as last time" not in changed
    assert "utils.zeros_biases: failed, 0 of 3 points." in changed
    assert "zeros_biases([784, 128, 64, 10])" in changed


def test_the_template_is_told_what_to_write_first_and_nothing_is_wrong_that_is_not_written_yet(kit, unzipped):
    outcomes, text = kit.outcomes(unzipped, "--only", "utils", "--only", "max", "--only", "report")
    assert "passed" not in outcomes.values()
    assert "Next: utils.sigmoid. To see it alone: python -m hw1check --only utils.sigmoid" in text
    assert "utils.py: fill in sigmoid(x), which is 1 / (1 + e^-x)" in text
    assert kit.predicted(text)[0] == 0
    outcomes, text = kit.outcomes(unzipped, "--only", "train")
    assert outcomes == {"train.accuracy": "failed"}
    assert "train.accuracy: to write" in text
    assert "wrong" not in text


def test_the_kit_says_that_the_staffs_function_would_stand_in_for_a_wrong_one(kit, tmp_path):
    write(tmp_path, [handins.change_of("mistakes", "utils", "sigmoid_prime_of_the_activation")])
    outcomes, text = kit.outcomes(tmp_path, "--only", "utils.sigmoid_prime", "--only", "train")
    assert outcomes == {"utils.sigmoid_prime": "failed", "train.accuracy": "failed"}
    words = "judged by checks of their own: `utils.sigmoid_prime`; when staff grade, the staff's versions run in"
    assert words in " ".join(text.split())


def test_plain_output_has_no_symbol_no_escape_and_one_sentence_per_check(finished):
    text = finished[2]
    assert not set("✓✗○◌✎↷!\033") & set(text)
    assert "utils.sigmoid: passed, 3 of 3 points." in text.splitlines()


def test_a_launched_kernel_that_does_nothing_gets_no_points_in_the_kit_either(kit, tmp_path):
    write(tmp_path, [])
    kernel = "@cuda.jit\ndef max_kernel(A, B, C):\n    pass\n"
    source = (handins.REFERENCE / "max_functions.py").read_text("utf-8")
    (tmp_path / "max_functions.py").write_text(replaced(source, f'"""Unwritten."""\n{kernel}', set()), "utf-8")
    outcomes, text = kit.outcomes(tmp_path, "--only", "max.gpu")
    assert outcomes["max.gpu.launch"] == "failed"
    assert "`max_kernel` is launched by `max_gpu`, but changes none of the arrays that it is given" in text


MISTAKES = {"utils": "batches_without_the_last", "max_functions": "gpu_off_by_one"}
MISTAKES |= {"matmul_functions": "gpu_launch_swapped"}
COSTS = {"utils.create_batches": "partly", "max.gpu.correct": "failed", "matmul.gpu.launch": "failed"}


def test_a_few_mistakes_cost_in_the_kit_what_they_cost_in_the_grade(kit, tmp_path):
    write(tmp_path, [handins.change_of("mistakes", module, name) for module, name in MISTAKES.items()])
    outcomes, _ = kit.outcomes(tmp_path, *(word for check in COSTS for word in ("--only", check)))
    assert outcomes == COSTS


def write(folder, changes):
    files = handins.reference_files() | {change.target: change.applied() for change in changes}
    for name, data in files.items():
        (folder / name).write_bytes(data)


STAFF_SEE_IT = {"max.gpu_kernel_does_nothing", "max.gpu_numpy_after_a_launch", "matmul.gpu_numpy_after_a_launch"}
"""A launch for show: students who do that know it, and the kit does not tell them how staff see it."""


def groups(folder):
    """Return groups of changes to different files; who hangs is alone, because a grading waits for so long in all."""
    some = [change for change in handins.changes(folder) if handins.id_of(change) not in STAFF_SEE_IT]
    hanging = [change for change in some if change.limit_s < Limits().call_s]
    together = one_per_file([change for change in some if change not in hanging])
    return [pytest.param(group, id=handins.joined(group)) for group in (*together, *([change] for change in hanging))]


LAUNCHES = frozenset({"max.gpu.launch", "matmul.gpu.launch"})


@pytest.mark.slow
@pytest.mark.timeout(900)  # an import that hangs is waited for twice, on a busy machine three times as long
@pytest.mark.parametrize("changes", [*groups("mistakes"), *groups("unusual")])
def test_every_honest_hand_in_is_predicted_as_it_is_graded(kit, settings, tmp_path, changes):
    write(tmp_path, changes)
    outcomes, text = kit.outcomes(tmp_path, "--seed", str(handins.SEED))
    missed = lost(outcomes, settings)
    for check in LAUNCHES:
        if missed.get(check) == "inconclusive":  # open where nothing but zeros comes back: the grade lies in the range
            del missed[check]
    for change in changes:
        expected = {check: outcome for outcome in ("failed", "partly", "skipped") for check in change.words(outcome)}
        expected |= dict.fromkeys(change.words("opened") - LAUNCHES, "inconclusive")
        found = {check: missed.pop(check) for check in list(missed) if handins.concerns(change, check)}
        if "the staff's versions run in" in text and "train.accuracy" not in expected:
            found.pop("train.accuracy", None)  # a kit has no versions of the staff's, and says so
        assert found == expected, text
    assert missed == {}


def test_an_answer_is_kept_only_for_the_same_code_and_a_damaged_memory_only_makes_the_next_run_slower(tmp_path):
    code = {"utils.py": b"def f():\n    return 1\n"}
    key = selfcheck.make_key(["utils.py"], code, {"numpy": "2"})
    assert key == selfcheck.make_key(["utils.py"], {"utils.py": b"def f(): return 1  # one"}, {"numpy": "2"})
    assert key != selfcheck.make_key(["utils.py"], {"utils.py": b"def f(): return 2"}, {"numpy": "2"})
    assert key != selfcheck.make_key(["utils.py"], code, {"numpy": "3"})
    assert key != selfcheck.make_key(["utils.py"], {}, {"numpy": "2"})
    broken = (selfcheck.make_key(["a.py"], {"a.py": text}, {}) for text in (b"def f(", b"def g("))
    assert len({*broken}) == 2
    for text in ("", "no json", "[]", '{"utils.sigmoid": 3}', '{"a": {"key": "k", "observation": {}}}'):
        (tmp_path / selfcheck.FILE).write_text(text)
        assert selfcheck.read_answers(tmp_path, {"utils.sigmoid": "k", "a": "k"}) == {}, text


def test_an_answer_about_older_code_is_kept_by_no_later_run(tmp_path):
    write(tmp_path, [])
    both, settings = ("utils.sigmoid", "utils.zeros_biases"), load_settings(load_assignment("hw1"))
    checks = [selfcheck.CheckOptions(tmp_path, Options(only=only, device="cpu", seed=7)) for only in (both, both[:1])]
    selfcheck.SelfCheck(settings, checks[0]).run()
    watching = selfcheck.SelfCheck(settings, checks[1])
    watching.run()
    utils = tmp_path / "utils.py"
    utils.write_text(utils.read_text("utf-8").replace("np.zeros", "np.ones"), "utf-8")
    watching.run()
    assert set(json.loads((tmp_path / selfcheck.FILE).read_text())) == {both[0]}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("terminal", [Terminal, io.StringIO])
def test_a_terminal_shows_which_check_is_running_until_it_is_decided(tmp_path, monkeypatch, terminal):
    write(tmp_path, [])
    settings = load_settings(load_assignment("hw1"))
    options = selfcheck.CheckOptions(tmp_path, Options(only=("utils.sigmoid",), device="cpu"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", shown := terminal())
    talk(settings, options, plain=False, watch=False, caller=BY_STAFF)
    assert ("… utils.sigmoid\r" in shown.getvalue()) == shown.isatty()
    assert ("\r\033[K\033[32m✓ passed" in shown.getvalue()) == shown.isatty()
