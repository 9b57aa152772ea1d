"""Memory accesses of kernels, counted on the executor: they depend on the code only, and hold for every GPU.

How often kernels load each number from global memory shows how well they use it. Passes of shared memory beyond the
fewest possible are bank conflicts. docs/cuda_cpu.md says how both are counted.
"""

from dataclasses import dataclass
from typing import Any

from grader.authoring import Inconclusive, Run, Student
from grader.authoring.judges import scenarios, slices
from grader.worker.student import Parts


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of all launches of a call together."""

    kernels: tuple[str, ...]
    threads: int  # threads that access an array
    exchanges: int  # shuffles within warps, votes and matches, counted for each thread
    loads: int  # numbers that all threads load from global memory
    requests: int  # instructions of warps that load them
    global_bytes: int  # bytes that all threads load from global memory; atomic operations load what they return
    shared_bytes: int  # bytes that all threads load from shared memory
    passes: int  # passes of shared memory, for loads, stores and atomics
    least_passes: int  # the passes that would be needed without bank conflicts

    @property
    def lanes(self) -> float:
        """How many of the 32 threads of a warp load from global memory when one of them does, on average."""
        return self.loads / self.requests if self.requests else 0.0

    @property
    def conflict_percent(self) -> float:
        """Passes that bank conflicts cost, in percent of those that are needed; 0 without shared memory."""
        return 100 * (self.passes - self.least_passes) / self.least_passes if self.least_passes else 0.0

    def share_without_conflicts(self, most: float) -> float:
        """Return needed passes / (needed passes + conflicts), 0 to 1; at most `most` passes count as needed."""
        needed = min(self.least_passes, most)
        return needed / (needed + self.passes - self.least_passes) if self.passes else 1.0


def run(student: Student, call: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> Run[Any, Costs]:
    """Run a scenario on the executor, also on a machine with a GPU, and count the costs of its launches.

    The arguments must be so small that the executor can follow every access.

    Raises:
        StudentFault: the call raised.
        Inconclusive: a function cannot be followed, or not all of its accesses can.
    """
    for module, name in uses:
        slices.expect_closed(student, module, [name])
    try:
        report = slices.observe(student, slices.COUNT_ACCESSES, (*call, args), ask=student.ask_executor)
    except Inconclusive:
        scenarios.run(student, call, args, uses, subject)  # raises, too, if the submission is at fault
        raise
    if not report["complete"]:
        raise Inconclusive(f"Not every access of `{call[1]}` could be counted. A TA should read it.")
    names = ("threads", "exchanges", "loads", "requests", "global_bytes", "shared_bytes", "passes", "least_passes")
    try:  # a report of another form was forged
        sums = {name: sum(int(launch[name]) for launch in report["launches"]) for name in names}
        return Run(subject, report["value"], Costs(tuple(map(str, report["kernels"])), **sums))
    except (KeyError, TypeError, ValueError) as error:
        raise Inconclusive(f"What `{call[1]}` does to memory could not be counted. A TA should read it.") from error
