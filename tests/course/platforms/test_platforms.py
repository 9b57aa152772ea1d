"""What the layouts of four platforms become: hand-ins, students, warnings."""

import os
import re
import tempfile
import zipfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from examples import examples
from handins import packed
from hypothesis import given, settings
from hypothesis import strategies as st
from rows import each
from sample_uploads import archive, people

from grader.course.model import Store
from grader.course.people import Directory, Handin, Student
from grader.course.platforms.entries import read_entries
from grader.course.platforms.platform import owner_of
from grader.course.roster import find_handins, key_of, parse_partners
from grader.errors import SubmissionRefused, UsageError

METADATA = """---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0123'
    :email: ada@example.org
  - :name: "Charles \\"C\\" Babbage"
    :sid:
    :email: charles@example.org
  :created_at: 2025-12-15 10:00:00.123456789 Z
  :score: 3.0
  :results:
    :tests:
    - :name: not a person
  :history:
  - :id: 9
    :created_at: 2020-01-01 00:00:00.0 Z
submission_12:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0123'
    :email: ada@example.org
  :created_at: 2025-12-15 09:00:00.0 Z
"""


@contextmanager
def as_an_ordinary_user():
    """Let permissions hold for root, too."""
    before = os.geteuid()
    if before == 0:
        "".encode("cp437")  # archives need it, and Python's own folder may be closed to others
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def source(tmp_path):
    """An empty folder for what is handed in."""
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def test_a_folder_of_zips_has_ids_and_pairs_in_its_names_and_what_is_no_archive_is_graded_too(find, source):
    archive(source / "hw1_012345678_987654321.zip", {"utils.py": b"1"})
    archive(source / "hw1_ada.zip", {"utils.py": b"2"})
    for name in ("dana 15012026.zip", "noa 15012026.zip", "hw1_20260115_333333333.zip"):
        archive(source / name, {"utils.py": name.encode()})
    (source / "hw1_111111111.rar").write_bytes(b"Rar!\x1a\x07\x00")
    (source / "hw1_222222222.zip").write_bytes(b"")
    (source / "readme.txt").write_text("no submission")
    roster = find(source)
    assert roster.platform == "folder"
    pair, damaged = ["012345678", "987654321"], {"111111111": ["111111111"], "222222222": ["222222222"]}
    dated = {"dana 15012026", "noa 15012026", "333333333"}
    assert dated == {ids[0] for ids in people(roster).values() if ids[0] not in {pair[0], "hw1_ada", *damaged}}
    assert people(roster).items() >= {"012345678-987654321": pair, "hw1_ada": ["hw1_ada"], **damaged}.items()
    assert "readme.txt" in " ".join(roster.warnings)


def test_a_folder_of_folders_is_packed_and_keeps_no_litter(find, source):
    for name in ("utils.py", "__pycache__/utils.pyc", "students.txt"):
        (source / "team1" / name).parent.mkdir(parents=True, exist_ok=True)
        (source / "team1" / name).write_text("111111111 Ada\n222222222;Bob;bob@example.org\n")
    roster = find(source)
    assert people(roster) == {"111111111-222222222": ["111111111", "222222222"]}
    assert roster.handins[0].students[1] == Student("222222222", "Bob", "bob@example.org")
    assert zipfile.ZipFile(roster.handins[0].path).namelist() == ["utils.py"]
    assert find(source).handins == roster.handins, "found again, everything is the same"


@pytest.mark.parametrize("is_packed", [True, False])
def test_moodle_names_are_of_any_script(find, tmp_path, is_packed):
    files = {
        "נועה לוי_12345_assignsubmission_file_/hw1.zip": packed({"utils.py": b"1"}),
        "José O'Brien_777_assignsubmission_file_/max_functions.py": b"x = 1",
        "José O'Brien_777_assignsubmission_file_/utils.py": b"x = 1",
        "José O'Brien_777_assignsubmission_onlinetext_/onlinetext.html": b"see file",
    }
    source = archive(tmp_path / "all.zip", files)
    if not is_packed:
        zipfile.ZipFile(source).extractall(tmp_path / "all")
        source = tmp_path / "all"
    roster = find(source)
    assert (roster.platform, people(roster)) == ("moodle", {"12345": ["12345"], "777": ["777"]})
    assert roster.handins[0].students[0].name == "נועה לוי"
    assert roster.handins[0].platform_folder == "נועה לוי_12345_assignsubmission_file_"
    assert not roster.warnings
    assert zipfile.ZipFile(roster.handins[1].path).namelist() == ["max_functions.py", "utils.py"]


