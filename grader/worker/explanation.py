"""Inside the worker, on the executor: what the kernels of a call do to memory. Called by checks on request."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from grader.cuda_cpu import checking, counting, describe_costs

_MAX_SENTENCES = 40


def find_races(module: str, function: str, args: Sequence[Any], most: int = 0) -> dict[str, Any]:
    """Call `module.function(*args)` and look for data races, among the first `most` accesses of each thread if not 0.

    Returns:
        `found`: sentences on data races and the like. `complete`: whether every access was followed.
    """
    target = getattr(importlib.import_module(module), function)
    with checking(most) as findings:
        target(*args)
    return {"found": findings.describe()[:_MAX_SENTENCES], "complete": not findings.notes}


def explain_launches(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function(*args)` twice and return sentences on its launches.

    Returns:
        `found`: data races and other findings of check mode. `counted`: coalescing, bank conflicts, barriers and
        divergence, counted and not timed.
    """
    found = find_races(module, function, args)
    target = getattr(importlib.import_module(module), function)
    with counting() as figures:
        target(*args)
    counted = [sentence for launch in figures.launches for sentence in describe_costs(launch)]
    return {**found, "counted": counted[:_MAX_SENTENCES]}
