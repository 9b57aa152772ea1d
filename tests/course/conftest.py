"""What tests of finding share."""

import pytest

from grader.course.model import Store
from grader.course.people import read_course_list
from grader.course.roster import find_handins


@pytest.fixture
def find(tmp_path):
    def found(source, platform="auto", students=None):
        course = None
        if students is not None:
            listed = tmp_path / "students.csv"
            listed.write_text(students, "utf-8")
            course = read_course_list(listed)
        return find_handins(source, Store(tmp_path / "batch"), platform, course)

    return found