def test_moodle_without_folders_and_names_in_utf8_that_are_not_marked_so_are_read(find, tmp_path):
    source = archive(tmp_path / "all.zip", {"Ada_5_assignsubmission_file_hw1.zip": packed({"utils.py": b"1"})})
    assert people(find(source)) == {"5": ["5"]}
    source = archive(tmp_path / "all.zip", {"XXXXXXXX_12_assignsubmission_file_/hw1.zip": packed({"utils.py": b"1"})})
    source.write_bytes(source.read_bytes().replace(b"XXXXXXXX", "נועה".encode()))
    assert find(source).handins[0].students == (Student("12", "נועה"),)


def test_hostile_names_in_an_archive_are_only_read(find, tmp_path):
    names = ["../../x_1_assignsubmission_file_/hw1.zip", "<b>_2_assignsubmission_file_/../../../hw1.zip"]
    source = archive(tmp_path / "all.zip", dict.fromkeys(names, packed({"utils.py": b"1"})))
    assert people(find(source)) == {"1": ["1"], "2": ["2"]}
    assert {path.parent for path in tmp_path.rglob("*") if path.is_file()} == {tmp_path, tmp_path / "batch/handins"}


def test_canvas_knows_the_newest_attempt_and_late_ones(find, source):
    archive(source / "lovelaceada_41_900_hw1.zip", {"utils.py": b"old"})
    archive(source / "lovelaceada_LATE_41_950_hw1-1.zip", {"utils.py": b"new"})
    archive(source / "babbagecharles_42_901_hw1.zip", {"utils.py": b"other"})
    roster = find(source)
    assert (roster.platform, people(roster)) == ("canvas", {"41": ["41"], "42": ["42"]})
    assert roster.handins[0].path.name == "lovelaceada_LATE_41_950_hw1-1.zip"
    said = " ".join(roster.warnings)
    assert "handed in late" in said
    assert "lovelaceada_LATE_41_950: hw1-1.zip counts, and not hw1.zip" in said


def test_canvas_numbers_each_file_of_a_hand_in_and_all_of_them_count(find, source):
    for name in ("997_max_functions.py", "998_hw1.pdf", "999_utils.py", "1000_utils-1.py"):
        (source / f"lovelaceada_41_{name}").write_text(name)
    archive(source / "babbagecharles_42_901_hw1.zip", {"hw1/utils.py": b"other"})
    (source / "babbagecharles_42_902_hw1.pdf").write_text("beside the zip")
    (source / "babbagecharles_42_903_utils.py").write_text("the zip has its own")
    roster = find(source)
    assert people(roster) == {"41": ["41"], "42": ["42"]}
    made = zipfile.ZipFile(roster.handins[0].path)
    assert sorted(made.namelist()) == ["hw1.pdf", "max_functions.py", "utils.py"]
    assert made.read("utils.py") == b"1000_utils-1.py"
    assert "not the older lovelaceada_41_999_utils.py" in " ".join(roster.warnings)
    made = zipfile.ZipFile(roster.handins[1].path)
    assert made.namelist() == ["hw1/utils.py", "hw1.pdf"], "a report beside the zip counts, too"
    assert roster.handins[1].flags == ("graded with what is beside the archive: hw1.pdf",)


@each("name", "lovelaceada_777_1_hw1.zip", "Ada Lovelace_777_assignsubmission_file_/hw1.zip")
def test_a_platforms_own_number_is_no_id_of_the_courses_list(source, tmp_path, name):
    (source / name).parent.mkdir(exist_ok=True)
    archive(source / name, {"utils.py": b"1"})
    course = Directory((Student("777", "Charles Babbage"), Student("318822", "Lovelace, Ada")))
    roster = find_handins(source, Store(tmp_path / "batch"), "auto", course)
    assert (people(roster), [one.id for one in roster.missing]) == ({"318822": ["318822"]}, ["777"])


