"""One run of student code: a value; and what was seen of it, once that value was compared with the right one.

So nobody can count the messages of one run and compare the value of another: judges of *how* take a `Compared`, and
only a run makes one. `grader.authoring` shows how checks use both.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from grader.errors import Inconclusive, StudentFault

Value = TypeVar("Value")
Seen = TypeVar("Seen")


class Passed(Protocol):
    """Knows which checks have passed: a check's `Note`."""

    passed: Container[str]


@dataclass(frozen=True, slots=True)
class Run(Generic[Value, Seen]):
    """What student code returned, once."""

    subject: str
    """What ran, as messages say it: `` `add_gpu` ``."""
    value: Value
    _seen: Seen | None = field(default=None, repr=False)
    """What was observed; None where nobody looked on."""
    doubt: str = ""
    """Why nobody can say how the value came about; empty for a run that was observed and followed."""

    def compared(self, compare: Callable[[], None], note: Passed, *owners: str) -> Compared[Value, Seen]:
        """Compare the value, and return what judges of how it came about take.

        A wrong value costs the check that owns it its points. If that is another check than this one, and did not pass,
        nothing more is lost here: one mistake costs one check. If it passed, the value is right only in runs of which
        nobody asks how, and this check fails.

        Args:
            compare: Raises `StudentFault` if the value is wrong.
            note: Knows which checks have passed.
            owners: Ids of the checks that a wrong value belongs to, one of them at least; none for this check itself.

        Raises:
            StudentFault: the value is wrong, and this check owns it, or all owners have passed.
        """
        try:
            compare()
        except StudentFault as fault:
            if not owners:
                raise
            if all(owner in note.passed for owner in owners):
                raise _only_unwatched(fault, owners) from fault
        return Compared(self.subject, self.value, self._seen, self.doubt)

    @property
    def is_observed(self) -> bool:
        """Whether what was observed can be relied on."""
        return self._seen is not None and not self.doubt

    @property
    def held_against(self) -> Seen | None:
        """What was observed, for judges that only raise doubts: it proves nothing, as nobody compared the value."""
        return self._seen


@dataclass(frozen=True, slots=True)
class Compared(Generic[Value, Seen]):
    """A run whose value was compared with the right one, or is another check's to lose; made by `Run.compared`."""

    subject: str
    value: Value
    _seen: Seen | None = field(repr=False)
    doubt: str

    @property
    def seen(self) -> Seen:
        """What was observed of the run.

        Raises:
            Inconclusive: it was not observed, or could not be followed.
        """
        if self._seen is None or self.doubt:
            why = self.doubt or f"{self.subject} could not be followed"
            raise Inconclusive(f"{why}. A TA should read it and give the points.")
        return self._seen


def _only_unwatched(fault: StudentFault, owners: tuple[str, ...]) -> StudentFault:
    """Return the fault of a run that is wrong where the checks of its value have passed."""
    passed = f"{', '.join(owners)} passed: the answer is right only where nobody asks how it is computed."
    message = f"{fault.finding.message} {passed}"
    return StudentFault(replace(fault.finding, message=message))
