"""Measure how many times as fast one function is as another: samples and facts; `grader.scoring.score` decides.

The staff's baseline, the slow function, perhaps a third one, and the fast one take turns on one core. Each call gets
fresh inputs and has its result verified. Sampling ends when the verdict is certain, or with the rubric's budget.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Answer, Array, Note, Setup, Shape, Staff, Student, Work, expect
from grader.authoring.judges import scenarios
from grader.authoring.judges.makers import is_right
from grader.errors import Inconclusive, NotMeasured, StudentFault, WorkerError
from grader.model import Threshold, Timed
from grader.timing import health, lane, locks, physics, sampling, verdict
from grader.timing.gpus import name_gpu

GPU_CALLS = 5
"""In each block, after as many untimed calls: beside a loop in Python they are cheap, and their times scatter more."""
BASELINES = "baseline"  # the staff module with the functions for comparison
_CALIBRATIONS = 15
_COPIES = 15  # the first third only warms up
_LONG_S = 0.5
_MOSTLY, _OFTEN, _LATE = 0.7, 0.5, 1.25
_SHOWN_SHARE = 0.25  # the share of the budget for the calls of a function whose time is shown, but decides nothing


@dataclass(frozen=True, slots=True)
class Workload:
    """The functions that are timed: those of one module of the submission, and the staff's loop, on similar inputs.

    If the submission has classes, the functions are the staff's, and use the classes. The staff's `baseline.py` has the
    loop; `hand_over`, which only returns an array of the result's size; and `copies`, which copies the arguments to the
    GPU, and as many bytes as the result has back.
    """

    module: str
    slow: str
    fast: str
    baseline: str  # the function of the staff that does what `slow` does, in the plain way
    work: Work
    shape: Shape
    narrowest_bytes: tuple[int, int]
    """The fewest bytes that must go to the GPU, and back from it, even if somebody narrows the numbers before."""
    beside: str = ""  # a third function, whose time is shown and gives no points
    uses: tuple[tuple[str, str], ...] = ()
    """Module and name of each graded class that the functions use, if these are the staff's."""
    called: Mapping[str, str] = field(default_factory=dict)  # function -> its name in reports, if that is another one
    plain: str = "staff's loop"  # the baseline's name in reports

    def name(self, function: str) -> str:
        """Return the name of a function in reports."""
        return self.called.get(function, function)

    def subject(self, function: str) -> str:
        """Return the beginning of a sentence about a function."""
        name = self.called.get(function, f"`{function}`")
        return name[:1].upper() + name[1:]

    @property
    def shown(self) -> dict[str, str]:
        """Name in the report -> role of the samples."""
        beside = {self.name(self.beside): self.beside} if self.beside else {}
        return {
            self.name(self.slow): verdict.SLOW,
            self.plain: verdict.BASELINE,
            **beside,
            self.name(self.fast): verdict.FAST,
        }


