"""How often the speed verdict is wrong or open under simulated noise: `make simulate-noise`.

Everything is the grader's own but the clock: `grader.timing.sampling` takes blocks from simulated contestants until
`grader.timing.verdict` has decided or 20 simulated seconds are over. True ratios lie between half and twice the
threshold. The graded ratio is clamped, so that the simulated `max_cpu` is in turns much faster than the staff's
baseline, as fast, a little slower, at the edge of the clamp, and far beyond it. The true ratio is that of medians.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from tables import parse_options, write_figures, write_tables

from grader.model import Threshold, Timed
from grader.timing import sampling, verdict

PAGE = Path(__file__).parents[2] / "docs/generated/speed.md"
THRESHOLD = Threshold("speedup", at_least=40, timed=Timed())
BASELINE_S, OVERHEAD_S, GPU_CALLS = 0.4, 0.015, 5
"""A Python loop over a million elements; fresh inputs and the comparison, per call; calls of the GPU in a block."""
EDGES = (0.999, 1.0)
"""True ratios, in units of the threshold, at which a wrong verdict is most likely."""
OTHERS = (0.5, 0.63, 0.79, 0.85, 0.89, 0.94, 0.95, 0.98, 1.02, 1.05, 1.06, 1.12, 1.18, 1.26, 1.59, 2.0)
BEYOND = 0.051
KEYS = ("false_pass", "false_fail", "inconclusive_beyond_5pct")
OWN_LOOPS = (0.15, 1.0, 1.2, 1.5, 3.0)
"""`max_cpu` in units of the staff's baseline."""
MOST_CALLS = 1000
Draw = Callable[[np.random.Generator, int], np.ndarray]
"""Factors on the times of so many calls."""
Course = Callable[[np.random.Generator], Callable[[float], float]]
"""For a whole run: a factor on every call, by its moment."""


@dataclass(frozen=True)
class Noise:
    name: str
    words: str
    cpu: Draw
    gpu: Draw
    course: Course | None = None
    cpu_only: bool = False
    """Whether the course leaves the GPU alone."""


@cache
def find_medians(noise: Noise) -> tuple[float, float]:
    """Return the true medians of both factors, by drawing many. What slows both alike leaves the ratio as it is."""
    rng = np.random.default_rng(1)
    cpu = noise.cpu(rng, 200_000)
    if noise.course is not None and noise.cpu_only:
        runs = [noise.course(rng) for _ in range(400)]
        cpu *= [run(rng.uniform(0, THRESHOLD.timed.budget_s)) for run in runs for _ in range(500)]
    return float(np.median(cpu)), float(np.median(noise.gpu(rng, 200_000)))


def lognormal(sigma: float) -> Draw:
    return lambda rng, size: np.exp(rng.normal(0, sigma, size))


def two_speeds(slower: float, share: float, sigma: float) -> Draw:
    return lambda rng, size: lognormal(sigma)(rng, size) * np.where(rng.random(size) < share, slower, 1.0)


def spikes(mean: float, share: float, sigma: float) -> Draw:
    def draw(rng, size):
        return lognormal(sigma)(rng, size) + (rng.random(size) < share) * rng.exponential(mean, size)

    return draw


def drift(total: float) -> Course:
    """Everything becomes slower, evenly, by `total` within the budget."""
    return lambda _rng: lambda now_s: 1.0 + total * now_s / THRESHOLD.timed.budget_s


def bursts(slower: float, on_s: float, off_s: float) -> Course:
    """Calm and disturbed times of random length take turns."""

    def course(rng):
        is_on = rng.random() < on_s / (on_s + off_s)
        ends = np.cumsum([rng.exponential(on_s if is_on == (turn % 2 == 0) else off_s) for turn in range(400)])
        return lambda now_s: slower if is_on == (np.searchsorted(ends, now_s) % 2 == 0) else 1.0

    return course


CALM, SHAKY = (lognormal(0.02), lognormal(0.04)), (lognormal(0.03), lognormal(0.06))
"""Of the CPU and of the GPU."""
USUAL = (
    Noise("calm", "log-normal, 2 % (CPU) and 4 % (GPU)", *CALM),
    Noise("log-normal", "log-normal, 3 % and 8 %", lognormal(0.03), lognormal(0.08)),
    Noise("bimodal", "2 of 10 calls 10 % and 25 % slower", two_speeds(1.1, 0.2, 0.02), two_speeds(1.25, 0.2, 0.04)),
    Noise("drift", "everything 30 % slower after 20 s", *CALM, drift(0.3)),
    Noise("spikes", "1 of 10 calls later by 30 % and 100 %", spikes(0.3, 0.1, 0.02), spikes(1.0, 0.1, 0.04)),
    Noise("bursts", "1.5 s of every 6 s 40 % slower", *CALM, bursts(1.4, 1.5, 4.5)),
    Noise("CPU bursts", "0.5 s of every 5 s 40 % slower on the CPU", *CALM, bursts(1.4, 0.5, 4.5), cpu_only=True),
)
ROUGH = (
    Noise("log-normal", "log-normal, 8 % and 16 %", lognormal(0.08), lognormal(0.16)),
    Noise("bimodal", "3 of 10 calls 15 % and 30 % slower", two_speeds(1.15, 0.3, 0.02), two_speeds(1.3, 0.3, 0.04)),
    Noise("spikes", "3 of 10 calls later by 30 % and 100 %", spikes(0.3, 0.3, 0.03), spikes(1.0, 0.3, 0.06)),
    Noise("CPU bursts", "1.5 s of every 6 s 40 % slower on the CPU", *SHAKY, bursts(1.4, 1.5, 4.5), cpu_only=True),
)


