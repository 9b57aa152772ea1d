"""Errors, one kind for each party at fault.

    GraderError            the grader's, staff's or user's; one sentence, next step   exit code 3
    ├── UsageError         the command line asked for something impossible        exit code 2
    ├── StaffError         a rubric, check or staff file is wrong                 exit code 3
    └── WorkerError        the worker failed in a way that no student can cause   outcome `error`
    SubmissionRefused      the handed-in file cannot be opened safely             exit code 2, with a report
    StudentFault           student code did something wrong                       outcome `failed`
    ├── StudentRaised      it raised an exception
    └── StudentStopped     it was stopped, or died: time, memory, crash
        └── StudentTooSlow it took longer than it may
    NotMeasured            this machine lacks what the check needs                outcome `not_measured`
    Inconclusive           a person must decide                                   outcome `inconclusive`

All exceptions are caught at these places: where a command ends (`commands/__init__.py`; for a forked grading
`course/job.py`), where pytest runs a check, and around code of others: a submission's, in the worker; staff's, where it
is imported; a driver's, where it is tried. Each such `except` gives its reason.
"""

import errno
import sys
import tempfile

from grader.model import Finding


class GraderError(Exception):
    """The grader, its staff or its user made an error; the text is one sentence with the value and the next step."""


class UsageError(GraderError):
    """The user asked for something impossible: a missing file, an unknown option value."""


class StaffError(GraderError):
    """A rubric, a check or a staff file is wrong."""


class WorkerError(GraderError):
    """The worker failed in a way that no student can cause."""


class SubmissionRefused(Exception):  # noqa: N818 - an event of grading, not a malfunction
    """The handed-in file cannot be opened safely, or is no archive at all."""


class StudentFault(Exception):  # noqa: N818 - a fault of student code, not an error of the grader
    """Student code did something wrong; `finding` says what."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class StudentRaised(StudentFault):
    """Student code raised an exception; `type_name` is the exception's class name."""

    def __init__(self, finding: Finding, type_name: str) -> None:
        super().__init__(finding)
        self.type_name = type_name


class StudentStopped(StudentFault):
    """Student code was stopped by a limit, or crashed its process."""


class StudentTooSlow(StudentStopped):
    """Student code took longer than it may; nothing else is known to be wrong with it."""


class NotMeasured(Exception):  # noqa: N818 - an outcome, not a malfunction
    """This machine lacks hardware that the check needs; the text says which, and where it can be measured."""


class Inconclusive(Exception):  # noqa: N818 - an outcome, not a malfunction
    """The evidence gives no decision; the text says why a person must decide."""


def describe_shortage(error: BaseException) -> str:
    """Return a sentence with the next step if `error` means too little memory or disk space; else an empty text."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "there is too little memory here: grading takes up to 8 GB; see `ulimit -v`, and --mem inside Slurm"
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        where = f"on the disk of {error.filename}" if error.filename else f"in {tempfile.gettempdir()}"
        return f"there is no space left {where}: free some, or name another temporary folder by TMPDIR=dir"
    return ""


def install_command(extra: str) -> str:
    """Return the command, for the grader's folder, that installs an extra of this project; no registry has it."""
    return f"{sys.executable} -m pip install --editable '.[{extra}]'"
