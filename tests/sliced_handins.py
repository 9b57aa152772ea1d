"""Hand-ins of small files, behind their workers: the files as they are, and their slices."""

import textwrap
from dataclasses import replace

from grader.slices.cutting import cut
from grader.worker.opening import Starters, write_slices
from grader.worker.process import Limits, Place, PlainLauncher, WorkerProcess
from grader.worker.student import Student


def open_text(folder, module, text, graded, *, staff=None, limits=None):
    """Return the `Student` of a text; its workers start when something is asked of them."""
    return open_texts(folder, {module: text}, graded, staff=staff, limits=limits)


def open_texts(folder, texts, graded, *, staff=None, limits=None):
    """Return the `Student` of several texts, each of which is a module; `graded` are pairs of module and function."""
    limits = limits or Limits()
    files = {f"{module}.py": textwrap.dedent(text).encode() for module, text in texts.items()}
    whole, nothing = folder / "submission", folder / "nothing"
    for made in (whole, nothing):
        made.mkdir()
    for name, data in files.items():
        (whole / name).write_bytes(data)
    slices = cut(files, [(of, name) for of, name in graded if of in texts])
    place = Place(whole, staff or nothing)
    sliced = Place(write_slices(slices, folder / "slices"), staff or nothing, slices="observed")
    starters = Starters(
        lambda: WorkerProcess(place, "cpu", limits, PlainLauncher()),
        lambda: WorkerProcess(sliced, "cpu", limits, PlainLauncher()),
        lambda: WorkerProcess(replace(sliced, slices="plain"), "cpu", limits, PlainLauncher()),
    )
    handin = Student(starters, (), limits, slices=slices)
    handin.begin_check()
    return handin
