"""Reports with whatever a submission, a check or a rubric could put into them."""

from examples import examples
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from sample_reports import HOSTILE, MARK

from grader.model import Criterion, Evidence, File, Finding, Observation, Outcome, Rubric, Run, Submission, Threshold
from grader.scoring.score import score

unhurried = settings(deadline=None, max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
texts = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(alphabet=st.characters(codec=None), max_size=30),
    st.sampled_from([f"<i {MARK}>", f"</td><script>{MARK}</script>", "A" * 50_000, ""]),
)
valid_texts = st.text(max_size=20)
numbers = st.one_of(st.integers(-(2**60), 2**60), st.floats(), st.booleans(), st.none())


def json_values(scalars):
    return st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(valid_texts, inner, max_size=3)),
        max_leaves=6,
    )


def facts(words, scalars):
    names = st.one_of(words, st.sampled_from(["accuracy_per_epoch_percent", "best_times_s", "speedup", "wall_s"]))
    return st.dictionaries(names, json_values(scalars), max_size=3)


def findings(words):
    return st.builds(Finding, words, words, words, words, words)


def observations(check, words, scalars):
    outcomes, seconds, shares = st.sampled_from(list(Outcome)), st.floats(0, 1e4), st.sampled_from([0.0, 0.5])
    remarks, flags = st.lists(findings(words), max_size=2).map(tuple), st.lists(words, max_size=2).map(tuple)
    told = (words, outcomes, st.none() | findings(words), remarks, flags)
    measured = (facts(words, scalars), words, seconds, seconds, shares)
    return st.builds(Observation, st.just(check), *told, *measured)


def criteria(check):
    parts, points = st.sampled_from(["Part 1", "Part 2", "Report & <rest>"]), st.sampled_from([0, 1, 2.5, 10])
    decided = {
        "visibility": st.sampled_from(["visible", "hidden"]),
        "threshold": st.sampled_from([None, Threshold("speedup", at_least=40)]),
        "hardware": st.sampled_from(["", "gpu"]),
        "marked_by": st.sampled_from(["", "ta"]),
    }
    return st.builds(Criterion, st.just(check), parts, points, **decided)


@st.composite
def evidences(draw, words=texts, scalars=numbers):
    names = st.dictionaries(words, words, max_size=2)
    several = st.lists(words, max_size=2).map(tuple)
    files = st.lists(st.builds(File, words, st.integers(0, 2**40), words), max_size=2).map(tuple)
    handed_in = draw(st.builds(Submission, words, words, files, several, several))
    device, seed = st.sampled_from(["cpu", "gpu"]), st.integers(0, 2**60)
    run = draw(st.builds(Run, device, words, words, seed, names, names, several))
    checks = draw(st.sets(st.sampled_from(["a.one", "a.two", "b.one", "c.three"])))
    seen = tuple(draw(observations(check, words, scalars)) for check in sorted(checks))
    refusal = draw(st.just("") | words)
    return Evidence(handed_in, run, () if refusal else seen, "demo", refusal, draw(st.floats(0, 1e5)))


@st.composite
def reports(draw):
    rows = tuple(draw(criteria(check)) for check in ("a.one", "a.two", "b.one", "c.three"))
    rubric = Rubric("demo", "A demonstration", sum(row.points for row in rows), rows)
    return score(draw(evidences()), rubric)
