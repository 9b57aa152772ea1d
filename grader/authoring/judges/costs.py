"""What kernels ask of memory, counted on the executor: a property of the code, which needs no GPU and holds for each.

How often a number is loaded from global memory says how well it is used; passes of shared memory beyond the least
possible are bank conflicts. docs/cuda_cpu.md says how both are counted.
"""

from dataclasses import dataclass
from typing import Any

from grader.authoring import Inconclusive, Run, Student
from grader.authoring.judges import scenarios, slices
from grader.worker.student import Parts


@dataclass(frozen=True, slots=True)
class Costs:
    """The launches of a call, all together."""

    kernels: tuple[str, ...]
    threads: int
    """That touch an array."""
    exchanges: int
    """By single threads: shuffles within warps, votes and matches."""
    loads: int
    """From global memory, by all threads."""
    requests: int
    """Instructions of warps by which they are loaded."""
    global_bytes: int
    """Loaded from global memory by all threads; what atomic operations return is loaded, too."""
    shared_bytes: int
    passes: int
    """Of shared memory, for loads, stores and atomics."""
    least_passes: int
    """Without bank conflicts."""

    @property
    def lanes(self) -> float:
        """How many of the 32 threads of a warp load from global memory when one of them does, on average."""
        return self.loads / self.requests if self.requests else 0.0

    @property
    def conflict_percent(self) -> float:
        """Passes that bank conflicts cost, in percent of those that are needed; 0 without shared memory."""
        return 100 * (self.passes - self.least_passes) / self.least_passes if self.least_passes else 0.0

    def share_without_conflicts(self, most: float) -> float:
        """Return the share of passes that would do without bank conflicts, 0 to 1; a call needs no more than `most`."""
        needed = min(self.least_passes, most)
        return needed / (needed + self.passes - self.least_passes) if self.passes else 1.0


def run(student: Student, call: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> Run[Any, Costs]:
    """Run a scenario and count what its launches cost; the executor runs them, also on a machine with a GPU.

    The arguments are small enough for every access to be followed.

    Raises:
        StudentFault: the call raised.
        Inconclusive: a function cannot be followed, or not every access.
    """
    for module, name in uses:
        slices.expect_closed(student, module, [name])
    try:
        report = slices.observe(student, slices.COUNT_ACCESSES, (*call, args), ask=student.ask_executor)
    except Inconclusive:
        scenarios.run(student, call, args, uses, subject)  # what raises unobserved, too, is the submission's fault
        raise
    if not report["complete"]:
        raise Inconclusive(f"Not every access of `{call[1]}` could be counted. A TA should read it.")
    names = ("threads", "exchanges", "loads", "requests", "global_bytes", "shared_bytes", "passes", "least_passes")
    try:  # what has another form was forged
        launches = report["launches"]
        sums = {name: sum(int(launch[name]) for launch in launches) for name in names}
        return Run(subject, report["value"], Costs(tuple(map(str, report["kernels"])), **sums))
    except (KeyError, TypeError, ValueError) as error:
        raise Inconclusive(f"What `{call[1]}` does to memory could not be counted. A TA should read it.") from error
