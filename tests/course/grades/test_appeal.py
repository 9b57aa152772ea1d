"""An appeal puts gradings of the same file side by side, and says whether they agree."""

import re
from dataclasses import replace

import handins
import pytest
from sample_batches import DANA, OMER, Gradings, make_batch
from sample_reports import MARK, full_marks, hostile, one_mistake, refused, template

from grader.course.grades import appeal
from grader.course.grades.marks import give_mark
from grader.course.job import sha256_of
from grader.course.model import GradingOptions, Job, read_record, write_record
from grader.course.people import Roster
from grader.course.similarity import Equal, Similarities
from grader.errors import GraderError, UsageError
from grader.model import Mark
from grader.scoring.score import score


@pytest.fixture
def store(tmp_path):
    """A batch of which the first student's zip exists."""
    found = make_batch(tmp_path / "batch")
    roster = read_record(found.roster, Roster)
    path = tmp_path / "hw1_012345678.zip"
    path.write_bytes(b"a zip")
    own = replace(roster.handins[0], path=path, sha256=sha256_of(path))
    write_record(found.roster, replace(roster, handins=(own, *roster.handins[1:])))
    return found


GRADINGS = Gradings()


@pytest.fixture
def runs():
    """Let each run write the next of these reports, and return the jobs that were asked for."""
    GRADINGS.next, GRADINGS.asked = [], []

    def use(*reports):
        GRADINGS.next += reports
        return GRADINGS.asked

    return use


def hear(store, handin=None, **how):
    return appeal.hear(store, handin or appeal.find_case(store, DANA.id), backend=GRADINGS, **how)


def test_gradings_that_agree_say_so_and_the_one_before_counts_without_marks(store, runs):
    give_mark(store, Mark(DANA.id, "utils.create_batches", 5, by="ta"))
    alike = Equal("max.py", tuple(handin.key for handin in read_record(store.roster, Roster).handins))
    write_record(store.similarities, Similarities(equal=(alike,)))  # which flags them, after they were graded
    runs(one_mistake(), one_mistake(), one_mistake())
    heard = hear(store)
    assert heard.disputed == ()
    assert heard.verdict == "All 3 runs and the grading before agree on every check: 85 to 95 of 100."
    part = replace(one_mistake().evidence, observations=one_mistake().evidence.observations[:2])
    runs(*[score(part, one_mistake().rubric)] * 3)
    assert hear(store, only=("utils",)).verdict.endswith("agree on every check that ran.")


def test_a_check_that_one_run_sees_otherwise_is_named(store, runs):
    runs(one_mistake(), full_marks(), one_mistake())
    heard = hear(store)
    assert heard.disputed == ("utils.create_batches", "max.gpu.speedup")
    assert "A TA decides" in heard.verdict
    assert heard.page.read_text().count('class="differs"') == 2


def test_a_second_appeal_keeps_the_runs_of_the_first(store, runs):
    runs(*[one_mistake()] * 4)
    first = hear(store, runs=2).page
    second = hear(store, runs=2).page
    assert first == second
    assert sorted(path.name for path in first.parent.glob("run-*")) == ["run-1", "run-2", "run-3", "run-4"]
    assert f"run-3/submissions/hw1_{DANA.id}/report.html" in second.read_text()


def test_the_options_of_the_batch_hold_for_all_checks_and_for_any_file(store, runs, tmp_path):
    handin = read_record(store.roster, Roster).handins[0]
    how = GradingOptions(data="digits", device="cpu", sandbox="limits", explain=True)
    write_record(store.task(handin.key), Job(handin, {"only": ""}, replace(how, only=("utils",)), joins=True))
    (tmp_path / "new.zip").write_bytes(b"of nobody")
    seen = runs(*[one_mistake()] * 3)
    hear(store, runs=1)
    hear(store, runs=1, only=("max",))
    hear(store, appeal.find_case(store, str(tmp_path / "new.zip")), runs=1)
    assert [job.handin.path for job in seen] == [handin.path, handin.path, tmp_path / "new.zip"]
    assert [job.how for job in seen] == [how, replace(how, only=("max",)), how]
    assert len({job.seed for job in seen}) == 3, "a seed of its own for each run"


def test_a_check_that_does_not_exist_runs_nothing_and_a_run_that_ends_without_a_report_says_why(store, runs, tmp_path):
    runs()
    with pytest.raises(UsageError, match=r"there is no check 'max.gpu.speed'"):
        hear(store, only=("max.gpu.speed",))
    assert not list(store.root.glob("appeal/*/run-*"))
    missing = replace(appeal.find_case(store, DANA.id), path=tmp_path / "gone.zip")
    with pytest.raises(GraderError, match=r"gone\.zip again failed: .*gone\.zip"):
        appeal.hear(store, missing, 1)


def test_a_zip_of_the_batch_is_known_by_its_content_and_is_not_what_was_graded_once_it_changed(store, tmp_path):
    (tmp_path / "renamed.zip").write_bytes(b"a zip")
    assert appeal.find_case(store, str(tmp_path / "renamed.zip")).students == (DANA,)
    roster = read_record(store.roster, Roster)
    twins = [replace(one, sha256=roster.handins[0].sha256) for one in roster.handins[:2]]
    write_record(store.roster, replace(roster, handins=(*twins, *roster.handins[2:])))
    with pytest.raises(UsageError, match=f"was handed in by .*{DANA.id}.*{OMER.id}.*: name the student"):
        appeal.find_case(store, str(tmp_path / "renamed.zip"))
    (tmp_path / "hw1_012345678.zip").write_bytes(b"other bytes")
    with pytest.raises(UsageError, match="changed since"):
        appeal.find_case(store, DANA.id)


def test_another_zip_stands_alone(store, tmp_path, runs):
    (tmp_path / "new try.zip").write_bytes(b"another zip")
    case = appeal.find_case(store, str(tmp_path / "new try.zip"))
    assert (case.key, case.students) == ("new try", ())
    runs(template(), template())
    assert hear(store, case, runs=2).verdict == "All 2 runs agree on every check: 0 of 100."


def test_a_refused_file_is_compared_as_well(store, runs):
    runs(refused(), refused(), refused())
    assert "disagree" in hear(store).verdict


@pytest.mark.parametrize(
    ("word", "words"),
    [(OMER.id, "is not there any more"), ("nobody", "no student 'nobody'"), ("none.zip", "no student 'none.zip'")],
)
def test_what_cannot_be_graded_again_is_one_sentence(store, word, words):
    with pytest.raises(UsageError, match=words):
        appeal.find_case(store, word)


def test_the_page_obeys_nothing_that_a_student_wrote(store, runs):
    runs(hostile(), hostile(), hostile())
    page = hear(store).page.read_text()
    assert MARK in page
    assert not re.search(rf"<[^>]*{MARK}", page)
    assert not [bad for bad in ("<script", "<img", "\x1b", "\x00") if bad in page]


@pytest.mark.slow
def test_a_real_file_is_really_graded_again(store, tmp_path):
    path = tmp_path / "hw1_012345678.zip"
    path.write_bytes(handins.packed(handins.reference_files()))
    handin = replace(read_record(store.roster, Roster).handins[0], sha256=sha256_of(path))
    write_record(store.task(handin.key), Job(handin, how=GradingOptions(data="digits", device="cpu", sandbox="limits")))
    heard = appeal.hear(store, replace(handin, path=path), only=("utils",))
    assert heard.disputed == ()
    assert len({report.evidence.run.seed for report in heard.runs}) == 3
    assert heard.runs[0].score_low == 24
