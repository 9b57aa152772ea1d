"""Both evidences of one hand-in become one: what one of them decided stays, and no contradiction is decided."""

from dataclasses import replace

import pytest

from grader.course.grades.merging import contradictions, join
from grader.errors import UsageError
from grader.model import Evidence, File, Finding, Observation, Outcome, Run, Submission

CPU = Run("cpu", "digits", "landlock", 7)
GPU = Run("gpu", "MNIST", "full", 8)
HANDED_IN = Submission("submission_1", "a" * 64, (File("utils.py", 3, "1" * 64), File("hw1.pdf", 4, "2" * 64)))
REPACKED = replace(HANDED_IN, name="hw1", sha256="b" * 64, files=HANDED_IN.files[::-1])


def evidence(run, handed_in=HANDED_IN, **outcomes):
    seen = [
        Observation(check, "It is right.", Outcome(outcome), Finding(f"{check} on {run.device}"))
        for check, outcome in outcomes.items()
    ]
    return Evidence(handed_in, run, tuple(seen), "hw1")


def joined(second, first):
    """Return outcome and finding of one check after both gradings; None where one did not run it."""
    final = evidence(GPU, REPACKED, **({"add": second} if second else {}))
    (seen,) = join(final, evidence(CPU, **({"add": first} if first else {}))).observations
    return seen.outcome, seen.finding.message


@pytest.mark.parametrize("decided", ["passed", "failed"])
def test_what_one_grading_decided_stays_decided_but_for_a_doubt_of_the_second(decided):
    for undecided in ("not_measured", "error", "skipped", None):
        assert joined(decided, undecided) == (decided, "add on gpu")
        assert joined(undecided, decided) == (decided, "add on cpu")
    assert joined("inconclusive", decided) == ("inconclusive", "add on gpu")
    assert joined(decided, "inconclusive") == (decided, "add on gpu")
    for both in (decided, "error", "skipped"):
        assert joined(both, both) == (both, "add on gpu")


@pytest.mark.parametrize(("second", "first"), [("passed", "failed"), ("failed", "passed")])
def test_a_contradiction_costs_no_point_and_says_both(second, first):
    outcome, message = joined(second, first)
    assert outcome is Outcome.INCONCLUSIVE
    assert message.startswith(f"It {first} on the platform, and {second} in the second grading.")
    final, provisional = evidence(GPU, add=second, max="passed"), evidence(CPU, add=first, max="passed")
    assert contradictions(final, provisional) == ("add",)


def test_a_share_of_a_contradicted_check_is_open_flags_of_both_stay_and_the_first_run_is_named():
    final = evidence(GPU, add="failed")
    final = replace(final, observations=(replace(final.observations[0], share=0.5),))
    (seen,) = join(final, evidence(CPU, add="passed")).observations
    assert seen.share == 0
    final, provisional = evidence(GPU, add="passed"), evidence(CPU, add="passed")
    final = replace(final, observations=(replace(final.observations[0], flags=("slow", "same")),))
    provisional = replace(provisional, observations=(replace(provisional.observations[0], flags=("same", "a race")),))
    assert join(final, provisional).observations[0].flags == ("slow", "same", "a race")
    run = join(evidence(GPU, add="passed"), evidence(CPU, add="passed")).run
    assert (run.device, run.seed) == ("gpu", 8)
    assert "device cpu, sandbox landlock, seed 7" in run.notes[-1]


def test_other_files_another_assignment_and_what_nobody_could_open_are_not_joined():
    other = replace(HANDED_IN, files=(File("utils.py", 3, "9" * 64), HANDED_IN.files[1]))
    with pytest.raises(UsageError, match="same files"):
        join(evidence(GPU, other, add="passed"), evidence(CPU, add="passed"))
    nothing = Submission("hw1", "")
    with pytest.raises(UsageError, match="same files"):
        join(evidence(GPU, nothing), evidence(CPU, nothing))
    with pytest.raises(UsageError, match="layers"):
        join(evidence(GPU, add="passed"), replace(evidence(CPU, add="passed"), assignment="layers"))
