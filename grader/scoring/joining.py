"""One hand-in graded twice, first on a platform and then where there is a GPU: both evidences as one.

    the second grading            the first grading    joined
    decided                       the same, or open    the second's
    failed itself, or not run     decided              the first's
    left to a TA                  anything             the second's
    passed                        failed               open: a TA looks, because one of the two gradings is wrong
    failed                        passed               the same

Decided is what passed or failed. Flags of both stay: some races show on the CPU alone, and some on a GPU.
"""

from dataclasses import replace

from grader.errors import UsageError
from grader.model import Evidence, Finding, Observation, Outcome

_DECIDED = {Outcome.PASSED, Outcome.FAILED}
_UNKNOWN = {Outcome.ERROR, Outcome.NOT_MEASURED, Outcome.SKIPPED}
"""What says nothing of the submission; `INCONCLUSIVE` is a doubt, and the machine that had it knew more."""


def join(final: Evidence, provisional: Evidence) -> Evidence:
    """Return `final`, with what `provisional` alone could decide, and open where the two contradict each other.

    Raises:
        UsageError: they are of different assignments, of different files, or of a file that nobody could open.
    """
    if final.assignment != provisional.assignment:
        raise UsageError(
            f"one grading is of {final.assignment}, and the other of {provisional.assignment}: name the right files"
        )
    if not final.submission.files or final.submission.contents != provisional.submission.contents:
        raise UsageError("the two gradings are not of the same files")
    first, second = _by_check(provisional), _by_check(final)
    joined = tuple(_join(second.get(check), first.get(check)) for check in {**second, **first})
    run = provisional.run
    note = f"Joined with the provisional grading: device {run.device}, sandbox {run.sandbox}, seed {run.seed}."
    return replace(final, observations=joined, run=replace(final.run, notes=(*final.run.notes, note)))


def contradictions(final: Evidence, provisional: Evidence) -> tuple[str, ...]:
    """Return the checks that passed in one of the two gradings, and failed in the other."""
    first = _by_check(provisional)
    return tuple(check for check, second in _by_check(final).items() if _contradicts(second, first.get(check)))


def _by_check(evidence: Evidence) -> dict[str, Observation]:
    return {observation.check: observation for observation in evidence.observations}


def _contradicts(second: Observation, first: Observation | None) -> bool:
    return first is not None and {second.outcome, first.outcome} == _DECIDED


def _join(second: Observation | None, first: Observation | None) -> Observation:
    if first is None or second is None:
        return first or second  # type: ignore[return-value] # a check that neither saw is in no table
    flags = tuple(dict.fromkeys((*second.flags, *first.flags)))
    if _contradicts(second, first):
        finding = _contradiction(second, first)
        return replace(second, flags=flags, outcome=Outcome.INCONCLUSIVE, share=0.0, finding=finding)
    takes_first = second.outcome in _UNKNOWN and first.outcome in _DECIDED
    return replace(first if takes_first else second, flags=flags)


def _contradiction(second: Observation, first: Observation) -> Finding:
    failed = first if first.outcome is Outcome.FAILED else second
    message = failed.finding.message if failed.finding else ""
    text = f"It {first.outcome} on the platform, and {second.outcome} in the second grading."
    return Finding(f"{text} {message}".strip(), hint="No point is lost yet: a TA looks at both.")
