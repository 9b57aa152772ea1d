"""The α-β model of messages, and what it says of all-reduces on many ranks.

A message of n bytes takes

    t(n) = α + β·n

with the latency α and the time per byte β (R. W. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko
CS-2", Parallel Computing 20(3), 1994). An all-reduce of n bytes on P ranks, without the additions themselves:

    ring                2 (P - 1) α + 2 (P - 1)/P · n β     parts go round twice
    tree                2 ⌈log2 P⌉ (α + n β)                a reduction and a broadcast along binomial trees
    parameter server    2 (P - 1) (α + n β)                 one process takes from all, and gives to all, in turn

Ring: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 69(2), 2009.
Tree: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH", IJHPCA
19(1), 2005. Parameter server, here a single one: M. Li et al., "Scaling distributed machine learning with the parameter
server", OSDI 2014.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """What a message takes."""

    latency_s: float
    """α"""
    byte_s: float
    """β, seconds per byte."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a data-parallel training on one rank: what is shared out, and what has to be combined."""

    computing_s: float
    calls: float
    """All-reduces, each of which has its latency."""
    size_bytes: float
    """Of all of them together."""


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
    return 2 * math.ceil(math.log2(ranks)) * _once_s(step, link)


def server_s(ranks: int, step: Step, link: Link) -> float:
    """Return the seconds of the all-reduces of one step by a parameter server, which is one of the ranks."""
    return 2 * (ranks - 1) * _once_s(step, link)


def _once_s(step: Step, link: Link) -> float:
    return step.calls * link.latency_s + step.size_bytes * link.byte_s


ALGORITHMS = {"ring": ring_s, "tree": tree_s, "parameter server": server_s}


def step_s(ranks: int, step: Step, link: Link) -> float:
    """Return the seconds of one step: its share of the computing, and the better of ring and tree, as MPI chooses."""
    return step.computing_s / ranks + min(ring_s(ranks, step, link), tree_s(ranks, step, link))
