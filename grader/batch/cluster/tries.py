"""One try to grade a hand-in on a cluster, what can be told from the last sight of it, and which nodes lose tries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from grader.batch.cluster.arrays import ArrayFolder
from grader.batch.cluster.controller import TaskState
from grader.batch.cluster.slurm_settings import SlurmSettings
from grader.model import printable

_FIRST_BEAT_FACTOR = 10
"""How much longer a task may take to its second sign of life: Python and Numba come over the network."""


@dataclass(slots=True)
class Try:
    """A task that was handed to Slurm, and what was last seen of it. Times are of one monotonic clock: s."""

    folder: ArrayFolder
    index: int
    number: int
    """The first try is 1."""
    beat_at: float
    seen: TaskState | None = None
    missed_at: float | None = None
    """Since when it has been neither waiting nor running."""
    beat: str = ""

    def note(self, state: TaskState | None, now: float) -> bool:
        """Remember what Slurm says of the task (None: nothing), and its sign of life; return whether it just began."""
        begins = False
        if state is None or not state.is_alive:
            self.missed_at = now if self.missed_at is None else self.missed_at
        else:
            self.missed_at = None
            if state != self.seen:
                self.beat_at = now
                begins = state.state == "RUNNING"
        self.seen = state or self.seen
        beat = self.folder.read_beat(self.index)
        if beat != self.beat:
            self.beat, self.beat_at = beat, now
        return begins

    def is_missing(self, now: float, settings: SlurmSettings) -> bool:
        """Return whether it has ended, or is gone, for so long that no result will show any more."""
        return self.missed_at is not None and now - self.missed_at >= settings.grace_s

    def is_silent(self, now: float, settings: SlurmSettings) -> bool:
        """Return whether it is said to run, and has shown no sign of life for too long."""
        if self.seen is None or self.seen.state != "RUNNING" or not self.beat:
            return False
        factor = _FIRST_BEAT_FACTOR if self.beat.startswith("0 ") else 1
        return now - self.beat_at >= factor * settings.silence_s

    @property
    def is_out_of_time(self) -> bool:
        """Whether Slurm's time limit ended it: another try would end likewise."""
        return self.seen is not None and self.seen.state == "TIMEOUT"

    def describe_silence(self, now: float) -> str:
        """Return what `is_silent` found, in words."""
        return f"{self.folder.read_node(self.index)} has shown no sign of life for {now - self.beat_at:.0f} s"

    def describe_end(self) -> str:
        """Return how a task without a result ended: Slurm's last word, the node, and the last line that it printed."""
        state = self.seen.state if self.seen else "CANCELLED"
        ended = f"gone after {state}" if TaskState(state).is_alive else state
        where = f" on {self.seen.node}" if self.seen and self.seen.node else ""
        said = self.folder.read_log(self.index).splitlines()
        return f"{ended}{where}" + (f", it last printed: {printable(said[-1], 300)}" if said else "")


@dataclass(slots=True)
class NodeRecord:
    """How tries ended, by node. A broken node fails quickly, so that it is free again first and draws all tasks."""

    results: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)

    def find_bad(self) -> tuple[str, ...]:
        """Return the nodes that have lost several tries, and more than they gave results."""
        return tuple(sorted(node for node, lost in self.losses.items() if node and lost > max(1, self.results[node])))
