"""A batch on a cluster that loses nodes and tasks, simulated: how long it takes, and what a lost node costs.

The policy is the one of `grader.course.cluster.slurm`: one array at a time, of what is there and not graded; what it
loses is part of the next one, at most twice. Service times are drawn from gradings that really happened. Events are
kept in a heap; nothing waits, and a seed decides all.

    arrive --array--> run --ends--> graded
              ^        |
              +--lost--+--too often--> given up: a person looks, nobody gets a zero
"""

import heapq
import itertools
import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.course.cluster.controller import SlurmSettings
from grader.course.cluster.slurm import MAX_TRIES
from grader.errors import UsageError

HOUR_S = 3600.0
_DAY_S = 24 * HOUR_S
_POLICY = SlurmSettings()


def setting(default, words):
    return field(default=default, metadata={"help": words})


@dataclass(frozen=True, slots=True)
class Scenario:
    submissions: int = setting(10_000, "how many hand-ins")
    nodes: int = setting(20, "how many nodes")
    gpus: int = setting(1, "GPUs per node, each for one hand-in at a time")
    rush_h: float = setting(2.0, "mean hours from a hand-in to the deadline, a day at most; 0 if all are there at once")
    node_life_h: float = setting(200.0, "mean hours until a node dies; 0 for never")
    repair_h: float = setting(1.0, "hours until it is back")
    task_loss: float = setting(0.005, "probability that a task is cancelled, preempted or killed")
    start_s: float = setting(3.0, "seconds from a free GPU to the first check: Slurm, Python, Numba")
    node_notice_s: float = setting(300.0, "seconds until Slurm gives up a dead node: `SlurmdTimeout`")
    array_notice_s: float = setting(
        _POLICY.grace_s + _POLICY.poll_s, "seconds from the end of an array that lost tasks to the next one"
    )
    array_size: int = setting(_POLICY.array_size, "the most tasks of one array")
    seed: int = setting(0, "of all random numbers")

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            UsageError: a count below 1, a time below 0, or a probability that is none.
        """
        for name in ("submissions", "nodes", "gpus", "array_size"):
            self._refuse(name, getattr(self, name) >= 1, "1 or more")
        for name in ("rush_h", "node_life_h", "repair_h", "start_s", "node_notice_s", "array_notice_s", "seed"):
            self._refuse(name, 0 <= getattr(self, name) < math.inf, "0 or more")
        self._refuse("task_loss", 0 <= self.task_loss <= 1, "between 0 and 1")

    def _refuse(self, name: str, possible: bool, wanted: str) -> None:
        if not possible:
            raise UsageError(f"{name} = {getattr(self, name)} cannot be simulated: give {wanted}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it. Times count from the first hand-in."""

    arrived_s: tuple[float, ...]
    """Per hand-in, in the order of arrival; as are the next two."""
    ended_s: tuple[float, ...]
    tries: tuple[int, ...]
    given_up: frozenset[int]
    """Positions of hand-ins that were lost too often."""
    deadline_s: float
    lost_nodes: int
    regraded: int
    """Tries beyond the first."""
    work_s: float
    """GPU time of tries that gave a result."""
    wasted_s: float
    """GPU time of tries that were lost."""
    wasted_with_nodes_s: float
    """The part of it that was lost with nodes."""

    @property
    def makespan_s(self) -> float:
        """From the first hand-in to the last result."""
        return max(self.ended_s)

    @property
    def after_deadline_s(self) -> float:
        """From the deadline to the last result."""
        return max(0.0, self.makespan_s - self.deadline_s)

    @property
    def per_hour(self) -> float:
        return len(self.ended_s) / self.makespan_s * HOUR_S


def simulate(scenario: Scenario, service_s: Sequence[float]) -> Outcome:
    """Return how the batch goes; each hand-in takes one of `service_s`, drawn with replacement."""
    return _Cluster(scenario, service_s).run()


def draw_arrivals(scenario: Scenario, generator: np.random.Generator) -> tuple[np.ndarray, float]:
    """Return when hand-ins arrive, sorted, the first at 0, and the deadline: s.

    The time left to the deadline is exponential, cut off at a day: many wait for the last hour.
    """
    if scenario.rush_h == 0:
        return np.zeros(scenario.submissions), 0.0
    mean_s = scenario.rush_h * HOUR_S
    within_day = -np.expm1(-_DAY_S / mean_s)
    left_s = -mean_s * np.log1p(-within_day * generator.random(scenario.submissions))
    return np.sort(left_s.max() - left_s), float(left_s.max())


