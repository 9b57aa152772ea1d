"""All cases of all assignments, wherever their files lie: the one place that knows their loaders."""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import attack_runs
import handins
from handins import DISTRIBUTED, GEMM, HW1, LAYERS, HandIns

from grader.trial.changes import Change
from grader.worker.launcher import Limits

CONTROLS = "controls"
KINDS = (CONTROLS, "mistakes", "unusual", "attacks")
Files = Mapping[str, bytes]
COURSES = {course.name: course for course in (HW1, LAYERS, GEMM, DISTRIBUTED)}


@dataclass(frozen=True)
class Case:
    """One hand-in, and how it is graded."""

    assignment: str
    kind: str
    name: str
    make: Callable[[], Files] = field(repr=False)
    """Makes the files, which takes a while for all cases."""
    only: tuple[str, ...] = ()
    """Checks, or their first words; empty for all."""
    limits: Limits = field(default_factory=Limits)

    @property
    def files(self) -> Files:
        """What is handed in."""
        return self.make()

    @property
    def id(self) -> str:
        """Its name in the lines."""
        return f"{self.assignment} {self.kind} {self.name}"

    @property
    def key(self) -> str:
        """Its name as a file's."""
        return self.id.replace(" ", ".")

    def digest(self) -> str:
        """Return a digest of what is handed in and how it is graded."""
        how = repr((self.only, self.limits)).encode()
        return hashlib.sha256(handins.packed(self.files) + how).hexdigest()


def all_cases() -> list[Case]:
    """Return the cases of all assignments, sorted by id."""
    attacks = (Case("hw1", "attacks", one.id, one.files, one.runs, one.limits) for one in attack_runs.attacks())
    parts = (controls(), attacks, changes_of_hw1(), changes_of_others())
    cases = sorted((case for part in parts for case in part), key=lambda case: case.id)
    assert len({case.key for case in cases}) == len(cases), "two cases of one name"
    return cases


def controls() -> Iterator[Case]:
    """Yield reference and template of each assignment, all of whose checks are graded."""
    for name, course in COURSES.items():
        yield Case(name, CONTROLS, "reference", course.reference_files)
        yield Case(name, CONTROLS, "template", course.template_files)


def checks_of(*files: str) -> tuple[str, ...]:
    """Return which checks are graded of a hand-in of hw1 in which these files are not the reference's.

    Those of the files: each file of hw1 has its own, and none reads another's.
    """
    prefixes = [handins.PREFIXES[name] for name in files]
    each = (prefix for one in prefixes for prefix in ([one] if isinstance(one, str) else one))
    return tuple(sorted({prefix.removesuffix(".") for prefix in each}))


def changes_of_hw1() -> Iterator[Case]:
    """Yield the mistakes and what is unusual."""
    for kind in ("mistakes", "unusual"):
        for change in handins.changes(kind):
            checks = checks_of(change.target, *(other.target for other in change.others))
            yield Case("hw1", kind, change.id, partial(changed, HW1, change), checks, change.limits)


def changes_of_others() -> Iterator[Case]:
    """Yield the cases of the other assignments, all of whose checks are graded: their files import each other."""
    for name in sorted(COURSES.keys() - {"hw1"}):
        for kind in KINDS[1:]:
            for change in COURSES[name].changes(kind):
                yield Case(name, kind, change.id, partial(changed, COURSES[name], change), (), change.limits)


def changed(course: HandIns, change: Change) -> Files:
    """Return the reference with one change."""
    return course.reference_files() | change.changed_files()


def sample(cases: Sequence[Case], count: int, seed: str) -> list[Case]:
    """Return `count` of the cases by chance, always the same for a seed, and the controls beside them.

    Each kind of each assignment has its share: of all cases in a row, one kind after the other and each in an order
    drawn by chance, every so-manieth is taken.
    """
    rng = random.Random(seed)
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.assignment, case.kind), []).append(case)
    kept = [case for (_, kind), group in groups.items() if kind == CONTROLS for case in group]
    row = [case for (_, kind), group in groups.items() if kind != CONTROLS for case in rng.sample(group, len(group))]
    step = max(len(row) / count, 1.0)
    start = rng.random() * step
    chosen = [row[int(start + step * place)] for place in range(min(count, len(row)))]
    return sorted([*kept, *chosen], key=lambda case: case.id)
