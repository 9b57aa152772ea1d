"""Hand-ins of small files, behind their workers: the files as they are, and their slices."""

import textwrap
from functools import partial

from grader.model import File, Submission
from grader.worker.process import Limits, PlainLauncher, Settings, WorkerProcess
from grader.worker.student import Student


def open_text(folder, module, text, graded, *, staff=None, limits=None):
    """Return the `Student` of a text; its workers start when something is asked of them."""
    return open_texts(folder, {module: text}, graded, staff=staff, limits=limits)


def open_texts(folder, texts, graded, *, staff=None, limits=None, missing=()):
    """Return the `Student` of several texts, each of which is a module; `graded` are pairs of module and function."""
    files = {f"{module}.py": textwrap.dedent(text).encode() for module, text in texts.items()}
    whole, nothing = folder / "submission", folder / "nothing"
    for made in (whole, nothing):
        made.mkdir()
    for name, data in files.items():
        (whole / name).write_bytes(data)
    submission = Submission("", "", tuple(File(name, 0, "") for name in files), missing)
    settings = Settings(whole, staff or nothing, limits=limits or Limits())
    asked = [(of, name) for of, name in graded if of in texts or f"{of}.py" in missing]
    handin = Student(settings, submission, asked, partial(WorkerProcess, launcher=PlainLauncher()))
    handin.begin_check()
    return handin
