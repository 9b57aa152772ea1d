"""What is said of files that were not handed in: whose points are lost, and which a TA decides."""

from pathlib import Path

import pytest
from rows import check_rows

from grader.authoring import Note, Sources, StudentFault
from grader.model import Submission


def test_the_points_of_a_missing_file_are_lost_unless_another_may_be_meant():
    def check(missing, spare, said):
        sources = Sources(Path(), Submission("", "", missing=missing, spare=spare))
        with pytest.raises(StudentFault) as raised:
            sources.expect_complete(Note())
        assert raised.value.finding.message == f"Missing: {', '.join(missing)}."
        assert raised.value.finding.hint == said

    check_rows(
        check,
        [
            (("hw1.pdf",), (), "Without hw1.pdf, its points are lost."),
            (("hw1.pdf",), ("main.py", "README.md"), "Without hw1.pdf, its points are lost."),
            (("utils.py", "hw1.pdf"), (), "Without utils.py and hw1.pdf, their points are lost."),
            (("hw1.pdf",), ("report.pdf",), "A TA decides whether 'report.pdf' is meant by hw1.pdf."),
            (
                ("utils.py", "hw1.pdf"),
                ("util.py",),
                "Without hw1.pdf, its points are lost. A TA decides whether 'util.py' is meant by utils.py.",
            ),
        ],
    )
