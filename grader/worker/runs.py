"""One run of student code: a value; and what was seen of it, once that value was compared with the right one.

So nobody can count the messages of one run and compare the value of another: judges of *how* take a `Compared`, and
only a run makes one. `grader.authoring` shows how checks use both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from grader.errors import Inconclusive, StudentFault, WorkerError

Value = TypeVar("Value")
Seen_co = TypeVar("Seen_co", covariant=True)


class Known(Protocol):
    """Knows of earlier checks whether they have passed: a check's `Note`."""

    passed: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Run(Generic[Value, Seen_co]):
    """What student code returned, once."""

    subject: str
    """What ran, as messages say it: `` `add_gpu` ``."""
    value: Value
    _seen: Seen_co | None = field(default=None, repr=False)
    """What was observed; None where nobody looked on."""
    doubt: str = ""
    """Why nobody can say how the value came about; empty for a run that was observed and followed."""
    _as_whole: Callable[[], Run[Value, Seen_co]] | None = field(default=None, repr=False, compare=False)
    """Runs the whole files instead of the slices; None where they ran."""

    def compared(self, compare: Callable[[Value], None], note: Known, *owners: str) -> Compared[Value, Seen_co]:
        """Compare the value, and return what judges of how it came about take.

        A wrong value costs the check that owns it its points. If that is another check than this one, and did not pass,
        nothing more is lost here: one mistake costs one check. If it passed, the value is right only in runs of which
        nobody asks how, and this check fails. But where the whole files give the right value, nobody is blamed for the
        way in which slices are cut.

        Args:
            compare: Raises `StudentFault` if the value that it is given is wrong.
            note: Knows which checks have passed.
            owners: Ids of the checks that a wrong value belongs to, one of them at least; none for this check itself.

        Raises:
            StudentFault: the value is wrong, and this check owns it, or no owner is known to have lost its points.
            Inconclusive: the value is wrong, and that of the whole files is right.
        """
        try:
            compare(self.value)
        except StudentFault as fault:
            if self._is_right_as_whole(compare):
                raise Inconclusive(f"{fault} But the whole file is right. A TA should read it.") from fault
            if owners and all(note.passed.get(owner) for owner in owners):
                raise _only_unwatched(fault, owners) from fault
            if not any(note.passed.get(owner) is False for owner in owners):
                raise
        return Compared(self.subject, self.value, self._seen, self.doubt)

    def _is_right_as_whole(self, compare: Callable[[Value], None]) -> bool:
        if self._as_whole is None:
            return False
        try:
            compare(self._as_whole().value)
        except WorkerError:
            raise
        except Exception:  # noqa: BLE001 - whatever becomes of the whole files, it does not excuse the slices
            return False
        return True

    @property
    def is_of_slices(self) -> bool:
        """Whether slices ran, and not the whole files."""
        return self._as_whole is not None

    @property
    def is_observed(self) -> bool:
        """Whether what was observed can be relied on."""
        return self._seen is not None and not self.doubt

    @property
    def held_against(self) -> Seen_co | None:
        """What was observed, for judges that only raise doubts: it proves nothing, as nobody compared the value."""
        return self._seen


@dataclass(frozen=True, slots=True)
class Compared(Generic[Value, Seen_co]):
    """A run whose value was compared with the right one, or is another check's to lose; made by `Run.compared`."""

    subject: str
    value: Value
    _seen: Seen_co | None = field(repr=False)
    doubt: str

    @property
    def seen(self) -> Seen_co:
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
