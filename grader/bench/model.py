"""What was measured: one timing per comparison, row and number of cores. Standard library only."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.timing.models import fit_serial_fraction

NO_GPU_TIME = "CUDA kernels were executed on the CPU: their times are no GPU times."


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one row on so many cores, or why there are none."""

    comparison: str
    row: str
    cores: int
    samples_s: tuple[float, ...] = ()
    first_s: float | None = None
    """The first call, with compilation; not among the samples."""
    problem: str = ""
    """Why there are no samples, in a few words."""
    kernels: bool = False
    phases_s: Mapping[str, float] = field(default_factory=dict)
    """Of the best sample."""

    @property
    def best_s(self) -> float:
        """The shortest sample."""
        return min(self.samples_s)

    @property
    def median_s(self) -> float:
        """The median sample."""
        return statistics.median(self.samples_s)

    @property
    def middle_half_s(self) -> tuple[float, float]:
        """Between what the middle half of the samples lies: the first and the third quartile."""
        if len(self.samples_s) == 1:
            return self.best_s, self.best_s
        low, _median, high = statistics.quantiles(self.samples_s, n=4, method="inclusive")
        return low, high


_GAINS = 1.2
"""What is never so many times as fast on more cores gains nothing from them: less is the noise of a shared machine."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """How one row gains from cores."""

    speedups: dict[int, float]
    """Number of cores -> how many times faster than on one core, by medians."""
    serial_fraction: float

    @property
    def is_on_one_core(self) -> bool:
        """Whether the row uses one core, however many there are: Amdahl's law has nothing to say about it."""
        return max(self.speedups.values()) < _GAINS


@dataclass(frozen=True, slots=True)
class Chart:
    """One comparison's timings, with everything that a table or a picture of it says."""

    id: str
    title: str
    timings: tuple[Timing, ...]
    peak_share: float | None = None
    """The share of one multiprocessor's peak that the one-block kernel reaches, copies included; None without a GPU."""
    has_one_block: bool = False
    on_cpu: bool = True
    """Whether CUDA kernels were executed on the CPU, so that their times are no GPU times."""
    counted_as: str = ""
    """How operations are counted for the share of the peak, as a formula."""

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows, in the sheet's order."""
        return tuple(dict.fromkeys(timing.row for timing in self.timings))

    @property
    def cores(self) -> tuple[int, ...]:
        """The numbers of cores, rising."""
        return tuple(sorted({timing.cores for timing in self.timings}))

    def find(self, row: str, cores: int) -> Timing:
        """Return one timing; `StopIteration` if there is none."""
        return next(timing for timing in self.timings if (timing.row, timing.cores) == (row, cores))

    def scaling(self, row: str) -> Scaling | None:
        """Return how `row` gains from cores; None where it was not measured on one core and on more."""
        times_s = {each.cores: each.median_s for each in self.timings if each.row == row and each.samples_s}
        fraction = fit_serial_fraction(times_s)
        if fraction is None:
            return None
        return Scaling({cores: times_s[1] / seconds for cores, seconds in times_s.items()}, fraction)


@dataclass(frozen=True, slots=True)
class Bench:
    """Everything that one run of `grader bench` measured."""

    machine: str
    device: str
    """`gpu` or `cpu`."""
    device_name: str
    charts: tuple[Chart, ...]
    notes: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """Where this was measured, in one line; of CUDA kernels, if any ran, on which device."""
        ran = f"; {self.device_name if self.device == 'gpu' else f'* {NO_GPU_TIME}'.rstrip('.')}"
        return self.machine + ran * any(timing.kernels for chart in self.charts for timing in chart.timings)
