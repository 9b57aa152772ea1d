"""Hand-ins of one file, behind their workers: the file as it is, and its slices."""

import textwrap
from dataclasses import replace

from grader.slices.cutting import cut
from grader.worker.handin import HandIn, Starters
from grader.worker.opening import write_slices
from grader.worker.process import Limits, Place, PlainLauncher, WorkerProcess


def open_text(folder, module, text, graded, *, staff=None, limits=None):
    """Return the `HandIn` of a text; its workers start when something is asked of them."""
    limits = limits or Limits()
    data = textwrap.dedent(text).encode()
    whole, nothing = folder / "submission", folder / "nothing"
    for made in (whole, nothing):
        made.mkdir()
    (whole / f"{module}.py").write_bytes(data)
    slices = cut({f"{module}.py": data}, [(of, name) for of, name in graded if of == module])
    place = Place(whole, staff or nothing)
    sliced = Place(write_slices(slices, folder / "slices"), staff or nothing, slices="observed")
    starters = Starters(
        lambda: WorkerProcess(place, "cpu", limits, PlainLauncher()),
        lambda: WorkerProcess(sliced, "cpu", limits, PlainLauncher()),
        lambda: WorkerProcess(replace(sliced, slices="plain"), "cpu", limits, PlainLauncher()),
    )
    handin = HandIn(starters, (), limits, slices=slices)
    handin.begin_check()
    return handin
