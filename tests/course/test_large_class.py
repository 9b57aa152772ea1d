"""A class of 300 from Moodle's download to the feedback: every student's number is followed wherever it stands."""

import json
import re
import zipfile
from email import message_from_bytes, policy
from html import unescape

import pytest
from large_class import DUE, OnceForEachKind, course_list, extensions, make_class, make_kinds, uploads, worksheet
from rows import some
from sample_batches import RUBRIC_FILE, read_grades, read_rows
from sample_uploads import archive

from grader.course.grades.graded import load_batch
from grader.course.grades.letters import write_letters
from grader.course.grades.marks import give_mark
from grader.course.grades.rescoring import adopt_rubric, verify_batch
from grader.course.grades.sheets import describe_statuses, write_sheets
from grader.course.grades.tables import adopt_deadline, adopt_extensions, set_publishing
from grader.course.model import GradingOptions, Store
from grader.course.people import Student
from grader.course.running import Settings, prepare, run
from grader.model import Mark
from grader.reports.files import decode
from grader.scoring.score import score

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

EXPLANATION, ADJUSTED = "report.explanation", 5
FREE_DAYS, PER_DAY = 1, 5


@pytest.fixture(scope="module")
def people():
    return make_class()


@pytest.fixture(scope="module")
def graded(people, tmp_path_factory):
    """The batch, graded, marked and written, and kind -> lower and upper end of its score before anybody marked."""
    root = tmp_path_factory.mktemp("class")
    source = archive(root / "download.zip", uploads(people))
    (root / "course.csv").write_bytes(course_list(people))
    (root / "worksheet.csv").write_bytes(worksheet(people))
    (root / "extensions.csv").write_bytes(extensions(people))
    text = RUBRIC_FILE.read_text("utf-8")
    (root / "rubric.toml").write_text(f"{text}\n[late]\nfree_days = {FREE_DAYS}\npoints_per_day = {PER_DAY}\n", "utf-8")
    store = Store(root / "out")
    how = GradingOptions(data="digits", device="cpu")
    batch = prepare(source, store, Settings("", 5, how, students=str(root / "course.csv")))
    backend = OnceForEachKind({one.id: one.kind for one in people if one.kind}, batch.assignment.rubric)
    assert not [done.problem for done in run(batch, backend, lambda _key, _what: None) if done.problem]
    seen = {kind: decode(path.read_bytes()) for kind, path in backend.graded.items()}
    ends = {kind: ends_of(score(evidence, batch.assignment.rubric)) for kind, evidence in seen.items()}
    adopt_rubric(store, root / "rubric.toml")
    set_publishing(store, {"moodle": root / "worksheet.csv"})
    adopt_extensions(store, root / "extensions.csv")
    adopt_deadline(store, f"{DUE:%Y-%m-%d %H:%M}")
    marks = [Mark(one.id, EXPLANATION, one.points, one.comment, "ta") for one in readers(people)]
    adjusted = [Mark(one.id, "adjustment", -ADJUSTED, "agreed", "ta") for one in readers(people)[::9]]
    give_mark(store, *marks, *adjusted)
    return store, ends, write_sheets(store)


def ends_of(report):
    explanation = next(one for one in report.results if one.criterion.id == EXPLANATION)
    return report.score_low, report.score_high, explanation.points_high - explanation.points_low


def readers(people):
    """Return who handed in something that a TA can read, and in their own name."""
    return [one for one in people if one.kind not in {"", "refused"} and not one.partner]


def expected(one, people, ends):
    """Return lower and upper end of the score of `one`, by the course's rules and nothing of the grader's."""
    if not one.kind:
        return None
    low, high, open_points = ends[one.kind]
    owner = next((each for each in people if each.number == one.partner), one)
    partner = next((each for each in people if each.partner == owner.number), None)
    if one.kind != "refused":
        low, high = low + owner.points, high - open_points + owner.points
    longer = max(owner.extension, partner.extension if partner else 0)
    cost = PER_DAY * max(0, owner.days_late - longer - FREE_DAYS)
    adjusted = ADJUSTED if one in readers(people)[::9] else 0
    return tuple(max(0, round(end - min(cost, end) - adjusted, 2)) for end in (low, high))


