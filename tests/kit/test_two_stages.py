"""A provisional result of Gradescope's and a grading with a GPU become the final score, and Gradescope shows that."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from driver import standin
from gradescope_results import METADATA, read_result
from sample_batches import DANA, OMER, RAR, RUBRIC_FILE, make_batch
from sample_reports import all_right, full_marks, make, passed, refused

from grader.__main__ import run
from grader.assignment import load_assignment
from grader.course.model import Store, read_record
from grader.course.people import Roster
from grader.intake.archive import read_submission
from grader.kit.inside import gradescope
from grader.kit.parts import collect_finals, gather, write_parts
from grader.reports.files import KEY

REFERENCE = Path(__file__).parents[2] / "reference/hw1"
EXPORT = """---
submission_123456:
  :submitters:
  - :name: Dana
    :sid: '{sid}'
  :created_at: 2026-07-01 21:22:32.365935000 Z
  :score: {score}
  :results:
    score: {score}
    extra_data:
      {key}: {record}
"""


@pytest.fixture
def home(tmp_path):
    """What Gradescope lays out, with a small package."""
    for name in ("submission", "results"):
        (tmp_path / "autograder" / name).mkdir(parents=True)
    write_parts(tmp_path / "autograder/source", gather(load_assignment("hw1")))
    (tmp_path / "autograder/submission_metadata.json").write_text(json.dumps(METADATA))
    for name in load_assignment("hw1").files:
        shutil.copy(REFERENCE / name, tmp_path / "autograder/submission")
    return tmp_path / "autograder"


@pytest.fixture
def submission(home, tmp_path):
    return read_submission(home / "submission", tmp_path / "files", load_assignment("hw1").files)


@pytest.fixture
def show(home, submission, monkeypatch):
    """Return a function that lets Gradescope grade a right submission, and returns what it then shows."""
    monkeypatch.setattr(gradescope, "grade_upload", lambda _package, _upload: make(all_right, handed_in=submission))

    def run_autograder():
        gradescope.run(home)
        return read_result(home)

    return run_autograder


def with_gpu(check):
    return passed(check, facts={"speedup": [92.1, 98.4]}) if check == "max.gpu.speedup" else all_right(check)


def export(path, result):
    path.write_text(EXPORT.format(sid=DANA.id, score=result["score"], key=KEY, record=result["extra_data"][KEY]))
    return path


def graded_with_gpu(tmp_path, submission):
    """A batch of the same files, as `make batch` leaves one; zipped, so that the whole has another digest."""
    report = make(with_gpu, run=replace(full_marks().evidence.run, device="gpu"), handed_in=submission)
    made = replace(report, evidence=replace(report.evidence, submission=replace(submission, sha256="f" * 64)))
    return make_batch(tmp_path / "gpu", (((DANA,), lambda: made, "submission_123456"),), (), "gradescope").root


@pytest.fixture
def final_batch(tmp_path, submission, show):
    """What `make merge` makes of what Gradescope exported, and of a batch with a GPU."""
    batch, where = graded_with_gpu(tmp_path, submission), export(tmp_path / "submission_metadata.yml", show())
    assert run(["merge", str(batch), str(where), "--out", str(tmp_path / "final")]) == 0
    return tmp_path / "final"


def pack_final(batch, home, tmp_path):
    """Put the package with the results of `batch` into the place of the first."""
    assert run(["package", "gradescope", "--final", str(batch), "--out", str(tmp_path / "out")]) == 0
    shutil.unpack_archive(tmp_path / "out/gradescope/autograder.zip", home / "source")


def test_the_final_score_takes_the_place_of_the_provisional_one(final_batch, home, tmp_path, show):
    provisional = show()
    assert provisional["extra_data"]["score_range"] == [83, 100]
    assert "after the due date; no points are taken off" in provisional["output"]
    assert run(["verify", str(final_batch)]) == 0
    pack_final(final_batch, home, tmp_path)
    final = show()
    assert final["extra_data"]["score_range"] == [90, 100]  # the TA's ten points are still open
    assert final["extra_data"]["device"] == "gpu"
    assert "after the due date" not in final["output"], "what lateness costs, the batch says"


@pytest.mark.parametrize("days", [0, 2])
def test_students_of_the_same_files_share_a_result_only_if_theirs_are_the_same(days, submission, tmp_path):
    def made():
        return make(with_gpu, handed_in=submission)

    store = make_batch(tmp_path / "twice", (((DANA,), made, "submission_1"), ((OMER,), made, "submission_2")), ())
    store.rubric.write_text(f"{RUBRIC_FILE.read_text()}\n[late]\npercent_per_day = 10\n")
    store.late.write_text(f"id,days\n{OMER.id},{days}\n")
    finals, left_out = collect_finals(store.root, load_assignment("hw1"))
    if days:
        assert not finals
        assert DANA.name in left_out[0]
        assert OMER.name in left_out[0]
    else:
        assert len(finals) == 1
        assert not left_out
        assert DANA.name not in next(iter(finals.values())).decode()


def test_whose_files_could_not_be_opened_and_who_is_not_graded_yet_is_named(home, tmp_path, capsys, final_batch):
    pack_final(make_batch(tmp_path / "refused", (((RAR,), refused, "submission_1"),), ()).root, home, tmp_path)
    said = capsys.readouterr().out
    assert f"nothing was opened: {RAR.label}. Enter them by hand." in said
    store = Store(final_batch)
    store.evidence(read_record(store.roster, Roster).handins[0].key).unlink()
    finals, said = collect_finals(final_batch, load_assignment("hw1"))
    assert not finals
    assert any("not graded yet: " in sentence and DANA.label in sentence for sentence in said)


def test_other_files_and_what_cannot_be_opened_are_graded_as_before(final_batch, home, tmp_path, show):
    pack_final(final_batch, home, tmp_path)
    (home / "submission/utils.py").write_text("def sigmoid(x): ...\n")
    assert show()["extra_data"]["score_range"] == [83, 100]
    shutil.rmtree(home / "submission")
    (home / "submission").mkdir()
    (home / "submission/hw1.zip").write_bytes(b"no zip")
    assert show()["extra_data"]["score_range"] == [83, 100]


def test_final_results_are_not_packed_where_nothing_hides_them_nor_another_assignments(final_batch, tmp_path, capsys):
    words = ["package", "gradescope", "--final", str(final_batch), "--out", str(tmp_path), "--sandbox", "limits"]
    assert run(words) == 2
    assert "all results" in capsys.readouterr().err
    words = ["package", "gradescope", "--assignment", "layers", "--final", str(final_batch), "--out", str(tmp_path)]
    assert run(words) == 2
    assert "batch of hw1" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_the_whole_way_with_a_gpu_that_the_stand_in_driver_poses_as(home, tmp_path):
    """Everything for once is real: Gradescope's grading on the CPU, the batch of its export, and both as one."""
    server = next((found for name, found in standin.installations().items() if name != "numba"), None)
    if server is None:
        pytest.skip("no environment of a GPU server here: make gpu-environments")
    gradescope.run(home)
    provisional = read_result(home)
    assert (provisional["extra_data"]["score_range"], provisional["extra_data"]["device"]) == ([83, 100], "cpu")
    source = tmp_path / "assignment_1_export"
    shutil.copytree(home / "submission", source / "submission_123456")
    export(source / "submission_metadata.yml", provisional)
    machine = standin.MACHINES["H200" if server.oldest_driver >= 13000 else "2080 Ti"]
    driver = standin.pose(tmp_path / "driver", machine)
    (tmp_path / "rubric.toml").write_text(RUBRIC_FILE.read_text().replace("at_least = 40", "at_least = 1"))
    more = ("--out", str(tmp_path / "gpu"), "--rubric", str(tmp_path / "rubric.toml"))  # it computes on the CPU
    done = server.run(driver, "-m", "grader", "batch", str(source), *more, limit_s=600)
    assert done.returncode == 0, done.stderr
    batch = tmp_path / "gpu/assignment_1_export"
    assert run(["merge", str(batch), str(source), "--out", str(tmp_path / "final")]) == 0
    pack_final(tmp_path / "final", home, tmp_path)
    gradescope.run(home)
    final = read_result(home)
    assert final["extra_data"]["device"] == "gpu"
    if final["extra_data"]["outcome"]["max.gpu.speedup"] == "error":
        pytest.skip("others use this machine's cores, so that nothing could be timed")
    assert final["extra_data"]["score_range"] == [90, 100]
