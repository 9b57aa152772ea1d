"""What a student reads when a call has failed: one sentence each, with the next step.

The code of a CUDA error decides whose fault it is; Numba's own target, numba-cuda and cuda.core write codes in
different ways. A kernel that reads beyond an array fails with 700: that is the student's fault. Memory that others
took, a broken card, a driver that is too old, and all codes that are not listed as the student's are not.
"""

import difflib
import itertools
import platform
import re
import sys
from collections.abc import Iterable
from dataclasses import replace

from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentStopped, StudentTooSlow, WorkerError
from grader.model import Finding, printable
from grader.worker import wire
from grader.worker.advice import advise, is_refusal, undefined_name

_NEAR = 0.85  # how similar (1 means equal) two names must be, so that one may be the other, misspelt

_NUMBAS_OWN = ('File "', "During: ", "There are ", "CUDA: ", "This error ", "See ")
"""Starts of lines in Numba's messages, from which on the message says only where it was, and what Numba tried."""
_NO_IMPLEMENTATION = re.compile(
    r"(- Resolution failure .*: )?No implementation of function .* found for signature: >>> "
)
_NEW_ARRAY = re.compile("'_allocate'|NRT required|Only accept returning of array")
_ADDRESS = re.compile(r" from '[^']*'(?=>)| at 0x[0-9a-f]+(?=>)")
_NO_COUNTS = "launch configuration was not specified"
_IS_A_KERNEL = "It is called as a usual function, which launches the kernel: take @cuda.jit away from it."

_CALL_STOPS = (
    "Is a loop endless, or does it treat single numbers where NumPy takes arrays? A kernel that is defined inside "
    "a function is compiled again in each call."
)
_IMPORT_STOPS = 'A file should only define functions: move all other code below `if __name__ == "__main__":`.'

_NAMES = """
    GPUtil IPython PIL alive_progress colorama cupy cv2 dask google h5py icecream imageio ipywidgets jax joblib keras
    line_profiler loguru matplotlib memory_profiler mpi4py networkx notebook numexpr nvtx pandas plotly prettytable
    progressbar psutil pycuda pynvml pytest requests rich scipy seaborn skimage sklearn statsmodels sympy tabulate
    tensorflow termcolor torch torchvision tqdm xarray yaml
"""
_COURSE_PACKAGES = frozenset(_NAMES.split())
"""Packages of course servers that students import out of habit; if one is missing here, that is not their fault."""

_NEW_NAME = re.compile(
    r"(import name|no attribute) '(batched|sumprod|fma|override|TypeAliasType|TypeIs|ReadOnly|deprecated|Buffer)'"
)
"""What Python's own modules have got after 3.11."""
_NEW_SYNTAX = re.compile(r"^f-string|^\s*(type \w.*=|(async def|def|class) \w+\[)", re.MULTILINE)
"""Lines that 3.12 accepts, or what 3.11 says of them."""

_KINDS_OF_CUDA = """
    CUDAError CompilationError CudaAPIError CudaDriverError CudaRuntimeError CudaSupportError LinkerError NVRTCError
    NVVMError NvrtcError NvvmError NvvmSupportError nvJitLinkError
"""
_CODE_OF_CUDA = re.compile(r"\[(\d+)\]")
_BEYOND = "A thread reads or writes where no array is: compare its index with the shape before it is used."
_TOO_MUCH = "A block asks for more than a multiprocessor has: fewer threads, fewer variables or less shared memory."
_TOO_MANY = "More blocks than fit on the GPU at once cannot wait for each other: launch fewer."
_BETWEEN = "A thread reads a number that does not start where numbers of its type do: keep one type for an array."
_GONE = "The GPU's context is gone: does it call `cuda.close()`, or reset a device?"
_ERRORS_OF_CUDA = {
    "INVALID_VALUE": (1, "Blocks come first, then threads per block, of which there are at most 1024."),
    "OUT_OF_MEMORY": (2, "It asked for more memory than was free: too much, or other programs had taken it."),
    "INVALID_CONTEXT": (201, _GONE),
    "ILLEGAL_ADDRESS": (700, _BEYOND),
    "CONTEXT_IS_DESTROYED": (709, _GONE),
    "LAUNCH_OUT_OF_RESOURCES": (701, _TOO_MUCH),
    "LAUNCH_TIMEOUT": (702, "A kernel ran for so long that it was stopped: is there a loop that never ends?"),
    "ASSERT": (710, "An assertion in the kernel failed."),
    "HARDWARE_STACK_ERROR": (714, _BEYOND),
    "ILLEGAL_INSTRUCTION": (715, _BEYOND),
    "MISALIGNED_ADDRESS": (716, _BETWEEN),
    "INVALID_ADDRESS_SPACE": (717, _BEYOND),
    "INVALID_PC": (718, _BEYOND),
    "LAUNCH_FAILED": (719, _BEYOND),
    "COOPERATIVE_LAUNCH_TOO_LARGE": (720, _TOO_MANY),
}
"""Name of an error that a submission may cause -> its code (CUresult), and a sentence for the student."""
_UNCLEAR = {2, 201, 709}
"""Codes that the submission may have caused, or the machine: nobody loses a point, and a TA looks."""