def test_who_has_a_place_on_the_platform_and_no_file_is_not_lost(find, tmp_path):
    files = {
        "Ada_1_assignsubmission_file_/hw1.zip": packed({"utils.py": b"1"}),
        "Bob_2_assignsubmission_onlinetext_/onlinetext.html": b"see mail",
        "Ada_1_assignsubmission_onlinetext_/onlinetext.html": b"see file",
        "Cid_3_assignsubmission_file_/students.txt": b"Ada",
        "Dan_4_assignsubmission_file_/": b"",
        "Eve_5_assignsubmission_onlinetext_onlinetext.html": b"flat",
    }
    source = archive(tmp_path / "all.zip", files)
    roster = find(source)
    assert people(roster) == {"1": ["1"]}
    assert roster.missing == (Student("2", "Bob"), Student("3", "Cid"), Student("4", "Dan"), Student("5", "Eve"))
    assert sum("no file to grade in" in text for text in roster.warnings) == 4
    zipfile.ZipFile(source).extractall(tmp_path / "all")
    assert find(tmp_path / "all").missing == roster.missing


def test_a_partner_is_known_to_moodle_by_name(find, tmp_path):
    files = {
        "Ada L_1_assignsubmission_file_/hw1.zip": packed({"utils.py": b"1"}),
        "Ada L_1_assignsubmission_file_/students.txt": b"012345678 Ada L\n987654321 Bob M\n",
        "Bob M_2_assignsubmission_onlinetext_/onlinetext.html": b"my partner has it",
    }
    roster = find(archive(tmp_path / "all.zip", files))
    assert people(roster) == {"1-2": ["1", "2"]}, "the numbers of students.txt are of the same two people"
    assert not roster.missing


def test_an_upload_to_moodle_is_as_new_as_its_newest_file(find, tmp_path):
    early, noon, late = ((2025, 12, 15, hour, 0, 0) for hour in (10, 12, 14))
    partner = b"333333333 Cid"
    files = {
        "Ada_1_assignsubmission_file_/utils.py": (b"1", early),
        "Ada_1_assignsubmission_file_/max_functions.py": (b"1", late),
        "Ada_1_assignsubmission_file_/students.txt": (partner, early),
        "Bob_2_assignsubmission_file_/utils.py": (b"2", noon),
        "Bob_2_assignsubmission_file_/students.txt": (partner, noon),
    }
    assert people(find(archive(tmp_path / "all.zip", files))) == {"1-333333333": ["1", "333333333"], "2": ["2"]}


def test_in_a_folder_whatever_has_an_id_is_somebodys(find, source):
    (source / "hw1_444444444").mkdir()
    archive(source / "hw1_111111111", {"utils.py": b"1"})
    (source / "hw1_222222222.py").write_text("x = 1")
    (source / "hw1_333333333.zip.crdownload").write_bytes(b"half")
    for name in ("grades_20251215.csv", "list_555555555.csv", "plot_20251215.png"):
        (source / name).write_text("no hand-in")
    roster = find(source)
    assert list(people(roster)) == ["111111111", "222222222", "333333333"]
    assert [student.id for student in roster.missing] == ["444444444"]
    assert roster.handins[0].path.name == "hw1_111111111", "a zip whose ending was lost"
    assert "passed over list_555555555.csv, which is no archive" in roster.warnings


@pytest.mark.parametrize("also", ["", "course.csv"])
def test_a_folder_around_the_hand_ins_is_looked_into(find, source, also):
    for name in ("hw1_111111111.zip", "hw1_222222222.zip"):
        archive(source / "sent" / name, {"utils.py": name.encode()})
    if also:
        (source / also).write_text("id\n1\n")
    assert list(people(find(source))) == ["111111111", "222222222"]


def test_a_folder_that_is_one_hand_in_stays_one(find, tmp_path):
    for number, names in enumerate((("team/utils.py", "team/old.zip"), ("team/hw1/utils.py", "team/hw1/a/b.py"))):
        zipfile.ZipFile(archive(tmp_path / "made.zip", dict.fromkeys(names, b"1"))).extractall(tmp_path / str(number))
        assert list(people(find(tmp_path / str(number)))) == ["team"]


def test_gradescope_says_who_and_when_and_without_metadata_it_goes_by_numbers(find, tmp_path):
    files = {
        "assignment_7_export/submission_metadata.yml": METADATA.encode(),
        "assignment_7_export/submission_11/utils.py": b"1",
        "assignment_7_export/submission_12/utils.py": b"2",
    }
    roster = find(archive(tmp_path / "export.zip", files))
    assert roster.platform == "gradescope"
    (handin,) = roster.handins
    assert handin.students == (
        Student("0123", "Ada Lovelace", "ada@example.org"),
        Student("charles@example.org", 'Charles "C" Babbage', "charles@example.org"),
    )
    assert handin.handed_in_at == datetime(2025, 12, 15, 10, 0, 0, 123456, UTC)
    assert "submission_12 does not" in " ".join(roster.warnings)
    roster = find(archive(tmp_path / "export.zip", {"submission_11/utils.py": b"1"}))
    assert list(people(roster)) == ["submission_11"]
    assert "submission_metadata.yml" in roster.warnings[0]


