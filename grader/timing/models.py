"""Models of how work becomes faster when it is shared: Amdahl's law, and the α-β model of all-reduces.

Amdahl's law: if a fraction s of the time on one core cannot be shared, then

    T(n) = T(1)·(s + (1 - s)/n)        S(n) = T(1)/T(n) = 1/(s + (1 - s)/n)  <=  1/s

(G. M. Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities", AFIPS 1967.)
Solved for s at one n, this is the experimentally determined serial fraction of A. H. Karp and H. P. Flatt ("Measuring
parallel processor performance", CACM 33(5), 1990). With several n, s is fitted by least squares: with y = 1/S(n) - 1/n
and x = 1 - 1/n the law reads y = s·x, so that s = sum(x·y)/sum(x²).

The α-β model of messages: a message of n bytes takes

    t(n) = α + β·n

with the latency α and the time per byte β (R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko
CS-2", Parallel Computing 20(3), 1994). An all-reduce of n bytes on P ranks, without the additions themselves:

    ring    2 (P - 1) α + 2 (P - 1)/P · n β     parts go round twice
    tree    2 ⌈log2 P⌉ (α + n β)                a reduction and a broadcast along binomial trees

Ring: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
Tree: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA
19(1), 2005.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass


def fit_serial_fraction(times_s: Mapping[int, float]) -> float | None:
    """Return the serial fraction, 0 to 1, that fits seconds by number of cores; None without 1 core and more."""
    more = {cores: seconds for cores, seconds in times_s.items() if cores > 1 and seconds > 0}
    alone_s = times_s.get(1, 0.0)
    if not more or alone_s <= 0:
        return None
    pairs = [(1 - 1 / cores, seconds / alone_s - 1 / cores) for cores, seconds in more.items()]
    return min(max(sum(x * y for x, y in pairs) / sum(x * x for x, _y in pairs), 0.0), 1.0)


def amdahl_bound(serial_fraction: float, cores: int) -> float:
    """Return the most that `cores` cores can be faster than one: 1/(s + (1 - s)/n)."""
    return 1.0 / (serial_fraction + (1.0 - serial_fraction) / cores)


def amdahl_limit(serial_fraction: float) -> float:
    """Return the most that any number of cores can be faster than one: 1/s; infinite without a serial part."""
    return 1.0 / serial_fraction if serial_fraction else float("inf")


@dataclass(frozen=True, slots=True)
class Link:
    """The time of a message: a latency, and a time per byte."""

    latency_s: float  # α
    byte_s: float  # β, seconds per byte


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a data-parallel training on one rank: its computing, which ranks share, and its all-reduces."""

    computing_s: float
    calls: float  # the number of all-reduces, each of which has a latency
    size_bytes: float  # bytes of all of them together


def fit_link(times_s: Mapping[int, float]) -> Link | None:
    """Return α and β that fit times of messages, bytes -> seconds; None for fewer than two sizes.

    By least squares of the relative errors, so that short messages count as much as long ones.
    """
    if len(times_s) < 2 or min(times_s.values()) <= 0:  # noqa: PLR2004 - two unknowns
        return None
    rows = [(1 / seconds, size / seconds) for size, seconds in times_s.items()]
    aa, ab, bb = (sum(row[i] * row[j] for row in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
    a, b = sum(row[0] for row in rows), sum(row[1] for row in rows)
    determinant = aa * bb - ab * ab
    if determinant <= 0:
        return None
    return Link(max((a * bb - b * ab) / determinant, 0.0), max((b * aa - a * ab) / determinant, 0.0))


def ring_s(ranks: int, step: Step, link: Link) -> float:
    """Return the seconds of the all-reduces of one step by rings."""
    return 2 * (ranks - 1) * (step.calls * link.latency_s + step.size_bytes / ranks * link.byte_s)


def tree_s(ranks: int, step: Step, link: Link) -> float:
    """Return the seconds of the all-reduces of one step by trees."""
    return 2 * math.ceil(math.log2(ranks)) * (step.calls * link.latency_s + step.size_bytes * link.byte_s)


def step_s(ranks: int, step: Step, link: Link) -> float:
    """Return the seconds of one step: its share of the computing, and the better of ring and tree, as MPI chooses."""
    return step.computing_s / ranks + min(ring_s(ranks, step, link), tree_s(ranks, step, link))
