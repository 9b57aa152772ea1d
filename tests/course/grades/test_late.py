"""Late days from the platform's times: minutes in favour of the student, extensions, pairs, and what cannot be read."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rows import each
from sample_batches import ABSENT, DANA, OMER, PAIR, RAR, make_batch
from sample_reports import full_marks

from grader.course.grades.graded import load_batch
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import adopt_deadline, adopt_extensions, adopt_lateness, count_lateness, parse_time
from grader.course.model import read_record, write_record
from grader.course.people import Roster
from grader.errors import UsageError
from grader.model import LateRule
from grader.scoring.marks import late_text

HEAD = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Feedback comments\n"
DUE = "2026-01-15 23:59"


@pytest.fixture
def store(tmp_path):
    made = make_batch(tmp_path / "batch")
    made.lms.mkdir()
    return made


def days(store):
    return {student: days for one in load_batch(store).graded for student, days in one.days.items() if days}


def came(store, *times):
    """Let Moodle's worksheet say that the hand-ins came at these times; those after have no line."""
    people = ((101, DANA), (102, OMER), (103, PAIR[0]), (104, RAR), (205, PAIR[1]))
    lines = (
        f'Participant {number},"{who.name.replace(chr(34), chr(34) * 2)}",,Submitted,,100,"{at}",\n'
        for (number, who), at in zip(people, times, strict=False)
    )
    (store.lms / "moodle.csv").write_text(HEAD + "".join(lines), "utf-8")


def count(store, deadline=DUE):
    adopt_deadline(store, deadline)
    return count_lateness(store)


def extend(store, *lines):
    adopt_extensions(store, write_table(store, "student,days,until", *lines))


def call_late(store, *lines):
    adopt_lateness(store, write_table(store, "student,days,comment", *lines))


def write_table(store, *lines):
    path = store.root.parent / "table.csv"
    path.write_text("\n".join(lines), "utf-8")
    return path


def give_times(store, *times):
    """Let the hand-ins come from Gradescope at these times; those after have none."""
    roster = read_record(store.roster, Roster)
    timed = (replace(one, handed_in_at=at) for one, at in zip(roster.handins, times, strict=False))
    handins = (*timed, *roster.handins[len(times) :])
    write_record(store.roster, replace(roster, platform="gradescope", handins=handins))


LAST_MINUTE = (
    *("Thursday, 15 January 2026, 11:59 PM", "Thursday, 15 January 2026, 23:59", "15 Jan 2026, 23:59"),
    *("Thursday, January 15, 2026, 11:59 PM", "2026-01-15 23:59"),
    *("יום חמישי, 15 ינואר 2026, 11:59 PM", "יום חמישי, 15 בינואר 2026, 23:59", "15 ינואר 2026, 11:59 אחה״צ"),
)
NO_TIME = ("", "-", "soon", "15 Smarch 2026, 10:00", "40 January 2026, 10:00", "=1+1", "\x00")
ENGLISH = "January February March April May June July August September October November December"
HEBREW = "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר"


def test_times_are_read_as_platforms_write_them_in_every_month_and_what_is_no_time_is_none():
    assert {parse_time(text) for text in LAST_MINUTE} == {datetime(2026, 1, 15, 23, 59)}  # noqa: DTZ001 - a wall clock
    assert {parse_time(text) for text in NO_TIME} == {None}
    for names in (ENGLISH, HEBREW):
        assert [parse_time(f"3 {name} 2026, 10:00").month for name in names.split()] == list(range(1, 13))


def test_days_follow_from_moodles_worksheet_the_last_minute_is_in_time_and_sheet_and_report_say_them(store):
    came(store, "15 January 2026, 11:59 PM", "16 January 2026, 12:00 AM", "17 January 2026, 11:59 PM", "-")
    assert count(store) == ()
    assert days(store) == {OMER.id: pytest.approx(1 / 1440, abs=1e-4), PAIR[0].id: 2, PAIR[1].id: 2}
    came(store, "17 January 2026, 11:59 PM")
    adopt_deadline(store, DUE)
    write_sheets(store)
    assert ",2," in (store.root / "grades.csv").read_text("utf-8").splitlines()[1]
    report = (store.folder("hw1_012345678") / "report.html").read_text("utf-8")
    assert "handed in 2026-01-17 23:59, due 2026-01-15 23:59" in report


@pytest.mark.usefixtures("far_from_greenwich")
def test_an_extension_in_another_zone_is_that_moment_on_the_wall_clock_of_the_course(store):
    came(store, "18 January 2026, 1:59 AM", "18 January 2026, 2:00 AM")
    extend(store, f"{DANA.id},,2026-01-17T23:59Z", f"{OMER.id},,2026-01-17T23:59Z")
    count(store)
    assert list(days(store)) == [OMER.id]
    store.extensions.unlink()
    came(store, "15 January 2026, 11:59 PM", "16 January 2026, 12:00 AM")
    count(store, f"{DUE}+05:00")
    assert list(days(store)) == [OMER.id], "Moodle's times are on the clock of the deadline"
    give_times(store, datetime(2026, 1, 15, 22, 30, tzinfo=UTC))
    count(store)
    assert read_record(store.deadline, dict[str, datetime])["at"].utcoffset(), "later on another machine it stays"


