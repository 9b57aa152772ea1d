"""Which hand-ins are graded now, and why."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from rows import some

from grader.assignment import load_assignment
from grader.course import running
from grader.course.job import write_result
from grader.course.model import GradingOptions, Store
from grader.course.people import Handin, Roster, Student
from grader.course.running import describe_changes
from grader.errors import UsageError
from grader.model import Evidence, Run, Submission
from grader.scoring.score import score

ASSIGNMENT = load_assignment("hw1")
ROSTER = Roster(tuple(Handin(key, (Student(key, f"Name of {key}"),), Path(f"{key}.zip"), key * 8) for key in "abc"))
SETTINGS = running.Settings("in", 7, GradingOptions())


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def plan(store, settings=SETTINGS, roster=ROSTER):
    return running.make_plan(store, roster, settings, ASSIGNMENT)


def finish(store, job, problem=""):
    """Write what a grading of `job` would leave."""
    evidence = Evidence(Submission(job.handin.key, job.handin.sha256), Run("cpu", "", "", job.seed), (), "hw1")
    write_result(store, job, score(evidence, ASSIGNMENT.rubric), problem)


def finish_all(store, settings=SETTINGS):
    for job in plan(store, settings).jobs:
        finish(store, job)


def test_the_same_hand_in_has_the_same_seed_others_have_others_and_what_was_graded_is_not_graded_again(store):
    seeds = [job.seed for job in plan(store).jobs]
    assert (seeds, len(set(seeds))) == ([job.seed for job in plan(store).jobs], 3)
    assert not {*seeds} & {job.seed for job in plan(store, replace(SETTINGS, seed=8)).jobs}
    first = plan(store)
    assert first.reasons == dict.fromkeys("abc", running.NEVER)
    finish(store, first.jobs[0])
    assert [job.handin.key for job in plan(store).jobs] == ["b", "c"]
    finish_all(store)
    again = plan(store)
    assert (again.jobs, again.describe()) == ((), "nothing to grade, 3 stay as graded before.")


def test_a_new_sheet_of_checks_makes_evidence_stale_and_a_new_rubric_does_not(tmp_path):
    files = [tmp_path / name for name in ("checks.py", "assignment.toml", "rubric.toml")]
    assignment = SimpleNamespace(own_files=lambda: files, folder=tmp_path, learns=False)
    digests = []
    for changed in ("", *files):
        for file in files:
            file.write_text("new" if file == changed else "old")
        digests.append(running.common_parts(assignment, SETTINGS.how)["checks"])
    assert (digests[0], len({*digests})) == (digests[3], 3)


def test_other_settings_make_evidence_stale_and_what_changed_or_lacks_its_last_file_is_graded_again(store):
    finish_all(store)
    cpu, explained = replace(SETTINGS, how=GradingOptions(device="cpu")), GradingOptions(explain=True)
    assert set(plan(store, replace(SETTINGS, seed=8)).reasons.values()) == {"another seed"}
    assert set(plan(store, cpu).reasons.values()) == {"other options"}
    both = plan(store, replace(SETTINGS, how=explained, seed=9))
    assert set(both.reasons.values()) == {"other options and another seed"}
    finish_all(store)
    newer = Roster((ROSTER.handins[0], replace(ROSTER.handins[1], sha256="other"), ROSTER.handins[2]))
    assert plan(store, roster=newer).reasons == {"b": "another file was handed in"}
    of_one_check = plan(store, regrading(checks=("utils.sigmoid",)), newer).jobs
    assert [job.joins for job in of_one_check] == [True, False, True], "checks of another file join nothing"
    store.job("a").unlink()
    store.evidence("b").unlink()
    store.job("c").write_bytes(b'{"finger')
    assert set(plan(store).reasons) == {"a", "b", "c"}


def test_each_part_of_a_fingerprint_has_its_words_and_an_unfinished_errand_is_taken_up():
    new = plan(Store(Path("/nowhere"))).jobs[0].fingerprint
    for part in some(new):
        said = describe_changes({**new, part: "other"}, new)
        assert said
        assert said != part, f"{part} is named in words"
    first = running.begin_request(running.RegradeRequest(force=True), running.RegradeRequest())
    assert running.begin_request(running.RegradeRequest(force=True), first) == first
    assert running.begin_request(running.RegradeRequest(students=("a",)), first).id != first.id
    assert running.begin_request(running.RegradeRequest(), first) == running.RegradeRequest()


def test_what_the_grader_failed_on_is_tried_again_and_not_joined_by_one_check(store):
    for job in plan(store).jobs:
        finish(store, job, problem="killed" if job.handin.key == "b" else "")
    assert plan(store).reasons == {"b": running.AGAIN}
    for job in plan(store).jobs:
        finish(store, job, problem="killed" if job.handin.key == "b" else "")
    jobs = plan(store, regrading(checks=("utils.sigmoid",))).jobs
    assert [(job.joins, job.fingerprint["only"]) for job in jobs] == [(True, ""), (False, "utils.sigmoid"), (True, "")]


def regrading(**wished):
    return replace(SETTINGS, regrade=running.begin_request(running.RegradeRequest(**wished), running.RegradeRequest()))


def test_force_grades_everything_again_once(store):
    finish_all(store)
    forced = regrading(force=True)
    first = plan(store, forced)
    assert first.reasons == dict.fromkeys("abc", running.ASKED)
    finish(store, first.jobs[0])
    assert set(plan(store, forced).reasons) == {"b", "c"}, "a killed regrading goes on where it was"
    finish_all(store, forced)
    assert not plan(store, forced).jobs
    assert not plan(store).jobs, "and what it did is as good as before"


@pytest.mark.parametrize("word", ["b", "Name of b"])
def test_one_student_alone_is_graded_again_and_an_unknown_one_is_one_sentence(store, word):
    finish_all(store)
    assert plan(store, regrading(students=(word,))).reasons == {"b": running.ASKED}
    with pytest.raises(UsageError, match="no student 'z' in this batch: its ids are a, b, c"):
        plan(store, regrading(students=("z",)))


def test_one_check_alone_joins_what_stands(store):
    finish_all(store)
    wished = regrading(checks=("utils.sigmoid",))
    jobs = plan(store, wished).jobs
    assert all(job.joins and job.how.only == ("utils.sigmoid",) for job in jobs)
    for job in jobs:
        finish(store, job)
    assert not plan(store, wished).jobs
    assert not plan(store).jobs, "the evidence is whole"


def test_a_check_takes_those_along_that_need_it():
    rubric = ASSIGNMENT.rubric
    chosen = running.with_dependents(("max.cpu.correct",), rubric)
    assert set(chosen) == {"max.cpu.correct"} | {row.id for row in rubric.criteria if "max.cpu.correct" in row.needs}
    assert len(chosen) > 1
    assert running.with_dependents(("max",), rubric) == ("max",)
    one, other, third = rubric.criteria[:3]
    chain = replace(rubric, criteria=(one, replace(other, needs=(one.id,)), replace(third, needs=(other.id,))))
    assert {*running.with_dependents((one.id,), chain)} == {one.id, other.id, third.id}


def test_one_check_of_a_new_hand_in_is_not_all_of_it(store):
    wished = regrading(checks=("utils.sigmoid",))
    for job in plan(store, wished).jobs:
        assert not job.joins
        finish(store, job)
    assert not plan(store, wished).jobs
    assert plan(store).reasons == dict.fromkeys("abc", "only some checks were run")