@each(
    "written, name",
    [("'O''Brien, A'", "O'Brien, A"), ('"O\'Brien, A: B"', "O'Brien, A: B"), ("null", ""), ("~", ""), ("noa", "noa")],
)
def test_gradescopes_names_are_read_as_yaml_writes_them(find, tmp_path, written, name):
    text = METADATA.replace("Ada Lovelace", written)
    files = {"submission_metadata.yml": text.encode(), "submission_11/utils.py": b"1"}
    (handin,) = find(archive(tmp_path / "export.zip", files)).handins
    assert handin.students[0].name == name


@pytest.mark.usefixtures("far_from_greenwich")
def test_a_time_of_gradescopes_without_a_zone_is_utc(find, tmp_path):
    text = METADATA.replace("2025-12-15 10:00:00.123456789 Z", "2025-12-15 10:00:00")
    files = {"submission_metadata.yml": text.encode(), "submission_11/utils.py": b"1"}
    (handin,) = find(archive(tmp_path / "export.zip", files)).handins
    assert handin.handed_in_at == datetime(2025, 12, 15, 10, 0, tzinfo=UTC)


def test_the_newest_of_two_counts_and_a_partner_in_the_old_one_has_handed_in_nothing(find, source):
    old, new = {"utils.py": b"old", "students.txt": b"222222222"}, {"utils.py": b"new"}
    for name, files, when in (("hw1_111111111.zip", old, 1), ("late_111111111.zip", new, 2)):
        os.utime(archive(source / name, files), (when, when))
    roster = find(source)
    assert people(roster) == {"111111111": ["111111111"]}
    assert [handin.path.name for handin in roster.handins] == ["late_111111111.zip"]
    assert "late_111111111.zip counts, being newer by the file's time" in " ".join(roster.warnings)
    for name in ("hw1_222222222 (1).zip", "hw1_222222222.zip", "v2_333333333.zip", "v10_333333333.zip"):
        os.utime(archive(source / name, {"utils.py": name.encode()}), (1, 1))
    roster = find(source)
    assert [one.path.name for one in roster.handins[1:]] == ["hw1_222222222 (1).zip", "v10_333333333.zip"]
    assert "v10_333333333.zip counts, being newer by its name" in " ".join(roster.warnings)


def test_a_zip_in_capitals_counts_before_an_archive_that_no_grading_opens(find, source):
    for name in ("hw1_111111111", "hw1_222222222"):
        os.utime(archive(source / name / "HW1.ZIP", {"utils.py": name.encode()}), (1, 1))
        (source / name / "hw1.rar").write_bytes(b"Rar!")
    assert [handin.path.name for handin in find(source).handins] == ["HW1.ZIP", "HW1.ZIP"]


@pytest.mark.parametrize("newest", ["hw1_111111111.zip", "hw1_111111111.z01"])
def test_parts_of_a_split_archive_are_one_hand_in_and_no_second_one(find, source, newest):
    for name in ("hw1_111111111.zip", "hw1_111111111.z01", "hw1_111111111.z02"):
        when = 2 if name == newest else 1
        os.utime(archive(source / name, {"utils.py": name.encode()}), (when, when))
    roster = find(source)
    assert [handin.labels for handin in roster.handins] == [("111111111",)]
    said = "111111111 handed in an archive that is split into parts: "
    assert f"{said}hw1_111111111.z01, hw1_111111111.z02, hw1_111111111.zip" in roster.warnings
    assert "twice" not in " ".join(roster.warnings)


def test_the_same_content_is_noticed_however_it_is_packed(find, source):
    archive(source / "hw1_111111111.zip", {"utils.py": b"same", "hw1.pdf": b"too"})
    archive(source / "hw1_222222222.zip", {"hw1/hw1.pdf": b"too", "hw1/utils.py": b"same"}, at=(2020, 1, 1, 1, 1, 0))
    archive(source / "hw1_333333333.zip", {"utils.py": b"own"})
    roster = find(source)
    flags = {handin.key: handin.flags for handin in roster.handins}
    assert (flags["111111111"], flags["333333333"]) == (("the same content as 222222222",), ())
    assert "111111111: the same content as 222222222" in roster.warnings


