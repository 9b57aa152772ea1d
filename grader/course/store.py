"""The paths of a batch. Its files are the only state: nothing else is remembered.

out/<batch>/
    batch.json                 what was asked for: folder, assignment, options, seed
    roster.json                who handed in what
    rubric.toml                the rubric of the sheets, once it is not the assignment's own
    late.csv, lms/             late days, and what was downloaded from the learning platform to be filled
    deadline.json, extensions.csv   what late days are computed from: late-counted.csv
    handins/<key>.zip          what lay inside an archive of a learning platform, unpacked once
    tasks/<key>.json           what is to be graded, and how; written before the grading starts
    logs/<key>.txt             what the process of a grading printed
    submissions/<key>/         evidence.json, report.html, results.json, junit.xml: as one grading writes them
    submissions/<key>/job.json  the fingerprint that this evidence belongs to; written last
    marks.json                 what TAs gave, every change with who and when
    comments.json              what they choose from: reusable comments with points
    notes.txt                  what the sheets' last writing had to say
    similarity.json            which hand-ins are alike; similarity.html and similarity/ show it
    mail/                      one text for each student, from a template
    grades.csv, junit.xml, index.html, feedback.zip, moodle.csv, canvas.csv, ...   written anew from all of these
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Store:
    """All paths of one batch."""

    root: Path

    @property
    def settings(self) -> Path:
        """What was asked for."""
        return self.root / "batch.json"

    @property
    def roster(self) -> Path:
        """Who handed in what."""
        return self.root / "roster.json"

    @property
    def rubric(self) -> Path:
        """The rubric of the sheets, once it is not the assignment's own."""
        return self.root / "rubric.toml"

    @property
    def late(self) -> Path:
        """Late days, as the course's list says."""
        return self.root / "late.csv"

    @property
    def deadline(self) -> Path:
        """When hand-ins were due, if late days are computed."""
        return self.root / "deadline.json"

    @property
    def extensions(self) -> Path:
        """Who may hand in later."""
        return self.root / "extensions.csv"

    @property
    def counted_late(self) -> Path:
        """The late days that follow from these; written anew."""
        return self.root / "late-counted.csv"

    @property
    def lms(self) -> Path:
        """The folder of what was downloaded from the learning platform."""
        return self.root / "lms"

    @property
    def handins(self) -> Path:
        """The folder of hand-ins that were taken out of an archive."""
        return self.root / "handins"

    @property
    def marks(self) -> Path:
        """What TAs gave."""
        return self.root / "marks.json"

    @property
    def comments(self) -> Path:
        """The reusable comments of the TAs."""
        return self.root / "comments.json"

    @property
    def likeness(self) -> Path:
        """Which hand-ins are alike."""
        return self.root / "similarity.json"

    @property
    def submissions(self) -> Path:
        """The folder of all hand-ins' folders."""
        return self.root / "submissions"

    def folder(self, key: str) -> Path:
        """Everything of the hand-in `key`."""
        return self.submissions / key

    def evidence(self, key: str) -> Path:
        """What was observed of the hand-in `key`."""
        return self.folder(key) / "evidence.json"

    def job(self, key: str) -> Path:
        """The fingerprint that the evidence belongs to."""
        return self.folder(key) / "job.json"

    def task(self, key: str) -> Path:
        """What is to be graded, and how."""
        return self.root / "tasks" / f"{key}.json"

    def log(self, key: str) -> Path:
        """What the process of the grading printed."""
        return self.root / "logs" / f"{key}.txt"