class Crashed(StudentStopped):
    """The process ended in the middle of a call."""


_OTHER_CARD = re.compile(r"\b(select_device\(|gpus\[)")


class KernelFailed(StudentRaised):
    """CUDA stopped a kernel of the submission: the process can run no other."""


class MachineError(WorkerError):
    """The GPU or the system failed in a way that no submission causes."""


def is_cuda_error(kind: str) -> bool:
    """Return whether an exception of the type named `kind` is CUDA's, after which a process is not used again."""
    return kind in _KINDS_OF_CUDA.split()


def cuda_failed(module: str, function: str, phase: str, what: wire.Raised) -> KernelFailed | MachineError:
    """Return the exception for an error of CUDA: `KernelFailed` if it is the student's fault, else `MachineError`."""
    code, sentence = (701, _TOO_MUCH) if "too much shared data" in what.text else _find_error(what.text)
    if sentence and code not in _UNCLEAR:
        fault = raised(module, function, phase, what)
        return KernelFailed(replace(fault.finding, hint=sentence), fault.type_name)
    whose = f"and the grader cannot tell by whose fault. {sentence}" if sentence else "not the submission:"
    words = f"{what.type_name}: {printable(what.text, 300)}"
    return MachineError(f"CUDA failed in `{function or module}`, {whose} {words}")


def _find_error(text: str) -> tuple[int, str]:
    """Return code and sentence of the error that a text names, by its number or its name; 0 and "" if it is unknown."""
    if number := _CODE_OF_CUDA.search(text):
        return next((row for row in _ERRORS_OF_CUDA.values() if row[0] == int(number[1])), (0, ""))
    return next((row for name, row in _ERRORS_OF_CUDA.items() if re.search(rf"CUDA_ERROR_{name}\b", text)), (0, ""))


def only_once(function: str, failure: Crashed | KernelFailed | MachineError) -> str:
    """Return a text for TAs about a call that failed, but not when it was repeated in a fresh process."""
    if isinstance(failure, MachineError):
        return f"{failure}. It did not when the call was repeated in a fresh process."
    if isinstance(failure, KernelFailed):
        return f"{failure.finding.message} It did not when the call was repeated in a fresh process."
    return (
        f"The process died during `{function}` ({failure.finding.got}), but not when the call was repeated "
        "in a fresh one: an earlier call may have written out of bounds, or kept what it no longer needed."
    )


def missing_file(name: str, near: str = "") -> StudentFault | Inconclusive:
    """Return the failure of each check that needs a missing file; the handed-in file `near` may be meant by it."""
    if near:
        return Inconclusive(
            f"{name} is missing, but the hand-in holds {printable(near, 100)!r}: a TA decides whether that is meant, "
            "and may give it the sheet's name and grade again. Rename it, if you still can."
        )
    is_pdf = name.endswith(".pdf")
    hint = f"Export the report as PDF, save it as {name}, zip again." if is_pdf else f"Put {name} into the zip."
    return StudentFault(Finding(f"{name} is missing from the submission.", hint=hint))


