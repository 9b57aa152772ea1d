"""What an outcome means for the executor: passed, failed, or not applicable with a reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from conformance.runner import Outcome
from conformance.scope import find_reason

MAX_REASON: Final = 200


@dataclass(frozen=True)
class Verdict:
    word: str
    reason: str = ""


def judge(outcomes: Mapping[str, Outcome]) -> dict[str, Verdict]:
    """Return test name -> verdict.

    A test that the suite expects to fail on CUDA counts as passed where it passes here, as it does on the simulator.
    """
    return {name: _judge_one(name, outcome) for name, outcome in outcomes.items()}


def _judge_one(name: str, outcome: Outcome) -> Verdict:
    if outcome.outcome == "passed":
        return Verdict("passed", outcome.reason)
    if outcome.outcome == "unexpected_success":
        return Verdict("passed")
    if outcome.outcome == "expected_failure":
        return Verdict("not_applicable", "the suite itself expects it to fail on CUDA")
    lines = [line.strip() for line in outcome.reason.splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    reason = find_reason(name, last)
    if reason or outcome.outcome == "skipped":
        return Verdict("not_applicable", reason or f"the suite skips it: {last[:MAX_REASON]}")
    return Verdict("failed", last[:MAX_REASON])
