"""Errors, split by whose fault they are.

    GraderError            ours or the staff's; one sentence with the next step
    ├── UsageError         the command line asked for something impossible        exit code 2
    ├── StaffError         a rubric, check or staff file is wrong                 exit code 3
    └── WorkerError        the worker failed in a way that no student can cause   outcome `error`
    SubmissionRefused      the handed-in file cannot be opened safely             exit code 2, with a report
    StudentFault           student code did something wrong                       outcome `failed`
    ├── StudentRaised      it raised
    └── StudentStopped     it was stopped, or died: time, memory, crash
        └── StudentTooSlow it took longer than it may
    NotMeasured            this machine lacks what the check needs                outcome `not_measured`
    Inconclusive           a person has to look                                   outcome `inconclusive`

Everything that may be raised is caught where a command ends (`commands/__init__.py`; for a forked one
`course/job.py`), where pytest runs a check, and around code that is not ours: a submission's, in the worker;
staff's, where it is imported; a driver's, where it is probed. Each such `except` says why.
"""

import errno
import sys
import tempfile

from grader.model import Finding


class GraderError(Exception):
    """Something of ours failed; the text is one sentence that names the value and the next step."""


class UsageError(GraderError):
    """The user asked for something impossible: a missing file, an unknown option value."""


class StaffError(GraderError):
    """A rubric, a check or a staff file is wrong."""


class WorkerError(GraderError):
    """The worker failed in a way that no student can cause."""


class SubmissionRefused(Exception):  # noqa: N818 - an event of grading, not a malfunction
    """The handed-in file cannot be opened safely, or is no archive at all."""


class StudentFault(Exception):  # noqa: N818 - the student's, not an error of ours
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
    """Student code was stopped by a limit, or took its process down."""


class StudentTooSlow(StudentStopped):
    """Student code took longer than it may; nothing else is known to be wrong with it."""


class NotMeasured(Exception):  # noqa: N818 - an outcome, not a malfunction
    """This machine lacks what the check needs; the text says what, and where it can be measured."""


class Inconclusive(Exception):  # noqa: N818 - an outcome, not a malfunction
    """The evidence cannot decide; the text says why a person has to look."""


def describe_shortage(error: BaseException) -> str:
    """Return a sentence with the next step if `error` means that memory or disk of this machine are too small."""
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return "there is too little memory here: grading takes up to 8 GB; see `ulimit -v`, and --mem inside Slurm"
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        where = f"on the disk of {error.filename}" if error.filename else f"in {tempfile.gettempdir()}"
        return f"there is no space left {where}: free some, or name another temporary folder by TMPDIR=dir"
    return ""


def install_command(extra: str) -> str:
    """Return the command that installs an extra of this project, which no registry has; for the grader's folder."""
    return f"{sys.executable} -m pip install --editable '.[{extra}]'"