def too_slow(doing: str, limit_s: float) -> StudentTooSlow:
    """Return the fault of a call that was stopped by its wall-clock limit."""
    hint = _IMPORT_STOPS if doing.startswith("the import") else _CALL_STOPS
    return StudentTooSlow(Finding(f"Stopped: {doing} ran longer than {limit_s:.0f} s.", hint=hint))


def used_up(subject: str) -> Inconclusive:
    """Return why a call got less than the usual time, or none: earlier calls took nearly all the grading's time."""
    return Inconclusive(
        f"{subject} was not decided: earlier calls, perhaps its own, took nearly all the time of a grading. "
        "Is a loop endless, or does each thread do all the work? A TA should read it."
    )


def crashed(doing: str, how: str) -> Crashed:
    """Return the fault of a call that took its process down."""
    hint = "Look for an index out of bounds in compiled code."
    if "SIG" not in how:
        hint = _IMPORT_STOPS if doing.startswith("the import") else "A function must return, not end the program."
    return Crashed(Finding(f"The process died during {doing}: {how}.", got=how, hint=hint))


def killed(doing: str) -> MachineError:
    """Return the error of a process that the system killed; at the grader's own limits, the supervisor kills it."""
    return MachineError(
        f"The system killed the process in the middle of {doing}, as it does when memory runs out: grade again where "
        "there are 8 GB; inside Slurm, see --mem"
    )


def over_limit(doing: str, limit: str) -> Crashed:
    """Return the fault of a call that exceeded a limit of the submission, such as memory."""
    hint = "Does it keep what it no longer needs, or start what never ends?"
    return Crashed(Finding(f"Stopped: more than {limit} in {doing}.", got=f"more than {limit}", hint=hint))


def forged(doing: str, why: str) -> StudentStopped:
    """Return the fault of an answer that does not have the declared form."""
    return StudentStopped(Finding(f"The answer to {doing} could not be read: {printable(why, 300)}."))


def missing_package(module: str, what: wire.Raised) -> Inconclusive | None:
    """Return why a module cannot be judged here: it imports a usual package that this installation lacks, or None."""
    name = what.text.removeprefix("No module named ").strip("'").split(".")[0]
    if what.type_name != "ModuleNotFoundError" or name not in _COURSE_PACKAGES:
        return None
    file = printable(what.location.partition(":")[0], 100) or f"{module}.py"  # what it imports may import the package
    return Inconclusive(
        f"{file} imports {name}, which is not installed where this ran. If nothing needs it, remove the import; "
        f"else a TA grades it again where {name} is installed."
    )


def newer_python(doing: str, what: wire.Raised) -> Inconclusive | None:
    """Return why a file cannot be judged: it is written for a Python that is newer than this one; or None."""
    kind, text = what.type_name, printable(what.text, 300)
    new = {"SyntaxError": _NEW_SYNTAX, "ImportError": _NEW_NAME, "AttributeError": _NEW_NAME}.get(kind)
    if sys.version_info >= (3, 13) or not (new and new.search(f"{text}\n{what.line}")):
        return None
    return Inconclusive(
        f"In {doing}: {kind}: {text}. Here runs Python {platform.python_version()}, and a newer one may accept this. "
        "A TA grades it with a newer Python, or reads it."
    )


def missing_on_cpu(doing: str, what: wire.Raised) -> Inconclusive | None:
    """Return why a call cannot be judged here: it asks for what only a GPU has, and the executor lacks; or None."""
    is_name = "from 'numba.cuda" in what.text and "(unknown location)" in what.text  # the real one has a location
    is_import = what.type_name in {"ImportError", "ModuleNotFoundError"} and (is_name or "CUDA executor" in what.text)
    if not (is_import or what.type_name == "NotOnCpuError"):
        return None
    place = f" ({printable(what.location, 200)})" if what.location else ""
    return Inconclusive(
        f"In {doing}{place}: {printable(what.text, 300)}. That costs no points: a TA grades it where there is a GPU, "
        "or reads it. If nothing needs it, leave it out."
    )


