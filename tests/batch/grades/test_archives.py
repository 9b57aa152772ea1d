"""Feedback has to reach whom it is for: each platform finds the owner by the name of a folder, in its own way."""

from rows import each

from grader.batch.grades.archives import safe_name

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
