"""What a student reads when a call came to nothing: one sentence each, with the next step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentStopped, StudentTooSlow
from grader.model import Finding, printable
from grader.worker import wire
from grader.worker.advice import advise

_NEAR = 0.85
"""How alike, of 1, two names are of which one may be the other misspelt."""
_AT_IMPORT = {
    "SystemExit": 'Move what runs the program below `if __name__ == "__main__":`; importing only defines functions.',
}

_STAGES = ("Failed in ", "During: Pass ")
"""How lines of Numba's begin that name its own stages, and nothing of the student's."""

_IMPORT_STOPS = (
    'Importing only defines functions: move what runs, waits or ends the program below `if __name__ == "__main__":`.'
)

_NAMES = """
    GPUtil IPython PIL cupy cv2 google h5py ipywidgets jax keras line_profiler matplotlib memory_profiler mpi4py
    networkx notebook pandas plotly psutil pynvml requests scipy seaborn skimage sklearn sympy tabulate tensorflow
    termcolor torch torchvision tqdm
"""
_COURSE_PACKAGES = frozenset(_NAMES.split())
"""What course servers have and a submission may import out of habit; that it is missing here is not the student's."""


class Crashed(StudentStopped):
    """The process is gone in the middle of a call."""


def missing_file(name: str, near: str = "") -> StudentFault | Inconclusive:
    """Return what every check meets that needs a file which was not handed in; the file `near` may be meant by it."""
    if near:
        return Inconclusive(
            f"{name} is missing, but the hand-in holds {printable(near, 100)!r}: a TA decides whether that is meant, "
            "and may give it the sheet's name and grade again."
        )
    is_pdf = name.endswith(".pdf")
    hint = f"Export the report as PDF and put it into the zip as {name}." if is_pdf else f"Put {name} into the zip."
    return StudentFault(Finding(f"{name} is missing from the submission.", hint=hint))


def too_slow(doing: str, limit_s: float) -> StudentTooSlow:
    """Return the fault of a call that was stopped by its wall-clock limit."""
    hint = _IMPORT_STOPS if doing.startswith("the import") else "Is there a loop that never ends?"
    return StudentTooSlow(Finding(f"Stopped after {limit_s:.0f} s of wall time in {doing}.", hint=hint))


def crashed(doing: str, how: str) -> Crashed:
    """Return the fault of a call that took its process down."""
    hint = "Look for an index out of bounds in compiled code."
    if "SIG" not in how:
        hint = _IMPORT_STOPS if doing.startswith("the import") else "A function must return, not end the program."
    return Crashed(Finding(f"The process died during {doing}: {how}.", got=how, hint=hint))


def over_limit(doing: str, limit: str) -> Crashed:
    """Return the fault of a call that took more of something than a submission may have."""
    hint = "Does it keep what it no longer needs, or start what never ends?"
    return Crashed(Finding(f"Stopped: more than {limit} in {doing}.", got=f"more than {limit}", hint=hint))


def forged(doing: str, why: str) -> StudentStopped:
    """Return the fault of an answer that is not of the form that was asked for."""
    return StudentStopped(Finding(f"The answer to {doing} could not be read: {printable(why, 300)}."))


def struck_out(function: str, strikes: int) -> StudentStopped:
    """Return the fault of a function that has been stopped so often that it is not called again."""
    return StudentStopped(Finding(f"`{function}` was not called again: it has been stopped {strikes} times."))


def missing_package(module: str, what: wire.Raised) -> Inconclusive | None:
    """Return why a module cannot be judged here: it imports a usual package that this installation lacks, or None."""
    name = what.text.removeprefix("No module named ").strip("'").split(".")[0]
    if what.type_name != "ModuleNotFoundError" or name not in _COURSE_PACKAGES:
        return None
    return Inconclusive(
        f"{module}.py imports {name}, which is not installed where this ran. If nothing needs it, remove the import; "
        f"else install {name} there and check again."
    )


def spare_file(module: str, fault: StudentRaised, spare: Iterable[str]) -> Inconclusive | None:
    """Return why a module cannot be judged: it imports one of the `spare` files, which were not unpacked; or None."""
    _, _, name = fault.finding.message.partition("No module named '")
    name = name.partition("'")[0].partition(".")[0]
    found = [path for path in spare if name in path.removesuffix(".py").split("/")]
    if fault.type_name != "ModuleNotFoundError" or not found:
        return None
    return Inconclusive(
        f"{module}.py imports {name}. The hand-in holds {printable(found[0], 100)}, but the sheet asks for its own "
        f"files only, and no other was unpacked. A TA decides; with that code inside {module}.py it can be graded."
    )


def no_function(module: str, function: str) -> str:
    """Return the sentence on a function that a module lacks."""
    return f"{module}.py has no function `{function}`."


def misspelt(module: str, function: str, names: Iterable[str]) -> Inconclusive | None:
    """Return why a missing function cannot be judged: one of the module's other `names` may be meant by it; or None."""
    near = difflib.get_close_matches(function, names, n=1, cutoff=_NEAR)
    if not near:
        return None
    return Inconclusive(
        f"{module}.py has no function `{function}`, but `{printable(near[0], 100)}`, which may be meant by it: a TA "
        "decides. Rename it, if you still can."
    )


def raised(module: str, function: str, phase: str, what: wire.Raised) -> StudentRaised:
    """Return the fault of an exception, naming the function, the exception and the line in the submission."""
    kind = printable(what.type_name, 100)
    text = printable(_shorten(what.text) if kind == "TypingError" else what.text, 1500)
    location = printable(what.location, 200)
    if phase == "load" and kind == "AttributeError":
        return StudentRaised(
            Finding(no_function(module, function), got=text, hint="Keep the names of the template."), kind
        )
    doing = f"`{function}`" if phase == "call" and function else f"Importing {module}.py"
    message = f"{doing} raised {kind}{': ' if text else ''}{text}"
    got = f"{location}: {printable(what.line, 200)}" if what.line else ""
    hint = _AT_IMPORT.get(kind, "") if phase == "load" or not function else ""
    return StudentRaised(Finding(message, got=got, hint=hint or advise(kind, text), location=location), kind)


def _shorten(text: str) -> str:
    """Return what Numba says first, and the line that it points at last; between them it lists all that it tried."""
    start, listed, _ = text.partition("\nThere are ")
    place = text.rfind('\nFile "')
    short = f"{start.rstrip()}{text[place:]}" if listed and place >= 0 else text
    return "\n".join(line for line in short.splitlines() if not line.startswith(_STAGES)).strip()