@dataclass(slots=True)
class Bench:
    """Times single calls: each has fresh inputs, runs in a lane, and has its result verified."""

    work: Workload
    student: Student
    staff: Staff
    track: lane.Lane
    rng: np.random.Generator
    watch: sampling.Stopwatch = field(default_factory=lambda: sampling.Stopwatch(0.0, 0.0))
    late: list[bool] = field(default_factory=list)
    """For each call of `time_fast`, whether its result arrived much later than an array would have."""

    def calibrate(self) -> None:
        """Set the stopwatch, by calls of a staff function that only returns an array."""
        answers = [self._call(self.staff, BASELINES, "hand_over")[0] for _ in range(_CALIBRATIONS)]
        self.watch = sampling.calibrate([(answer.returned_s, answer.received_s) for answer in answers[3:]])

    def time_baseline(self) -> float:
        """Return the seconds of the staff's loop, while the submission's processes are stopped."""
        answer, right, tolerance = self._call(self.staff, BASELINES, self.work.baseline)
        if not is_right(answer.value, right, tolerance):
            raise RuntimeError("the staff's own baseline returned a wrong result")
        return self.watch.read_s(answer.returned_s, answer.received_s)

    def time_copies(self) -> float:
        """Return the seconds of the staff's plain copies, timed as a call of the submission is: the median of some."""
        answers = [self._call(self.staff, BASELINES, "copies")[0] for _ in range(_COPIES)]
        times_s = [self.watch.read_s(answer.returned_s, answer.received_s) for answer in answers]
        return float(np.median(times_s[_COPIES // 3 :]))

    def time_slow(self, function: str) -> float:
        """Return the seconds until `function` had returned; handing over its result would count in its favour."""
        answer = self._verified(function)
        return answer.returned_s or answer.received_s

    def time_fast(self, function: str) -> float:
        """Return the seconds until the result of `function` was there, without those for handing over an array."""
        answer = self._verified(function)
        seconds = self.watch.read_s(answer.returned_s, answer.received_s)
        self.late.append(seconds > _LATE * (answer.returned_s - self.watch.cost_s))
        return seconds

    def _verified(self, function: str) -> Answer:
        answer, right, tolerance = self._call(self.student, self.work.module, function)
        expect(f"{self.work.subject(function)}, while it was timed,", answer.value, right, atol=tolerance)
        return answer

    def _call(self, worker: Student | Staff, module: str, function: str) -> tuple[Answer, Array, Array | float]:
        args = self.work.work.draw(self.rng, self.work.shape)
        ask = self.student.run if worker is self.student else self.staff.call
        call: Callable[[], Answer] = partial(ask, module, function, args, timed=True)
        if self.work.uses and worker is self.student:
            drive = partial(scenarios.run_unobserved, self.student, (module, function), args, self.work.uses)
            call = partial(drive, self.work.subject(function), timed=True)
        answer = self.track.run(worker, call, (self.student,) if worker is self.staff else ())
        return answer, *self.work.work.solve(*args)


def measure_best(
    student: Student, module: str, functions: Mapping[str, str], inputs: Sequence[tuple[Any, ...]], note: Note
) -> None:
    """Keep the fact `best_times_s`, name -> shortest time of one call per input; the first call may have to compile.

    Slow functions are called less often: their times vary less.
    """
    best = {}
    for name, function in functions.items():
        times_s: list[float] = []
        for args in inputs:
            if sum(times_s) < _LONG_S:
                times_s.append(student.run(module, function, args).wall_s)
        best[name] = min(times_s)
    note.fact("best_times_s", best)


def expect_gpu(setup: Setup) -> None:
    """Raise `NotMeasured` if no GPU runs the kernels."""
    if setup.device != "gpu":
        raise NotMeasured("Speed is measured on the GPU server; here, kernels were executed on the CPU.")


def measure(
    work: Workload, student: Student, staff: Staff, threshold: Threshold | None, rng: np.random.Generator, note: Note
) -> None:
    """Keep `speedup_samples` and facts that explain them; no other grading uses the GPU meanwhile.

    Raises:
        StudentFault: the fast function failed while it was timed.
        Inconclusive: the fast function was faster than the hardware allows.
        WorkerError: every attempt was disturbed; nobody loses points for that.
    """
    demanded, core = threshold or Threshold("speedup", at_least=1.0), lane.pick_core()
    with locks.hold(locks.resources(name_gpu(), [core])) as waited_s, lane.Lane(core) as own_core:
        note.fact("waited_s", round(waited_s, 3))
        bench = Bench(work, student, staff, own_core, rng)
        student.begin_time()
        prepare(bench, note)
        observe = partial(health.observe, "gpu", used=[core])
        taken, after, disturbed = health.undisturbed(lambda: take(bench, demanded), observe)
        gpu = describe_gpu(bench)
    note_machine(after, disturbed, note)
    explain(taken, demanded, bench, note)
    if gpu is not None:
        explain_gpu(taken, gpu, work, note)


def note_machine(after: health.Health, disturbed: Sequence[str], note: Note) -> None:
    """Keep the state of the machine after a measurement, what disturbed earlier attempts, and what is unknown."""
    note.fact("machine", asdict(after))
    note.fact("disturbed", list(disturbed))
    if unknown := health.find_unknown(after):
        tell = note.flag if after.strangers else note.remark
        tell(unknown)


def describe_gpu(bench: Bench) -> dict[str, Any] | None:
    """Return what the staff's worker measures of the GPU, None if it cannot; nobody else may use it meanwhile.

    That is its `uuid`; `floor_s`, the least time of a call, whose numbers must go to the GPU, and back; and
    `copying_s`, the time of plain copies of arguments and result, from and to pageable memory, as NumPy's arrays have.
    """
    try:
        figures = bench.staff.call("grader.timing.physics", "describe_gpu", ()).value
        ways = zip(bench.work.narrowest_bytes, ("to_device_bytes_per_s", "from_device_bytes_per_s"), strict=True)
        floor_s = max(count / figures[way] for count, way in ways)
        return {"uuid": str(figures["uuid"]), "floor_s": floor_s, "copying_s": bench.time_copies()}
    except WorkerError:
        return None


def prepare(bench: Bench, note: Note) -> None:
    """Calibrate the stopwatch, and make the first calls, which compile; they look like later ones."""
    work = bench.work
    for module in [name for name, _ in work.uses] or [work.module]:
        bench.student.load(module)
    bench.calibrate()
    first = {work.name(work.fast): bench.time_fast(work.fast)}
    for function, call in ((work.slow, bench.time_slow), (work.beside, bench.time_fast)):
        try:
            first |= {work.name(function): call(function)} if function else {}
        except StudentFault:  # sampling calls the function again, and notes the fault
            continue
    bench.time_baseline()
    note.fact("first_call_s", first)


def take(bench: Bench, threshold: Threshold) -> sampling.SamplingResult:
    """Sample until the ratio is certainly above or below `threshold`, or its budget ends."""
    bench.student.begin_time()
    timed, work = threshold.timed or Timed(), bench.work
    shown_s = _SHOWN_SHARE * timed.budget_s
    slow_s = math.inf if _counts_slow(timed) else shown_s
    contestants = [
        sampling.Contestant(verdict.BASELINE, bench.time_baseline),
        sampling.Contestant(verdict.SLOW, lambda: bench.time_slow(work.slow), optional=True, most_s=slow_s),
        sampling.Contestant(verdict.FAST, lambda: bench.time_fast(work.fast), calls=GPU_CALLS, warm_ups=GPU_CALLS),
    ]
    if work.beside:
        beside = sampling.Contestant(work.beside, lambda: bench.time_fast(work.beside), optional=True, most_s=shown_s)
        contestants.insert(2, beside)
    return sampling.sample(
        contestants,
        lambda times_s: verdict.has_decided(_graded(times_s), threshold),
        timed.budget_s,
        bench.rng,
        find_needless=lambda times_s: verdict.find_needless(_graded(times_s), timed),
    )


def explain(taken: sampling.SamplingResult, threshold: Threshold, bench: Bench, note: Note) -> None:
    """Keep the samples and the raw ratios as facts, and flag what a TA should look at before trusting them."""
    samples, timed = _graded(taken.times_s), threshold.timed or Timed()
    note.fact(f"{threshold.fact}_samples", samples)
    flat = {name: _flatten(taken.times_s[role]) for name, role in bench.work.shown.items() if role in taken.times_s}
    note.fact("times_s", flat)
    ratios = verdict.raw_ratios(samples)
    note.fact(
        "raw_ratios",
        {f"to {name}": round(ratios[role], 2) for name, role in bench.work.shown.items() if role in ratios},
    )
    note.fact("stopwatch_s", {"cost": bench.watch.cost_s, "handover": bench.watch.handover_s})
    note.fact("threads", {"cores": 1, "blas": 1})
    if np.mean(bench.late) > _OFTEN:
        note.flag("Results are handed over later than an array would be: the time until they were in hand counts.")
    _flag_baseline(taken, ratios, timed, bench.work, note)


def _flag_baseline(
    taken: sampling.SamplingResult, ratios: dict[str, float], timed: Timed, work: Workload, note: Note
) -> None:
    slow = work.name(work.slow)
    if fault := taken.failures.get(verdict.SLOW):
        tell = note.flag if _counts_slow(timed) else note.remark
        tell(f"{slow} failed while it was timed, so the {work.plain} stands for it: {fault.finding.message}")
    elif _counts_slow(timed) and ratios[verdict.SLOW] >= timed.flagged_from * ratios[verdict.BASELINE]:
        own_s, plain_s = (float(np.median(_flatten(taken.times_s[role]))) for role in (verdict.SLOW, verdict.BASELINE))
        times = ratios[verdict.SLOW] / ratios[verdict.BASELINE]
        note.flag(
            f"{slow} takes {times:.3g} times as long as a plain loop, {own_s:.3g} s instead of {plain_s:.3g} s; "
            f"{timed.baseline[1]:g} times count at most. Is it slowed down on purpose? A TA should read it."
        )
    if fault := taken.failures.get(work.beside):
        note.remark(f"{work.name(work.beside)} failed while it was timed: {fault.finding.message}")


def _counts_slow(timed: Timed) -> bool:
    """Return whether the time of the submission's own slow function can change the verdict, within its bounds."""
    return timed.baseline[0] < timed.baseline[1]


def explain_gpu(taken: sampling.SamplingResult, gpu: Mapping[str, Any], work: Workload, note: Note) -> None:
    """Keep the share of copying in a call as a fact, and say it in a remark.

    Raises:
        Inconclusive: the calls took less time than the numbers need to travel.
    """
    call_s = float(np.median(_flatten(taken.times_s[verdict.FAST])))
    floor_s = gpu["floor_s"]
    note.fact("gpu", {**gpu, "call_s": call_s})
    if physics.is_impossible(call_s, floor_s):
        note.flag(f"{work.name(work.fast)} takes less time than its numbers need to travel to the GPU and back.")
        raise Inconclusive(
            f"A call took {call_s * 1e3:.3g} ms; copying alone takes {floor_s * 1e3:.3g} ms. A TA should read it."
        )
    note.remark(_divide(call_s, gpu["copying_s"]))


def _divide(call_s: float, copying_s: float) -> str:
    copies = f"Plain copies of the arguments and the result take {copying_s * 1e3:.3g} ms"
    share = copying_s / call_s
    if share > 1:
        return f"{copies}; a call takes {call_s * 1e3:.3g} ms: it copies less, or in a faster way."
    rest = "the rest is the kernel, Python, and whatever else is copied"
    if share > _MOSTLY:
        rest = "the kernel hardly counts"
    return f"{copies} of the {call_s * 1e3:.3g} ms of a call, {share:.0%}: {rest}."


def _flatten(blocks: list[list[float]]) -> list[float]:
    return [seconds for block in blocks for seconds in block]


def _graded(times_s: sampling.Blocks) -> sampling.Blocks:
    """Return the samples that the graded ratio is made of."""
    return {role: blocks for role, blocks in times_s.items() if role in {verdict.BASELINE, verdict.SLOW, verdict.FAST}}