class _Cluster:
    """The state of one simulation. Events are (time, number, method, arguments)."""

    def __init__(self, scenario: Scenario, service_s: Sequence[float]) -> None:
        self._scenario = scenario
        self._generator = np.random.default_rng(scenario.seed)
        self._arrived_s, self._deadline_s = draw_arrivals(scenario, self._generator)
        self._service_s = self._generator.choice(np.asarray(service_s, float), scenario.submissions) + scenario.start_s
        self._ended_s = [0.0] * scenario.submissions
        self._tries = [0] * scenario.submissions
        self._given_up: set[int] = set()
        self._open = scenario.submissions
        self._unfinished: deque[int] = deque()
        """What is there, not graded, and in no array."""
        self._array_open = 0
        """How many tasks of the array have not ended."""
        self._has_lost = False
        """Whether the array lost a task."""
        self._queue: deque[int] = deque()
        """Tasks of the array that wait for a GPU."""
        self._free = [scenario.gpus] * scenario.nodes
        self._idle = deque(range(scenario.nodes))
        """Nodes that may have a free GPU; checked when taken."""
        self._life = [0] * scenario.nodes
        """How often each node died: a task that began in an earlier life never ends."""
        self._running: list[dict[int, float]] = [{} for _ in range(scenario.nodes)]
        self._work_s = self._wasted_s = self._wasted_with_nodes_s = 0.0
        self._lost_nodes = 0
        self._events: list[tuple[float, int, Callable[..., None], tuple[int, ...]]] = []
        self._numbers = itertools.count()

    def run(self) -> Outcome:
        for handin, at_s in enumerate(self._arrived_s):
            self._plan(at_s, self._arrive, handin)
        for node in range(self._scenario.nodes):
            self._plan_death(0.0, node)
        while self._open:
            now_s, _number, happen, arguments = heapq.heappop(self._events)
            happen(now_s, *arguments)
        tries = tuple(self._tries)
        return Outcome(
            arrived_s=tuple(self._arrived_s.tolist()),
            ended_s=tuple(self._ended_s),
            tries=tries,
            given_up=frozenset(self._given_up),
            deadline_s=self._deadline_s,
            lost_nodes=self._lost_nodes,
            regraded=sum(tries) - len(tries),
            work_s=self._work_s,
            wasted_s=self._wasted_s + self._wasted_with_nodes_s,
            wasted_with_nodes_s=self._wasted_with_nodes_s,
        )

    def _plan(self, at_s: float, happen: Callable[..., None], *arguments: int) -> None:
        heapq.heappush(self._events, (float(at_s), next(self._numbers), happen, arguments))

    def _plan_death(self, now_s: float, node: int) -> None:
        if self._scenario.node_life_h:
            life_s = self._generator.exponential(self._scenario.node_life_h * HOUR_S)
            self._plan(now_s + life_s, self._kill_node, node)

    def _arrive(self, now_s: float, handin: int) -> None:
        self._unfinished.append(handin)
        if not self._array_open:
            self._plan(now_s, self._submit)  # after all that arrive at this moment

    def _submit(self, now_s: float) -> None:
        if self._array_open:
            return
        self._has_lost = False
        while self._unfinished and self._array_open < self._scenario.array_size:
            self._queue.append(self._unfinished.popleft())
            self._array_open += 1
        self._start_waiting(now_s)

    def _start_waiting(self, now_s: float) -> None:
        while self._queue and self._idle:
            node = self._idle.popleft()
            if self._free[node]:
                self._start(now_s, node, self._queue.popleft())

    def _start(self, now_s: float, node: int, handin: int) -> None:
        self._free[node] -= 1
        if self._free[node]:
            self._idle.append(node)
        self._tries[handin] += 1
        self._running[node][handin] = now_s
        life, takes_s = self._life[node], self._service_s[handin]
        if self._generator.random() < self._scenario.task_loss:
            self._plan(now_s + takes_s * self._generator.random(), self._lose_task, node, life, handin)
        else:
            self._plan(now_s + takes_s, self._end, node, life, handin)

    def _end(self, now_s: float, node: int, life: int, handin: int) -> None:
        if life == self._life[node]:
            self._work_s += self._release(now_s, node, handin)
            self._close(now_s, handin)
            self._start_waiting(now_s)
            self._end_task(now_s)

    def _lose_task(self, now_s: float, node: int, life: int, handin: int) -> None:
        if life == self._life[node]:
            self._wasted_s += self._release(now_s, node, handin)
            self._try_again(now_s, handin)
            self._start_waiting(now_s)

    def _kill_node(self, now_s: float, node: int) -> None:
        """A node dies with everything on it; what that was is noticed later."""
        self._lost_nodes += 1
        for handin in list(self._running[node]):
            self._wasted_with_nodes_s += self._release(now_s, node, handin)
            self._plan(now_s + self._scenario.node_notice_s, self._try_again, handin)
        self._life[node] += 1
        self._free[node] = 0
        self._plan(now_s + self._scenario.repair_h * HOUR_S, self._repair_node, node)

    def _repair_node(self, now_s: float, node: int) -> None:
        self._free[node] = self._scenario.gpus
        self._idle.append(node)
        self._plan_death(now_s, node)
        self._start_waiting(now_s)

    def _try_again(self, now_s: float, handin: int) -> None:
        self._has_lost = True
        if self._tries[handin] >= MAX_TRIES:
            self._given_up.add(handin)
            self._close(now_s, handin)
        else:
            self._unfinished.append(handin)
        self._end_task(now_s)

    def _end_task(self, now_s: float) -> None:
        """Count a task of the array as ended; after the last one, the next array is made."""
        self._array_open -= 1
        if not self._array_open:
            self._plan(now_s + self._scenario.array_notice_s * self._has_lost, self._submit)

    def _close(self, now_s: float, handin: int) -> None:
        self._ended_s[handin] = now_s
        self._open -= 1

    def _release(self, now_s: float, node: int, handin: int) -> float:
        """Free the GPU that `handin` has on `node`, and return how long it had it: s."""
        self._free[node] += 1
        self._idle.append(node)
        return now_s - self._running[node].pop(handin)