def test_a_student_cannot_take_the_place_of_anothers_hand_in(find, source):
    archive(source / "hw1_111111111.zip", {"utils.py": b"empty", "students.txt": b"222222222\n333333333"})
    archive(source / "hw1_222222222.zip", {"utils.py": b"right"})
    roster = find(source)
    assert people(roster) == {"111111111-333333333": ["111111111", "333333333"], "222222222": ["222222222"]}
    assert "333333333 is a partner by students.txt only" in roster.handins[0].flags[0]
    assert "222222222 as a partner in students.txt, who handed in hw1_222222222.zip" in " ".join(roster.warnings)


def test_a_partner_stays_where_a_newer_upload_that_names_them_does_not_count(find, source):
    archive(source / "hw1_111111111.zip", {"utils.py": b"1", "students.txt": b"333333333"}, at=(2025, 1, 1, 8, 0, 0))
    archive(source / "old_222222222.zip", {"utils.py": b"2", "students.txt": b"333333333"}, at=(2025, 1, 1, 9, 0, 0))
    archive(source / "hw1_222222222.zip", {"utils.py": b"3"})
    assert [*people(find(source))] == ["111111111-333333333", "222222222"]


@each("folder, owner", ("lada_7_9", "1"), ("mbob_2_9", "2"), ("Bob M_7_assignsubmission_file_", "2"), ("cid_7_9", ""))
def test_the_folder_of_a_pair_is_of_the_one_whose_id_or_name_it_has(folder, owner):
    pair = Student("1", "L, Ada"), Student("2", "Bob M")
    assert owner_of(Handin("1-2", pair, Path("hw1.zip"), "", folder)) == owner


def test_a_list_of_partners_may_begin_with_a_mark_counts_near_the_top_only_and_names_eight_at_most(find, source):
    archive(source / "hw1_111111111.zip", {"utils.py": b"1", "students.txt": "\ufeffAda, 222222222".encode()})
    assert find(source).handins[0].students[1] == Student("222222222", "Ada")
    archive(source / "hw1_111111111.zip", {"utils.py": b"1", "students.txt": "דנה, 222222222".encode("utf-16")})
    assert find(source).handins[0].students[1] == Student("222222222", "דנה")
    many = "\n".join(str(222222220 + number) for number in range(10)).encode()
    archive(source / "hw1_111111111.zip", {"hw1/utils.py": b"1", "hw1/old/students.txt": b"999999999"})
    archive(source / "hw1_333333333.zip", {"hw1/utils.py": b"2", "hw1/students.txt": many})
    alone, crowd = people(find(source)).values()
    assert (alone, len(crowd)) == (["111111111"], 1 + 8)
    assert parse_partners("a@x.org\n") == (Student("a@x.org", "", "a@x.org"),)


def test_a_folder_is_as_new_as_its_newest_file_and_not_of_whom_one_of_several_files_names(find, source):
    times = {"hw1_111111111/a.py": 1, "hw1_111111111/b.py": 5, "late_111111111/a.py": 3, "late_111111111/b.py": 4}
    for name, when in {**times, "team/old_222222222.py": 1, "team/utils.py": 1}.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text("x = 1")
        os.utime(source / name, (when, when))
    roster = find(source)
    assert people(roster) == {"111111111": ["111111111"], "team": ["team"]}
    assert "hw1_111111111 counts, being newer by the file's time" in " ".join(roster.warnings)


@pytest.mark.parametrize("content", [b"", b"less", b"more than before"])
def test_a_file_that_changes_while_it_is_copied_is_not_taken(source, content):
    (source / "utils.py").write_bytes(b"as it was")
    ((entry,), _links) = read_entries(source)
    (source / "utils.py").write_bytes(content)
    with pytest.raises(SubmissionRefused, match="does not have the 9 bytes"):
        entry.read()


def test_a_user_name_of_the_list_is_found_in_a_files_name_however_it_is_written(find, source):
    archive(source / "hw1_LovelaceA.zip", {"utils.py": b"1"})
    assert list(people(find(source, students="id,name\nLOVELACEa,Ada\n")).values()) == [["LOVELACEa"]]


