"""What `speedup` times: functions of a submission, the staff's beside them, and their arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.authoring import Shape, Work
from grader.timing import verdict


@dataclass(frozen=True, slots=True)
class Copied:
    """How many bytes of a call have to travel to the GPU, and back from it."""

    to_device_bytes: int
    from_device_bytes: int


@dataclass(frozen=True, slots=True)
class Workload:
    """What is timed: functions of one module of the submission, beside the staff's loop, on the same kind of inputs.

    Where the submission has classes, these are functions of the staff's that drive them.
    """

    module: str
    slow: str
    fast: str
    baseline: tuple[str, str]
    """Module and function of the staff that do what `slow` does, in the plain way."""
    hand_over: tuple[str, str]
    """Module and function of the staff that only return an array of the result's size."""
    work: Work
    shape: Shape
    copies: tuple[str, str]
    """Module and function of the staff that copy the arguments to the GPU and as much as the result back."""
    narrowest: Copied
    """What has to travel if somebody narrows the numbers before."""
    beside: str = ""
    """A third function, whose time is shown and gives no points."""
    uses: tuple[tuple[str, str], ...] = ()
    """Module and name of each graded class that the functions drive, where they are the staff's."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Function -> what reports call it, where that is not its name."""
    plain: str = "staff's loop"
    """What reports call the baseline."""

    def name(self, function: str) -> str:
        """Return what reports call a function."""
        return self.called.get(function, function)

    def subject(self, function: str) -> str:
        """Return how a sentence about a function begins."""
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
