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


class _Below:
    """A path below the folder of a batch."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, store: Store, _kind: object = None) -> Path:
        """Return the path in `store`."""
        return store.root / self._name


@dataclass(frozen=True, slots=True)
class Store:
    """All paths of one batch; the table above says what lies there."""

    root: Path
    settings, roster, rubric = _Below("batch.json"), _Below("roster.json"), _Below("rubric.toml")
    late, counted_late = _Below("late.csv"), _Below("late-counted.csv")
    deadline, extensions = _Below("deadline.json"), _Below("extensions.csv")
    lms, handins, submissions = _Below("lms"), _Below("handins"), _Below("submissions")
    marks, comments, likeness = _Below("marks.json"), _Below("comments.json"), _Below("similarity.json")

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