def test_a_folder_of_packed_files_that_are_nobodys_archive_holds_no_submission(find, source):
    for name in ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "notes.txt.xz"):
        (source / name).write_bytes(b"\x1f\x8b")
    with pytest.raises(UsageError, match=r"holds no submission but .*train-images.*: name a folder of zips"):
        find(source)
    (source / "hw1.tar.gz").write_bytes(b"\x1f\x8b")
    (source / "hw1_111111111.py.gz").write_bytes(b"\x1f\x8b")
    assert len(find(source).handins) == 2


def test_a_damaged_member_costs_only_its_own_student_and_is_said(find, tmp_path):
    good, bad = "A_1_assignsubmission_file_/hw1.zip", "B_2_assignsubmission_file_/hw1.zip"
    source = archive(tmp_path / "all.zip", {good: packed({"utils.py": b"1"}), bad: b"SPOILED" * 50})
    source.write_bytes(source.read_bytes().replace(b"SPOILED", b"spoiled", 3))
    roster = find(source)
    assert (people(roster), roster.handins[0].problem) == ({"1": ["1"], "2": ["2"]}, "")
    assert "Bad CRC-32" in roster.handins[1].problem
    assert "download it again" in roster.warnings[0]
    assert not roster.missing  # it was handed in


def test_a_file_that_may_not_be_read_costs_only_its_own_student():
    with tempfile.TemporaryDirectory() as folder:
        source, store = Path(folder, "in"), Path(folder, "out")
        for name in ("hw1_111111111.zip", "hw1_222222222.zip"):
            archive(source / name, {"utils.py": name.encode()})
        (source / "hw1_333333333").mkdir()
        (source / "hw1_333333333/utils.py").write_bytes(b"1")
        for path in (source / "hw1_222222222.zip", source / "hw1_333333333/utils.py"):
            path.chmod(0)
        store.mkdir()
        for path in (Path(folder), source, store):
            path.chmod(0o777)
        with as_an_ordinary_user():
            roster = find_handins(source, Store(store))
            assert not [path for path in store.rglob("*") if path.is_file()]
    problems = {handin.key: handin.problem for handin in roster.handins if handin.problem}
    for key in ("222222222", "333333333"):
        assert "Permission denied" in problems.pop(key)
        assert any(warning.startswith(key) for warning in roster.warnings)
    assert not problems
    assert not any(handin.flags for handin in roster.handins)


@each(
    "name, platform, says",
    ("", "auto", "holds no submission but 'readme.txt'"),
    ("", "moodle", "no submission of Moodle's"),
    ("none", "auto", "No such file"),
    ("readme.txt", "auto", "neither a folder nor a readable zip"),
)
def test_nothing_to_grade_is_one_sentence(find, source, name, platform, says):
    (source / "readme.txt").write_text("x")
    with pytest.raises(UsageError, match=says):
        find(source / name, platform)


def test_a_download_that_broke_off_is_not_taken_for_the_last_zip_in_it(find, tmp_path):
    inner, path = packed({"utils.py": b"1"}), tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("Ada_1_assignsubmission_file_/hw1.zip", inner)
    path.write_bytes(path.read_bytes().partition(inner)[0] + inner)
    with pytest.raises(UsageError, match="is incomplete: download it again"):
        find(path)


def test_links_in_a_folder_are_not_followed(find, source):
    archive(source / "hw1_111111111.zip", {"utils.py": b"1"})
    (source / "hw1_222222222.zip").symlink_to("/etc/passwd")
    (source / "loop").symlink_to(source)
    roster = find(source)
    assert people(roster) == {"111111111": ["111111111"]}
    assert [text.partition(",")[0] for text in roster.warnings] == ["passed over hw1_222222222.zip", "passed over loop"]


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=3, unique=True))
@settings(max_examples=examples(200))
def test_keys_are_safe_names_and_depend_on_the_students_only(ids):
    key = key_of(ids)
    assert key == key_of(list(reversed(ids)))
    assert re.fullmatch(r"[a-z0-9_][a-z0-9._-]{0,78}", key)


@given(st.sets(st.text(min_size=1, max_size=8), min_size=2, max_size=2))
@settings(max_examples=examples(300))
def test_two_students_never_share_a_key_and_a_pair_none_with_a_student(pair):
    one, other = sorted(pair)
    assert len({key_of([one]), key_of([other]), key_of([one, other]), key_of([f"{one}-{other}"])}) == 4
