"""A batch from beginning to end, with backends that do as they are told."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import handins
import pytest
from sample_batches import graded_of

from grader.course.grades.graded import load_batch
from grader.course.grades.rescoring import verify_batch
from grader.course.grades.sheets import write_sheets
from grader.course.job import Unreadable, joined, named, read_done, run_job, sha256_of
from grader.course.model import Finished, GradingOptions, Job, Store, read_record, write_record
from grader.course.people import Handin, Student
from grader.course.running import AGAIN, RegradeRequest, Settings, prepare, run
from grader.errors import GraderError, UsageError
from grader.model import Evidence, Observation, Outcome, Run, Submission

pytestmark = pytest.mark.wide

HOW = GradingOptions(data="digits", device="cpu", sandbox="limits")


class Backend:
    """Grades in this process, or fails as it is given."""

    def __init__(self, **problems):
        self.problems = problems

    def run(self, jobs, store, announce):  # noqa: ARG002 - as the protocol says
        for job in jobs:
            problem = self.problems.get(f"s{job.handin.key}", "")
            if not problem:
                run_job(store, job)
            yield Finished(job.handin.key, problem)


@dataclass(frozen=True)
class Wanted:
    """A batch of the folder `source`, with the options `asked`."""

    source: Path
    store: Store
    asked: Settings

    def but(self, **changes):
        return replace(self, asked=replace(self.asked, **changes))

    def prepare(self, rubric=None):
        return prepare(self.source, self.store, self.asked, rubric)


@pytest.fixture
def wanted(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(2):
        (tmp_path / f"in/hw1_11111111{number}.zip").write_bytes(handins.packed({"utils.py": b"%d)" % number}))
    return Wanted(tmp_path / "in", Store(tmp_path / "out"), Settings("", 1, HOW))


def finish(wanted, backend):
    batch = wanted.prepare()
    return batch, list(run(batch, backend, lambda *_: None))


def extra_data(wanted, key):
    return json.loads((wanted.store.folder(key) / "results.json").read_text())["extra_data"]


def test_trouble_of_ours_leaves_the_points_open_and_is_tried_again(wanted):
    batch, ended = finish(wanted, Backend(s111111110="it was lost"))
    assert {one.key: one.problem for one in ended} == {"111111110": "it was lost", "111111111": ""}
    extra = extra_data(wanted, "111111110")
    assert (extra["score_range"], set(extra["outcome"].values())) == ([0, 100], {"error"})
    assert wanted.prepare().plan.reasons == {"111111110": AGAIN}
    finish(wanted, Backend(s111111110="no memory was left"))
    assert read_done(wanted.store, "111111110").problem == "no memory was left"
    assert read_record(wanted.store.settings, Settings).seed == batch.settings.seed == 1


def test_a_course_list_that_comes_later_costs_no_grading_and_stays(wanted, tmp_path):
    finish(wanted, Backend())
    listed = tmp_path / "course.csv"
    listed.write_text("id,name,file\n7,Ada,hw1_111111110.zip\n8,Bob,hw1_111111110.zip\n9,Cid,\n")
    for wish in (wanted.but(students=str(listed)), wanted):
        batch = wish.prepare()
        assert [handin.key for handin in batch.roster.handins] == ["111111111", "7-8"]
        assert batch.plan.jobs == (), "the files are the same"
        sheets = write_sheets(wanted.store)
    assert [row.student.id for row in sheets.rows] == ["111111111", "7", "8", "9"]
    assert [row.student.id for row in sheets.rows if row.report is None] == ["9"]
    assert graded_of(load_batch(wanted.store), "7").evidence.submission.name == "7-8"
    assert list(verify_batch(wanted.store)) == []
    assert read_record(wanted.store.task("7-8"), Job).handin.students == batch.roster.handins[1].students, "an appeal"


def test_whose_file_is_gone_is_named(wanted):
    wanted.prepare()
    (wanted.source / "hw1_111111110.zip").unlink()
    assert wanted.prepare().roster.warnings == ("111111110 was in this batch before, and has no file any more",)
    (wanted.source / "hw1_111111111.zip").rename(wanted.source / "hw1_222222222.zip")
    assert wanted.prepare().roster.warnings == (), "the same file, whose owner is known better now"


def test_trouble_never_replaces_what_was_seen_of_the_same_file(wanted):
    finish(wanted, Backend())
    before = wanted.store.evidence("111111110").read_bytes()
    finish(wanted.but(regrade=RegradeRequest(force=True)), Backend(s111111110="it was lost"))
    assert wanted.store.evidence("111111110").read_bytes() == before


def test_trouble_with_a_new_file_leaves_no_points_of_the_old_one(wanted):
    (wanted.source / "hw1_111111111.zip").unlink()
    finish(wanted, Backend())
    (wanted.source / "hw1_111111110.zip").write_bytes(handins.packed({"utils.py": b"2"}))
    finish(wanted.but(regrade=RegradeRequest(force=True)), Backend(s111111110="it was lost"))
    assert read_record(wanted.store.settings, Settings).regrade.is_none, "it is done"
    results = json.loads((wanted.store.folder("111111110") / "results.json").read_text())
    assert results["extra_data"]["score_range"] == [0, 100]


def test_a_file_that_cannot_be_read_leaves_its_points_open_and_the_others_are_graded(wanted, monkeypatch):
    def digest(path):
        if "111111110" in path.name:
            raise Unreadable(f"{path.name} cannot be read (Input/output error)")
        return sha256_of(path)

    with monkeypatch.context() as patched:
        patched.setattr("grader.course.roster.sha256_of", digest)
        _batch, ended = finish(wanted, Backend())
    problems = {one.key: one.problem for one in ended}
    assert "Input/output error" in problems["111111110"]
    assert (problems["111111111"], extra_data(wanted, "111111110")["score_range"]) == ("", [0, 100])
    assert [one.report.provisional for one in load_batch(wanted.store).graded] == [True, False]
    assert wanted.prepare().plan.reasons == {"111111110": AGAIN}


def test_the_sheets_know_everybody(wanted, tmp_path):
    listed = tmp_path / "list.csv"
    listed.write_text("id,name\n111111110,Ada\n111111111,Bob\n222222222,Eve\n")
    finish(wanted.but(students=str(listed)), Backend())
    standing = load_batch(wanted.store)
    found = [one.handin.students for one in standing.graded]
    assert found == [(Student("111111110", "Ada"),), (Student("111111111", "Bob"),)]
    assert standing.roster.missing == (Student("222222222", "Eve"),)
    assert not standing.waiting


def test_the_seed_stays_when_nobody_names_one_and_a_batch_of_another_assignment_is_not_written_over(wanted):
    first, second = (wanted.but(seed=None).prepare().plan.jobs for _ in range(2))
    assert [job.seed for job in first] == [job.seed for job in second]
    wanted.prepare()
    kept = read_record(wanted.store.settings, Settings)
    write_record(wanted.store.settings, replace(kept, how=replace(kept.how, assignment="hw0")))
    with pytest.raises(UsageError, match="is a batch of hw0: choose another folder with --out"):
        wanted.prepare()


def test_a_wrong_rubric_is_noticed_before_anything_is_written_and_a_changed_hand_in_is_not_graded(wanted, tmp_path):
    (tmp_path / "r.toml").write_text("assignment = 1")
    with pytest.raises(GraderError):
        wanted.prepare(tmp_path / "r.toml")
    assert not wanted.store.root.exists()
    batch = wanted.prepare()
    (wanted.source / "hw1_111111110.zip").write_bytes(b"other")
    with pytest.raises(GraderError, match="has changed since the batch began"):
        run_job(wanted.store, batch.plan.jobs[0])
    assert read_done(wanted.store, "111111110") is None


def evidence(**outcomes):
    run_ = Run("cpu", "digits", "limits", 1)
    seen = tuple(Observation(check.replace("_", "."), "", outcome) for check, outcome in outcomes.items())
    return Evidence(Submission("hw1", "sha"), run_, seen, "hw1")


def test_new_observations_take_the_place_of_old_ones_and_evidence_is_named_after_the_hand_in():
    old = evidence(a_b=Outcome.FAILED, a_c=Outcome.PASSED)
    now = joined(old, evidence(a_b=Outcome.PASSED, a_d=Outcome.FAILED))
    seen = [(one.check, str(one.outcome)) for one in now.observations]
    assert seen == [("a.b", "passed"), ("a.c", "passed"), ("a.d", "failed")]
    assert named(evidence(), Handin("key", (Student("1"),), Path("hw1.zip"), "sha")).submission.name == "key"