class Machine:
    def __init__(self, noise: Noise, ratio: float, own_loop: float, rng: np.random.Generator) -> None:
        cpu_median, gpu_median = find_medians(noise)
        counted = min(max(own_loop, THRESHOLD.timed.baseline[0]), THRESHOLD.timed.baseline[1])
        self.now_s = 0.0
        self._at = noise.course(rng) if noise.course else lambda _now_s: 1.0
        self._gpu_at = (lambda _now_s: 1.0) if noise.cpu_only else self._at
        self._cpu = iter(noise.cpu(rng, MOST_CALLS) / cpu_median * BASELINE_S)
        self._gpu = iter(noise.gpu(rng, MOST_CALLS) / gpu_median * BASELINE_S * counted / ratio / THRESHOLD.at_least)
        self._own_loop = own_loop

    def contestants(self) -> list[sampling.Contestant]:
        return [
            sampling.Contestant(verdict.SLOW, lambda: self._spend(next(self._cpu) * self._own_loop, self._at)),
            sampling.Contestant(verdict.BASELINE, lambda: self._spend(next(self._cpu), self._at)),
            sampling.Contestant(
                verdict.FAST, lambda: self._spend(next(self._gpu), self._gpu_at), calls=GPU_CALLS, warm_ups=GPU_CALLS
            ),
        ]

    def _spend(self, seconds: float, factor_at: Callable[[float], float]) -> float:
        """Let a call take place; what slows the machine down is that of the middle of the call."""
        seconds = float(seconds * factor_at(self.now_s + seconds / 2))
        self.now_s += seconds + OVERHEAD_S
        return seconds


def decide(noise: Noise, ratio: float, own_loop: float, rng: np.random.Generator) -> tuple[bool | None, float]:
    machine = Machine(noise, ratio, own_loop, rng)
    taken = sampling.sample(
        machine.contestants(),
        lambda samples: verdict.has_decided(samples, THRESHOLD),
        THRESHOLD.timed.budget_s,
        rng,
        lambda: machine.now_s,
        lambda samples: verdict.find_needless(samples, THRESHOLD.timed),
    )
    return verdict.judge(taken.times_s, THRESHOLD.timed).decision(THRESHOLD), taken.spent_s


def simulate(noise: Noise, runs: int) -> dict[float, dict[str, float]]:
    """Return for each true ratio how often it passed, failed and stayed open, and the mean simulated seconds."""
    rng = np.random.default_rng(5)
    cells = {}
    for ratio in sorted(EDGES + OTHERS):
        count = runs if ratio in EDGES else runs // 10
        ended = [decide(noise, ratio, OWN_LOOPS[run % len(OWN_LOOPS)], rng) for run in range(count)]
        verdicts = [passed for passed, _ in ended]
        cells[ratio] = {
            "passed": verdicts.count(True) / count,
            "failed": verdicts.count(False) / count,
            "open": verdicts.count(None) / count,
            "seconds": sum(seconds for _, seconds in ended) / count,
        }
    return cells


def summarise(cells: dict[float, dict[str, float]]) -> dict[str, float]:
    """Return the worst shares of wrong verdicts over the true ratios, and how much stays open beyond 5 %."""
    beyond = [cell for ratio, cell in cells.items() if abs(ratio - 1) > BEYOND]
    return {
        "false_pass": max(cell["passed"] for ratio, cell in cells.items() if ratio < 1),
        "false_fail": max(cell["failed"] for ratio, cell in cells.items() if ratio >= 1),
        "inconclusive_beyond_5pct": sum(cell["open"] for cell in beyond) / len(beyond),
        "open_at_6pct": max(cells[0.94]["open"], cells[1.06]["open"]),
        "seconds": sum(cell["seconds"] for cell in beyond) / len(beyond),
    }


def as_table(rows: list[tuple[Noise, dict[str, float]]]) -> str:
    lines = [
        "| noise | that is | false pass | false fail | open beyond ±5 % | open at ±6 % | seconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for noise, found in rows:
        shares = " | ".join(f"{100 * found[name]:.1f} %" for name in (*KEYS, "open_at_6pct"))
        lines.append(f"| {noise.name} | {noise.words} | {shares} | {found['seconds']:.0f} |")
    return "\n".join(lines)


def main() -> None:
    runs = parse_options(__doc__, runs=(2000, "at ratios next to the threshold; a tenth elsewhere")).runs
    tables, figures = {}, {}
    for kind, noises, count in (("usual", USUAL, runs), ("rough", ROUGH, runs // 2)):
        rows = []
        for noise in noises:
            print(f"{kind}: {noise.name} …", file=sys.stderr)
            rows.append((noise, summarise(simulate(noise, count))))
        tables[kind] = as_table(rows)
        figures[kind] = {name: max(found[name] for _, found in rows) for name in KEYS}
        print(f"{tables[kind]}\n")
    write_tables(PAGE, {kind: [table] for kind, table in tables.items()})
    print("worst over the usual models:", ", ".join(f"{name} {value:.4f}" for name, value in figures["usual"].items()))
    write_figures("simulate-noise", {**figures["usual"], "rough": figures["rough"], "runs": runs})


if __name__ == "__main__":
    main()