def test_nobody_is_lost_and_the_summary_names_who_was_refused(people, graded):
    _store, _ends, written = graded
    assert len(written.rows) == len(people) == 300
    assert {row.student.id for row in written.rows} == {one.id for one in people}
    assert f"{sum(not one.kind for one in people)} nothing handed in" in describe_statuses(written.rows)
    refused = [row.student.label for row in written.rows if row.status == "refused"]
    assert len(refused) == sum(one.kind == "refused" for one in people) > 10
    assert refused[0] in describe_statuses(written.rows)


def test_every_kind_was_graded_for_real_and_none_ended_in_an_error_of_ours(graded):
    store, ends, _written = graded
    assert set(ends) == set(make_kinds())
    outcomes = {
        str(one.outcome)
        for each in load_batch(store).graded
        for one in each.report.results
        if one.mark is None and not each.evidence.refusal
    }
    assert "error" not in outcomes
    assert (ends["right"][0], ends["template"][0] < 20) == (83, True)
    assert ends["max.cpu_endless_loop"][0] > 40, "a function that hangs costs its own checks"


def test_everybodys_number_is_the_same_in_sheet_page_feedback_platform_and_mail(people, graded):
    store, ends, _written = graded
    grades = read_grades(store)
    page = (store.root / "index.html").read_text("utf-8")
    lines = {
        re.search(r"<bdi>(\d{9})</bdi>", row)[1]: unescape(row)
        for row in re.findall(r"<tr[^>]*>.*?</tr>", page, re.DOTALL)
        if "data-v" in row
    }
    moodle = {row["ID number"]: row["Grade"] for row in read_rows(store.root / "moodle.csv")}
    feedback = by_participant(store.root / "feedback.zip")
    letters = write_letters(store, "Subject: $title: $score\n\n$name ($id): $score\n$comments\n")
    read = [message_from_bytes(path.read_bytes(), policy=policy.default) for path in letters.files]
    mails = {mail["To"].addresses[0].addr_spec: mail.get_content() for mail in read}
    for one in some(people):
        ends_now, row = expected(one, people, ends), grades[one.id]
        label = Student(one.id, one.name).label
        if ends_now is None:
            assert (row["status"], row["score"], row["low"]) == ("nothing handed in", "", "")
            assert moodle[one.id] == ""
            assert one.number not in feedback
            assert "nothing handed in" in mails[one.email]
            continue
        low, high = ends_now
        is_final = low == high and one.kind != "refused"
        assert (float(row["low"]), float(row["high"])) == (low, high), one
        assert row["score"] == (f"{low:g}" if is_final else "")
        shown = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        assert f">{shown}<" in lines[one.id], one
        assert moodle[one.id] == row["score"]
        report = feedback[one.number]
        assert f"{shown} of 100" in report, one
        assert label in report
        owner = one.partner or one.number
        if one.kind != "refused":
            assert f"number {owner}: <i>ok</i>" in report
        text = mails[one.email]
        assert text.splitlines()[0] == f"{one.name} ({one.id}): {shown} of 100"
        assert f"number {owner}:" in text or one.kind == "refused"


def by_participant(path):
    """Return the participant's number, found as Moodle finds it (the second field between `_`) -> the report's text."""
    with zipfile.ZipFile(path) as archived:
        names = archived.namelist()
        found = {int(name.split("_")[1]): unescape(archived.read(name).decode("utf-8")) for name in names}
    assert len(found) == len(names)
    return found


def test_nobody_reads_a_word_about_anybody_else(people, graded):
    store, _ends, _written = graded
    feedback = by_participant(store.root / "feedback.zip")
    for one in some(each for each in people if each.number in feedback):
        theirs = {one.id, *(each.id for each in people if each.number == one.partner or each.partner == one.number)}
        assert set(re.findall(r"\b311\d{6}\b", feedback[one.number])) <= theirs, one


def test_a_second_writing_changes_nothing_and_everything_can_be_verified(graded):
    store, _ends, _written = graded
    before = {path: path.read_bytes() for path in store.root.glob("*.*") if path.is_file()}
    write_sheets(store)
    assert {path: path.read_bytes() for path in before} == before
    assert list(verify_batch(store)) == []
    first = store.folder(load_batch(store).graded[0].handin.key)
    assert json.loads((first / "results.json").read_text())["extra_data"]["students"]
