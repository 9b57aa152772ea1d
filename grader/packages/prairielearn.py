"""PrairieLearn: a question, and the grader that it calls, to be laid into a course's folder.

    questions/<assignment>/                     info.json and question.html: an upload of the zip, and the results
    serverFilesCourse/<assignment>-grader/      the package, grade.sh as its entry point, and a Dockerfile

Layout and options: https://docs.prairielearn.com/externalGrading/ and https://docs.prairielearn.com/question/
"""

from __future__ import annotations

import uuid
from pathlib import Path

from grader.packages.parts import Parts, write_parts, write_templates

TIMEOUT_S = 600
"""The longest that PrairieLearn allows."""
_NAMESPACE = uuid.UUID("6e9bd6f1-6d0c-4c0c-9b5b-9a0a3a3f4d51")


def fill(folder: Path, parts: Parts) -> None:
    """Write the part of a course's folder into the empty `folder`."""
    name = parts.assignment.name
    more = {"uuid": make_uuid(name), "timeout_s": TIMEOUT_S, "files": ", ".join(parts.assignment.files)}
    write_templates(folder, "prairielearn/course", parts, more)
    write_templates(folder / "questions" / name, "prairielearn/question", parts, more)
    grader = folder / "serverFilesCourse" / f"{name}-grader"
    write_parts(grader, parts)
    write_templates(grader, "prairielearn/grader", parts, more)


def make_uuid(name: str) -> str:
    """Return the question's identifier in the form of a UUID v4, the same whenever the package is made again."""
    return str(uuid.UUID(bytes=uuid.uuid5(_NAMESPACE, name).bytes, version=4))