def test_the_list_of_a_ta_counts_before_what_is_computed_and_an_extension_of_one_partner_is_for_both(store):
    came(store, "20 January 2026, 11:59 PM")
    call_late(store, f"{DANA.id},0,in hospital")
    count(store)
    assert days(store) == {}
    came(store, "-", "18 January 2026, 11:59 PM", "17 January 2026, 11:59 PM", "15 January 2026, 10:00")
    extend(store, f"{PAIR[1].id},2,", "omer levi,,2026-01-17 23:59", f"{RAR.id},,2026-01-05 23:59")
    count(store)
    assert days(store) == {OMER.id: 1}
    came(store, "-", "-", "20 January 2026, 11:59 PM", "-", "15 January 2026, 10:00")
    roster = read_record(store.roster, Roster)
    write_record(store.roster, replace(roster, handins=(roster.handins[0], *roster.handins[2:])))
    lost = f"extensions.csv: {OMER.id} is nobody's id in this batch any more"
    assert (count(store)[-1].partition(",")[0], days(store)) == (lost, {}), (
        "what counts is Noa's file, which is in time"
    )


def test_gradescopes_times_count_in_any_zone_the_last_minute_is_in_time_and_seconds_beyond_a_day_begin_another(store):
    give_times(store, *[datetime(2026, 1, 15, 22, 30, tzinfo=UTC)] * 4)
    count(store, "2026-01-15 23:59+02:00")
    assert {round(late, 2) for late in days(store).values()} == {0.02}, "half an hour"
    assert "handed in 2026-01-16 00:30+02:00, due 2026-01-15 23:59+02:00" in store.counted_late.read_text("utf-8")
    # A platform tells seconds, and the sheet says 23:59
    give_times(store, datetime(2026, 1, 15, 23, 59, 42, tzinfo=UTC), datetime(2026, 1, 16, 0, 0, 3, tzinfo=UTC))
    count(store, "2026-01-15 23:59+00:00")
    assert list(days(store)) == [OMER.id]
    give_times(store, datetime(2026, 1, 17, 0, 0, 1, tzinfo=UTC), datetime(2026, 1, 16, 23, 59, 59, tzinfo=UTC))
    count(store, "2026-01-15 23:59:59+00:00")
    counted = {student: late_text(LateRule(), late).partition(": ")[2] for student, late in days(store).items()}
    assert counted == {DANA.id: "counts as 2", OMER.id: "counts as 1"}


def test_who_has_no_line_is_as_late_as_the_latest_partner(tmp_path):
    store = make_batch(tmp_path / "batch", [((DANA, OMER, RAR), full_marks, "")], ())
    call_late(store, f"{DANA.id},1,", f"{OMER.id},2,")
    assert days(store) == {DANA.id: 1, OMER.id: 2, RAR.id: 2}
    store.counted_late.write_text("student,days\n" + "".join(f"{who.id},9\n" for who in (DANA, OMER, RAR)))
    assert days(store)[RAR.id] == 2, "what a TA says of one partner is for all"


def test_whom_canvas_calls_late_is_named_until_a_ta_gives_days(store):
    roster = read_record(store.roster, Roster)
    late = replace(roster.handins[0], flags=("Dana (1) handed in late, says Canvas",))
    write_record(store.roster, replace(roster, handins=(late, *roster.handins[1:]), platform="canvas"))
    assert f"the platform calls {DANA.label} late and tells no time" in count(store)[0]
    call_late(store, f"{DANA.id},1,", f"{ABSENT.id},2,")
    assert not any("calls" in note for note in count_lateness(store))
    assert f"{ABSENT.label} handed in nothing, so that the days count for nobody" in load_batch(store).unmatched[0]


def test_without_a_deadline_nothing_is_counted_and_a_time_that_cannot_be_read_makes_nobody_late(store):
    came(store, "17 January 2030, 11:59 PM")
    count(store)
    assert (count(store, "none"), days(store)) == ((), {})
    came(store, "a week ago")
    assert f"the times of {DANA.id} cannot be read" in count(store)[0]
    assert days(store) == {}


@each(
    "line, why",
    *(("nobody,1,", "row 2: there is no student"), (f"{DANA.id},,", "until when"), (f"{DANA.id},,soon", "no date")),
    *((f"{DANA.id},-999999,", "row 2: an extension of -999999 days"), (f"{DANA.id},,9999-12-31 23:59", "no date")),
    *((f"{DANA.id},,{text}", "no date and time") for text in ("2026-01-15", "15.1.2026")),
    (f"{DANA.id},2,\n{DANA.email},1,", f"row 3: {DANA.id} has a row above"),
    ("nobody,1,", "must be in the course's list"),
)
def test_extensions_that_cannot_be_are_refused_as_a_whole(store, line, why):
    with pytest.raises(UsageError, match=why):
        extend(store, line)
    assert not store.extensions.exists()
