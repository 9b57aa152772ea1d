"""Feedback reaches whom it is for: the right numbers to the right address, in a folder that each platform finds."""

from dataclasses import replace
from email import message_from_bytes, policy

import pytest
from rows import each
from sample_batches import ABSENT, DANA, HANDINS, OMER, PAIR, RAR, RUBRIC_FILE, make_batch, read_rows

from grader.course.grades.graded import grades_of, load_batch, sheet_rows
from grader.course.grades.letters import write_letters
from grader.course.grades.marks import give_mark
from grader.course.people import Student
from grader.course.platforms.platform import safe_name
from grader.errors import UsageError
from grader.model import Mark

TEMPLATE = "Subject: $title: $score\n\nDear $name,\n\n$score ($status).\n$comments\n$first_step\nIt costs 5 $$.\n"


def read(path):
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def test_everybody_with_an_address_gets_their_own_numbers_and_who_has_none_is_named_and_in_the_table(store):
    give_mark(store, Mark(DANA.id, "report.explanation", 8, "ברור מאוד, `max_gpu`"))
    written = write_letters(store, TEMPLATE)
    mails = {mail["To"].addresses[0].addr_spec: mail for mail in map(read, written.files)}
    assert set(mails) == {who.email for who in (DANA, OMER, PAIR[0], RAR, ABSENT)}
    dana = mails[DANA.email]
    assert dana["To"].addresses[0].display_name == DANA.name
    assert dana["Subject"].endswith(": 93 of 100")
    text = dana.get_content()
    assert "Dear דנה כהן," in text
    assert "93 of 100 (final)." in text
    assert "report.explanation: 8 points. ברור מאוד, max_gpu" in text
    assert "It costs 5 $." in text
    assert dana["X-Unsent"] == "1"
    assert "Date" not in dana
    assert "83 to 100 of 100 (provisional)." in mails[OMER.email].get_content()
    assert "nothing handed in" in mails[ABSENT.email].get_content()
    assert written.without_address == (PAIR[1].label,)
    told = {row["student"]: row for row in read_rows(written.table)}
    assert told[PAIR[1].id]["file"] == ""
    assert "Dear Noa Bar," in told[PAIR[1].id]["text"]
    assert told[PAIR[0].id]["name"].startswith("'="), "a spreadsheet computes nothing"


EVE = Student("1", "Eve", "eve@example.org")


def batch_of(student, folder):
    return make_batch(folder / "batch", (((student,), HANDINS[0][1], "x"),), missing=())


@each(
    "changed",
    *({"name": name} for name in ("Eve\r\nBcc: all@example.org", '"; Bcc: all@example.org')),
    *({"name": name} for name in ("\u202eEve <all@example.org>", "<b>$score</b> ${id} $$")),
    *({"email": f"eve@example.org{more}"} for more in ("\r\nBcc: all@example.org", ", all@example.org")),
    {"email": "no address"},
    {"id": "../../etc/passwd"},
)
def test_a_hostile_name_or_address_reaches_nobody_else(tmp_path, changed):
    store = batch_of(replace(EVE, **changed), tmp_path)
    written = write_letters(store, "Subject: for $name\nDear $name, $id\n")
    for path in written.files:
        assert path.parent == store.root / "mail"
        mail = read(path)
        assert [one.addr_spec for one in mail["To"].addresses] == ["eve@example.org"]
        headers = {"To", "Subject", "X-Unsent", "Content-Type", "Content-Transfer-Encoding", "MIME-Version"}
        assert set(mail.keys()) == headers
    assert len(written.files) + len(written.without_address) == 1


def test_a_dollar_in_a_name_is_no_field(tmp_path):
    store = batch_of(replace(DANA, name="$score"), tmp_path)
    assert "Dear $score," in read(write_letters(store, "Dear $name,").files[0]).get_content()


@pytest.mark.parametrize(("template", "why"), [("$points", r"has \$points"), ("5 $ each", "begins no field")])
def test_a_template_with_a_slip_is_refused_and_what_was_written_stays(store, template, why):
    first = write_letters(store, "Dear $name")
    with pytest.raises(UsageError, match=why):
        write_letters(store, template)
    with pytest.raises(UsageError, match="is it the right file"):
        write_letters(store, "\ufeffstudent;points\n012345678;5")
    assert sorted((store.root / "mail").glob("*.eml")) == sorted(first.files)


def test_the_students_own_report_is_attached_and_a_second_writing_leaves_no_mail_of_the_first(store):
    (page,) = read(write_letters(store, "Dear $name", attach=True).files[0]).iter_attachments()
    assert page.get_filename() == "report.html"
    assert "For staff" not in page.get_content()
    assert DANA.id in page.get_content()
    first = write_letters(store, "one $$")
    (store.root / "mail" / "gone.eml").write_text("old")
    assert write_letters(store, "two $$").files == first.files
    assert not (store.root / "mail" / "gone.eml").exists()


def test_a_letter_says_nothing_of_a_check_that_is_hidden(store):
    hidden = 'id = "report.explanation"'
    store.rubric.write_text(RUBRIC_FILE.read_text("utf-8").replace(hidden, f'{hidden}\nvisibility = "hidden"'), "utf-8")
    give_mark(store, Mark(DANA.id, "report.explanation", 8, "very clear"))
    texts = "".join(row["text"] for row in read_rows(write_letters(store, f"{TEMPLATE}$open").table))
    assert "93 of 100 (final)." in texts
    texts += "".join(grade.text for grade in grades_of(sheet_rows(load_batch(store))))  # for Moodle's column
    assert not [word for word in ("report.explanation", "very clear") if word in texts]


DIFFICULT = (
    *("Conan O'Brien", "ג'ורג' חביבי", "Anne-Marie D\N{RIGHT SINGLE QUOTATION MARK}Arcy (guest)", "李 小龍"),
    *("José Ángel Núñez, Jr.", 'Robert "Bobby" Tables; DROP', "Jean/Luc \\ Picard", "名" * 150, "..", ""),
)


@each("name", DIFFICULT)
def test_moodle_finds_the_participant_between_the_first_two_underscores(name):
    folder = safe_name(f"{name}_12345_assignsubmission_file_")
    assert folder.split("_")[1:] == ["12345", "assignsubmission", "file", ""]
    assert len(folder) <= 120
    assert not {*"/\\:*?\"<>|'\0\n"} & {*folder}


@each("name", ["..", ".", "", "/", ".hidden", "con\0", "a\nb"])
def test_a_name_is_that_of_one_visible_folder(name):
    folder = safe_name(name)
    assert folder
    assert folder[0] != "."
    assert not {*"/\\\0\n"} & {*folder}
