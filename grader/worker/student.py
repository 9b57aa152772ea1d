"""The submission as checks see it: `student.sums.add_gpu(A, B)` runs in a worker and returns data.

One worker runs the files as they were handed in, and others run their slices:

    whole     imports the files as they are, and runs what cannot be followed by reading
    slices    runs each graded function whose slice is closed, alone and observed: this is what gives points
    plain     runs slices that functions of the staff drive, and observes nothing: only for times
    executor  runs slices where the executor can follow every access; the same as `slices` where there is no GPU

The whole file is a cross-check, not a second judge. After the import, a graded function and what it names must be what
the file says; else its points stay undecided. If a slice raises or its value is wrong, the whole file runs; if its
value is right, the points stay undecided, too (`try_slices`, `Run.compared`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from grader.errors import StudentFault, StudentRaised, StudentStopped, StudentTooSlow
from grader.model import Submission
from grader.slices.cutting import Slices, cut
from grader.worker import faults
from grader.worker.allowance import Allowance
from grader.worker.client import CrossCheck, Module, WorkerClient
from grader.worker.process import Settings, WorkerProcess
from grader.worker.runs import Answer, Observed, Run

Result = TypeVar("Result")
AnyRun = TypeVar("AnyRun", bound=Run[Any, Any])
Parts = Sequence[tuple[str, str]]  # module and name of each graded function or class that takes part in a run
_PART_OF_LIMIT = 3
"""A call that was too slow with observers gets its limit, divided by this, without them: a hang costs little more."""


class Student:
    """One submission and its workers. Its slices are cut, and written beside its files; no worker starts yet.

    Args:
        settings: Where its files lie, and under which conditions they run.
        submission: Which files there are.
        graded: Module and name of each graded function.
        start: Starts a worker.
    """

    def __init__(
        self,
        settings: Settings,
        submission: Submission,
        graded: Iterable[tuple[str, str]],
        start: Callable[[Settings], WorkerProcess],
    ) -> None:
        graded = [*graded]
        self.missing = write_missing(submission, settings.submission, graded)
        """The names of missing Python files, which other files can import all the same."""
        files = [file.name for file in submission.files if file.name.endswith(".py")]
        contents = {name: (settings.submission / name).read_bytes() for name in (*files, *self.missing)}
        self._slices, self._start, self._unprepared = cut(contents, graded), start, settings
        self.spare = submission.spare  # names of further files of the hand-in, which were not unpacked
        numba, mpi = (any(name in text for text in contents.values()) for name in (b"numba", b"mpi4py"))
        self._settings = replace(settings, imports_numba=numba, imports_mpi=mpi)
        self._folder = write_slices(self._slices, settings.submission.parent / "slices")
        self._training: WorkerProcess | None = None
        """A worker for a training that was started ahead, and that nobody has taken yet."""
        self.allowance = Allowance(settings.limits.grading_s)
        self._whole = self._client(self._settings, "whole", submission)
        sliced = replace(self._settings, submission=self._folder, slices="observed")
        self._sliced = self._client(sliced, "observed")
        self._plain = self._client(replace(sliced, slices="plain"), "plain")
        on_cpu = replace(sliced, device="cpu")
        self._executed = self._sliced if on_cpu == sliced else self._client(on_cpu, "executor")
        self._all = tuple({self._whole: "", self._sliced: "", self._plain: "", self._executed: ""})
        self._doubts: list[str] = []
        self._cross_check = CrossCheck(self._slices, self._whole, self._sliced)
        self._names: dict[str, set[str]] = {}  # module -> what it holds after its import, as the worker says
        self._seen: dict[tuple[str, str], list[Observed]] = {}
        self.doubts_about: dict[tuple[str, str], list[str]] = {}
        """Module and function -> why a TA should look at it, for later checks of the same function."""
        self.called: dict[tuple[str, str], tuple[tuple[Any, ...], Answer]] = {}
        """Module and function -> arguments and answer of its last call in this check."""
        self.judged: set[tuple[str, str]] = set()  # functions that this check has judged by how they compute

    def _client(self, settings: Settings, kind: str, submission: Submission | None = None) -> WorkerClient:
        start = partial(self._start, settings)
        return WorkerClient(start, settings.limits, submission, allowance=self.allowance, kind=kind)

    def __getattr__(self, module: str) -> Module:
        return Module(self.run, module)

    def start(self, *, learns: bool = False) -> None:
        """Start the workers that every check uses, and one for a training if something `learns`."""
        self._training = self.start_training() if learns else None
        self._whole.start()
        self._sliced.start()

    def start_whole(self, *, reads: bool = False) -> WorkerProcess:
        """Start a worker of the files as handed in; one that only `reads` lacks Numba, which takes half a second."""
        return self._start(self._unprepared if reads else self._settings)

    def start_training(self) -> WorkerProcess:
        """Return a worker of unobserved slices, for functions whose work NumPy does; it may have been started ahead."""
        ahead, self._training = self._training, None
        return ahead or self._start(replace(self._unprepared, submission=self._folder, slices="plain"))

    def begin_check(self) -> None:
        """Forget the previous check: its output, its time, its doubts, and what it called and judged."""
        for client in self._all:
            client.begin_check()
        self._doubts = []
        self.called.clear()
        self.judged.clear()

    def begin_time(self) -> None:
        """Restart the time of this check, and keep its doubts: waiting for others is not the submission's time."""
        doubts = self.doubts
        self.begin_check()
        self._doubts = doubts

    @property
    def output(self) -> str:
        """What the submission printed since `begin_check`, in all workers, printable and capped."""
        return "".join(client.output for client in self._all)

    @property
    def doubts(self) -> list[str]:
        """Why a TA should look at the check that is running."""
        return [*self._doubts, *(doubt for client in self._all for doubt in client.doubts)]

    @property
    def student_s(self) -> float:
        """Seconds that the submission took since `begin_check`, in all workers."""
        return sum(client.student_s for client in self._all)

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes above the workers."""
        used = (client for client in self._all if client in {self._whole, self._sliced} or client.is_running)
        return tuple(pid for client in used for pid in client.pids)

    def load(self, module: str) -> None:
        """Import a whole file; `StudentFault` says why it cannot be imported."""
        self._whole.load(module)

    def run(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Run the slice of a function; if the slice is open, or the file has another function there, run the file's.

        The whole module must be importable: a file that cannot be imported is no solution. `options` are those of
        `WorkerClient.call`.

        Raises:
            StudentFault: the module cannot be imported, or the call raised, crashed, or took too long.
            Inconclusive: there is no such function, but one whose name is nearly the same.
        """
        self.load(module)
        self.expect_spelt(module, function)
        answer = self._run(module, function, args, **options)
        self.called[module, function] = args, answer
        return answer

    def _run(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        if function not in self._slices.functions(module):  # the staff's, or one that is not graded
            return self.ask_whole(module, function, args, **options)
        answer = self._call_slices([(module, function)], self.ask_slices, (module, function, args), options)
        if answer.held_against is not None and answer.is_of_slices:
            self._seen.setdefault((module, function), []).append(answer.held_against)
        return answer

    def _call_slices(
        self, uses: Parts, ask: Callable[..., Answer], call: tuple[str, str, tuple[Any, ...]], options: dict[str, Any]
    ) -> Answer:
        """Make a call in a worker of slices, which `ask` asks, or else in that of the whole files."""
        return self.run_slices(
            uses,
            lambda: ask(*call, **options),
            lambda limit_s: self.ask_whole(*call, **options | {"limit_s": limit_s}),
            options.get("limit_s"),
        )

    def run_slices(
        self,
        uses: Parts,
        as_slices: Callable[[], AnyRun],
        as_whole: Callable[[float | None], AnyRun],
        limit_s: float | None = None,
    ) -> AnyRun:
        """Return a run of slices, or a run of whole files with a doubt; see `try_slices`."""
        run, doubt = self.try_slices(uses, as_slices, as_whole, limit_s)
        return replace(run, doubt=doubt) if doubt else replace(run, _as_whole=lambda: as_whole(limit_s))

    def try_slices(
        self,
        uses: Parts,
        as_slices: Callable[[], Result],
        as_whole: Callable[[float | None], Result],
        limit_s: float | None = None,
    ) -> tuple[Result, str]:
        """Run slices, or whole files if a slice is open, or fails although its whole file does not: no wrong zero.

        Args:
            uses: Module and name of each graded function or class that takes part.
            as_slices: Runs the slices.
            as_whole: Runs the whole files within the given seconds, or the usual time if None. After slices that were
                too slow, it gets a part of their time: observers make code that calls NumPy for each entry many times
                slower, and code that hangs should cost little more.
            limit_s: Seconds that the slices have; None for the usual time.

        Returns:
            The result, and why the grader cannot say how it was computed; an empty text if it is that of the slices.

        Raises:
            StudentFault: the slices' fault, if both failed.
        """
        if doubt := self._find_open(uses):
            return as_whole(limit_s), doubt
        try:
            result = as_slices()
        except StudentFault as fault:
            is_slow = isinstance(fault, StudentTooSlow)
            if isinstance(fault, StudentStopped) and not is_slow:
                raise
            try:
                result = as_whole((limit_s or self._settings.limits.call_s) / _PART_OF_LIMIT if is_slow else limit_s)
            except StudentFault:
                raise fault from None
            happened = "took too long" if is_slow else "raised" if isinstance(fault, StudentRaised) else "failed"
            words = f"alone it {happened}, and with its whole file it did not: {fault.finding.message.rstrip('.')}"
        else:
            return result, ""
        self._doubt(words)
        for module, name in uses if len(uses) == 1 else ():  # so that later runs do not wait for the slice again
            self._cross_check.note(module, name, words)
        parts = " and ".join(f"`{name}`" for _, name in uses) or "The submission"
        return result, f"{parts} could not be followed: {words}"

    def _find_open(self, uses: Parts) -> str:
        """Return why the first part whose slice is open could not be followed; empty if none is."""
        for module, name in uses:
            if why := self.why_open(module, name):
                if self._slices.of(module, name).is_closed:  # and yet it is not what the whole file does
                    self._doubt(why)
                return f"`{name}` could not be followed: {why}"
            if place := self._slices.odd_guard(module):
                self._doubt(f"{place} looks like the usual guard, and binds names when the file is imported")
        return ""

    def _doubt(self, words: str) -> None:
        """Flag the check that is running, once."""
        if words not in self._doubts:
            self._doubts.append(words)

    def expect_spelt(self, module: str, *functions: str) -> None:
        """Raise `Inconclusive` if a graded function is missing, and the module has another that may be meant by it."""
        bound = self._slices.functions(module)
        for function in functions:
            if function in bound:
                continue
            if module not in self._names:
                answer = self.ask_whole(module, "", ()).value
                self._names[module] = {str(name) for name in answer} if isinstance(answer, list) else set()
            names = self._names[module]
            if function not in names and (unjudged := faults.misspelt(module, function, names - {*bound})):
                raise unjudged

    def words_in(self, module: str, function: str) -> frozenset[str]:
        """Return the names, attributes and modules that a function's slice uses."""
        return self._slices.words(module, function)

    def are_closed(self, uses: Parts) -> bool:
        """Return whether all the slices are closed as far as reading can tell; no worker is asked."""
        return all(self._slices.of(module, function).is_closed for module, function in uses)

    def seen_of(self, module: str, function: str) -> list[Observed]:
        """Return what was observed of each call of a slice so far: a function may count its calls."""
        return self._seen.get((module, function), [])

    def ask_whole(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Call `module.function(*args)` in the worker of the files as they were handed in."""
        return self._whole.call(module, function, args, **options)

    def ask_slices(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Call a function of a slice, or an observer of the grader, in the worker of slices."""
        self._cross_check.compare_all()
        return self._sliced.call(module, function, args, **options)

    def ask_executor(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Call a function where the executor runs the kernels and can follow every access, also on a GPU machine."""
        self._cross_check.compare_all()
        return self._executed.call(module, function, args, **options)

    def ask_plain(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Call a function where slices run without observers, which would take time of their own."""
        return self._plain.call(module, function, args, **options)

    def run_unobserved(self, uses: Parts, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Run a staff function that uses graded classes, without observers, which would take time.

        Unless all slices of what it `uses` are closed, the whole files run. Options and faults are those of `run`.
        """
        return self._call_slices(uses, self.ask_plain, (module, function, args), options)

    def give_up(self, module: str, function: str, fault: StudentFault) -> None:
        """Let every further call of a function that does not end fail at once, with `fault`."""
        for client in self._all:
            client.give_up(module, function, fault)

    def why_open(self, module: str, function: str) -> str:
        """Return why a TA must give the points of a function, as `CrossCheck.why_open` does; empty if none must."""
        return self._cross_check.why_open(module, function)

    def close(self) -> None:
        """End all workers, except those that callers have started for themselves."""
        if self._training is not None:
            self._training.close()
        for client in self._all:
            client.close()


def write_missing(submission: Submission, folder: Path, graded: Parts) -> list[str]:
    """Write each missing Python file, so that others can import it; its graded names raise. Return the files' names.

    So a missing file costs the points of its own checks alone.
    """
    files = [name for name in submission.missing if name.endswith(".py")]
    for file in files:
        refusal = f"def __init__(self, *args, **options):\n        raise ImportError('{file} is missing')"
        names = [name for module, name in graded if f"{module}.py" == file]
        (folder / file).write_text("".join(f"class {name}:\n    {refusal}\n" for name in names), "utf-8")
    return files


def write_slices(slices: Slices, folder: Path) -> Path:
    """Write the text of the closed slices into `folder`, which is made, and return it."""
    folder.mkdir(parents=True)
    for name, text in slices.texts().items():
        (folder / name).write_text(text, "utf-8")
    return folder