def spare_file(importer: str, fault: StudentRaised, spare: Iterable[str]) -> Inconclusive | None:
    """Return why a file cannot be judged: it imports one of the `spare` files, which were not unpacked; or None."""
    _, _, name = fault.finding.message.partition("No module named '")
    name = name.partition("'")[0].partition(".")[0]
    paths = [path for path in spare if name in path.removesuffix(".py").split("/")]
    if fault.type_name != "ModuleNotFoundError" or not paths:
        return None
    return Inconclusive(
        f"{importer} imports {name}. The hand-in holds {printable(paths[0], 100)}, but the sheet asks for its own "
        f"files only, and no other was unpacked. A TA decides; with that code in the file itself it can be graded."
    )


def misspelt(module: str, function: str, names: Iterable[str]) -> Inconclusive | None:
    """Return why a missing function cannot be judged: one of the module's other `names` may be meant by it; or None."""
    alike = sorted(name for name in names if name.lower() == function.lower())
    cutoff = min(_NEAR, max(0.6, (len(function) - 1) / len(function)))  # one letter of three to six may differ
    near = alike or difflib.get_close_matches(function, names, n=1, cutoff=cutoff)
    if not near:
        return None
    return Inconclusive(
        f"{module}.py has no `{function}`, but `{printable(near[0], 100)}`, which may be meant by it: a TA decides. "
        "Rename it, if you still can."
    )


def speak_of(subject: str, fault: StudentFault, module: str, function: str) -> StudentFault:
    """Return a fault that names `subject` in place of a module and function that are the grader's own."""
    text = fault.finding.message.replace(f"`{function}`", subject, 1).replace(f"Importing {module}.py", subject, 1)
    finding = replace(fault.finding, message=text[:1].upper() + text[1:])
    return StudentRaised(finding, fault.type_name) if isinstance(fault, StudentRaised) else type(fault)(finding)


def raised(module: str, function: str, phase: str, what: wire.Raised) -> StudentRaised:
    """Return the fault of an exception, naming the function, the exception and the line in the submission."""
    kind = printable(what.type_name, 100)
    location, line = printable(what.location, 200), printable(what.line, 200)
    if phase == "load" and kind == "AttributeError" and function:
        missing, hint = f"{module}.py has no function `{function}`.", "Keep the names of the template."
        return StudentRaised(Finding(missing, got=printable(what.text, 1500), hint=hint), kind)
    is_call = phase == "call" and function != ""
    hint = _IMPORT_STOPS if kind == "SystemExit" and not is_call else ""
    if kind == "IndexError" and _OTHER_CARD.search(line):
        hint = "One card is visible, number 0, and it is chosen already: leave this line out."
    hint = hint or (_IS_A_KERNEL if _NO_COUNTS in what.text and not location else advise(kind, what.text))
    text = printable(_say_first(kind, what.text, is_explained=hint != ""), 1500)
    doing = f"`{function}`" if is_call else f"Importing {module}.py"
    message = f"{doing} raised {kind}{': ' if text else ''}{text}"
    return StudentRaised(Finding(message, hint=hint, location=location, line=line), kind)


def _say_first(kind: str, text: str, *, is_explained: bool) -> str:
    """Return the part of an exception's text that a student needs: all of it if no hint explains it."""
    if is_refusal(kind):
        return _say_what_is_refused(text)
    return text.strip().partition("\n")[0].removesuffix(" Use the syntax:") if is_explained else text


def _say_what_is_refused(text: str) -> str:
    """Return the beginning of Numba's message, without its own stages, the source, and the list of what it tried."""
    if name := undefined_name(text):
        return f"name '{name}' is not defined"
    lines = (line.strip() for line in text.strip().splitlines() if not line.startswith("Failed in "))
    first_lines = itertools.takewhile(lambda line: not line.startswith(_NUMBAS_OWN), lines)
    refusal = " ".join(filter(None, first_lines))
    if _NEW_ARRAY.search(refusal):
        return "Numba makes no new arrays in a kernel"
    return _ADDRESS.sub("", _NO_IMPLEMENTATION.sub("Numba cannot compile ", refusal))
