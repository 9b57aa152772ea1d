"""Two-stage grading: a platform's results and a batch with a GPU end in one final batch, which says what is next."""

from dataclasses import replace

import pytest
from rows import each
from sample_batches import DANA, HANDINS, OMER, RAR, contents, graded_of, make_batch
from sample_reports import all_right, full_marks, make, one_mistake, passed, refused

from grader.course.grades import merging
from grader.course.grades.graded import describe_other_gpus, find_other_gpus, load_batch
from grader.course.grades.marks import give_mark
from grader.course.grades.merging import contradictions, join, merge
from grader.course.grades.sheets import next_steps, write_sheets
from grader.course.grades.tables import set_publishing
from grader.course.model import PROVISIONAL_FILE
from grader.errors import UsageError
from grader.model import Evidence, File, Finding, Mark, Observation, Outcome, Run, Submission
from grader.reports.files import decode
from grader.scoring.score import score

MISTAKE = "utils.create_batches"


def on_platform(report):
    """What the platform graded of the files of `report`: no GPU, and create_batches right."""
    return make(all_right, handed_in=report.evidence.submission).evidence


def own_files(make_report, digit):
    """Return a maker of the same report on other files."""

    def made():
        report = make_report()
        files = tuple(File(name, 1, digit * 64) for name in ("hw1.pdf", "utils.py"))
        evidence = replace(report.evidence, submission=replace(report.evidence.submission, files=files))
        return score(evidence, report.rubric)

    return made


@pytest.fixture
def batch(tmp_path):
    handins = (
        ((DANA,), own_files(one_mistake, "1"), "submission_11"),
        ((OMER,), own_files(full_marks, "2"), "submission_12"),
        ((RAR,), refused, "submission_13"),
    )
    return make_batch(tmp_path / "gpu", handins, missing=(), platform="gradescope")


def test_a_contradiction_is_open_the_rest_is_decided_and_the_batch_stays_as_it_is(batch, tmp_path):
    before = contents(batch)
    merged = merge(batch, [on_platform(own_files(one_mistake, "1")())], tmp_path / "final")
    assert contents(batch) == before
    graded = graded_of(load_batch(merged.store), DANA.id)
    outcomes = {result.criterion.id: result.outcome for result in graded.report.results}
    assert outcomes[MISTAKE] is Outcome.INCONCLUSIVE
    assert outcomes["max.gpu.speedup"] is Outcome.PASSED
    (key,) = merged.joined
    assert merged.contradicted == {key: (MISTAKE,)}
    assert (merged.store.folder(key) / PROVISIONAL_FILE).is_file()


def test_a_provisional_score_becomes_final(batch, tmp_path):
    """Of a hand-in with one mistake, which both gradings saw: only the speed-up was open."""

    def observe(check):
        return passed(check, outcome=Outcome.FAILED) if check == MISTAKE else all_right(check)

    record = make(observe, handed_in=own_files(one_mistake, "1")().evidence.submission)
    merged = merge(batch, [record.evidence], tmp_path / "final")
    final = graded_of(load_batch(merged.store), DANA.id).report
    assert (record.score_low, record.score_high) == (78, 95)
    assert (final.score_low, final.score_high) == (85, 95)  # the TA's ten points stay open
    assert not merged.contradicted


def test_whoever_has_no_record_keeps_the_batchs_grading_and_a_refused_file_is_joined_with_nothing(batch, tmp_path):
    before = load_batch(batch)
    merged = merge(batch, [on_platform(own_files(one_mistake, "9")())], tmp_path / "final")
    assert (merged.joined, (len(merged.alone), merged.unused)) == ((), (3, 1))
    assert [one.evidence for one in load_batch(merged.store).graded] == [one.evidence for one in before.graded]
    merged = merge(batch, [refused().evidence], tmp_path / "other")
    assert (merged.joined, merged.unused) == ((), 0)


def test_of_several_records_of_the_same_files_the_last_counts(batch, tmp_path):
    files = own_files(one_mistake, "1")()
    early, late = (replace(on_platform(files), wall_s=wall_s) for wall_s in (1, 2))
    merged = merge(batch, [early, late], tmp_path / "final")
    (key,) = merged.joined
    assert decode((merged.store.folder(key) / PROVISIONAL_FILE).read_bytes()).wall_s == 2


def test_a_merge_that_is_interrupted_leaves_no_batch(batch, tmp_path, monkeypatch):
    def interrupt(path, _content):
        assert path.parent.is_dir()
        raise KeyboardInterrupt

    monkeypatch.setattr(merging, "write_atomically", interrupt)
    with pytest.raises(KeyboardInterrupt):
        merge(batch, [on_platform(own_files(one_mistake, "1")())], tmp_path / "final")
    assert not (tmp_path / "final").exists()


def said(store):
    return "\n".join(next_steps(store, write_sheets(store)))


def test_without_a_gpu_both_ways_to_a_grade_are_named_and_what_a_ta_has_decided_waits_for_none(tmp_path):
    text = said(make_batch(tmp_path / "two words"))
    assert "max.gpu.speedup: not measured for 1 student." in text
    assert f"make rescore BATCH='{tmp_path}/two words' ARGS='--provisional low'" in text
    assert f"make merge BATCH=<that batch> PROVISIONAL='{tmp_path}/two words'" in text
    store = make_batch(tmp_path / "batch", HANDINS[1:2])
    assert "1 student has no final grade yet" in said(store)
    for check, points in (("max.gpu.speedup", 7), ("report.explanation", 8)):
        give_mark(store, Mark(HANDINS[1][0][0].id, check, points))
    assert "0 students have no final grade yet" in said(store)
    assert "not measured" not in said(store)


def test_the_lower_end_is_offered_where_a_platform_gets_it_until_it_does_and_else_stands_in_the_sheet(tmp_path):
    store = make_batch(tmp_path / "batch", platform="canvas")
    offered = f"make rescore BATCH={store.root} ARGS='--provisional low'"
    assert offered in said(store)
    set_publishing(store, provisional="low")
    assert offered not in said(store)
    assert "canvas.csv: undecided points count as 0 there" in said(store)
    store = make_batch(tmp_path / "batch", platform="folder")
    assert f"column `low` of {store.root / 'grades.csv'}: undecided points count as 0 there" in said(store)
    assert "--provisional" not in said(store)


WORDS = {"moodle": "--moodle worksheet.csv", "canvas": "--canvas gradebook.csv", "gradescope": "<its export>"}


@each("platform", [*WORDS])
def test_the_platform_that_the_hand_ins_came_from_is_named_and_no_other(tmp_path, platform):
    store = make_batch(tmp_path / platform, platform=platform)
    (line,) = (line for line in said(store).splitlines() if WORDS[platform] in line)
    assert f"BATCH={store.root}" in line
    assert [name for name, words in WORDS.items() if words.split()[0] in said(store)] == [platform]


def test_a_worksheet_that_is_there_is_to_be_uploaded(tmp_path):
    store = make_batch(tmp_path / "batch")
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(f"Identifier,Full name,Grade\nParticipant 101,{DANA.name},\n")
    set_publishing(store, {"moodle": sheet})
    assert f"upload {store.root / 'moodle.csv'}" in said(store)
    assert "--moodle" not in said(store)


def evidence(model, refusal=""):
    device = "gpu" if model.startswith("NVIDIA") else "cpu"
    hardware = {"cuda": model} if model else {}
    return Evidence(Submission("a", "0"), Run(device, "", "", 0, hardware=hardware), (), refusal=refusal)


def test_whoever_ran_on_another_model_or_without_a_gpu_is_named_and_what_was_never_graded_does_not_count():
    found = find_other_gpus({"a": evidence("NVIDIA A100"), "b": evidence("NVIDIA H200"), "c": evidence("NVIDIA H200")})
    assert list(found) == ["a"]
    assert "NVIDIA A100" in found["a"]
    assert "NVIDIA H200" in found["a"]
    (said,) = describe_other_gpus(found)
    assert said == "1 hand-in was graded on another GPU model than the rest; the sheet flags them: a"
    models = {"a": evidence("NVIDIA H200"), "b": evidence("NVIDIA A100")}
    assert find_other_gpus(models) == find_other_gpus(dict(reversed(models.items())))
    assert find_other_gpus({key: evidence("NVIDIA H200") for key in "abc"}) == {}
    assert describe_other_gpus({}) == ()
    assert find_other_gpus({key: evidence("CUDA kernels executed on the CPU") for key in "abc"}) == {}
    found = find_other_gpus({"a": evidence("NVIDIA H200"), "b": evidence("on the CPU"), "c": evidence("on the CPU")})
    assert sorted(found) == ["b", "c"]
    assert "the CPU, without a GPU" in found["b"]
    lost, refused = evidence(""), evidence("on the CPU", refusal="no zip")
    assert find_other_gpus({"a": evidence("NVIDIA H200"), "b": lost, "c": refused}) == {}


CPU = Run("cpu", "digits", "landlock", 7)
GPU = Run("gpu", "MNIST", "full", 8)
HANDED_IN = Submission("submission_1", "a" * 64, (File("utils.py", 3, "1" * 64), File("hw1.pdf", 4, "2" * 64)))
REPACKED = replace(HANDED_IN, name="hw1", sha256="b" * 64, files=HANDED_IN.files[::-1])


def graded_as(run, handed_in=HANDED_IN, **outcomes):
    seen = [
        Observation(check, "It is right.", Outcome(outcome), Finding(f"{check} on {run.device}"))
        for check, outcome in outcomes.items()
    ]
    return Evidence(handed_in, run, tuple(seen), "hw1")


def outcome_of(second, first):
    """Return outcome and finding of one check after both gradings; None where one did not run it."""
    final = graded_as(GPU, REPACKED, **({"add": second} if second else {}))
    (seen,) = join(final, graded_as(CPU, **({"add": first} if first else {}))).observations
    return seen.outcome, seen.finding.message


@pytest.mark.parametrize("decided", ["passed", "failed"])
def test_what_one_grading_decided_stays_decided_but_for_a_doubt_of_the_second(decided):
    for undecided in ("not_measured", "error", "skipped", None):
        assert outcome_of(decided, undecided) == (decided, "add on gpu")
        assert outcome_of(undecided, decided) == (decided, "add on cpu")
    assert outcome_of("inconclusive", decided) == ("inconclusive", "add on gpu")
    assert outcome_of(decided, "inconclusive") == (decided, "add on gpu")
    for both in (decided, "error", "skipped"):
        assert outcome_of(both, both) == (both, "add on gpu")


@pytest.mark.parametrize(("second", "first"), [("passed", "failed"), ("failed", "passed")])
def test_a_contradiction_costs_no_point_and_says_both(second, first):
    outcome, message = outcome_of(second, first)
    assert outcome is Outcome.INCONCLUSIVE
    assert message.startswith(f"It {first} on the platform, and {second} in the second grading.")
    final, provisional = graded_as(GPU, add=second, max="passed"), graded_as(CPU, add=first, max="passed")
    assert contradictions(final, provisional) == ("add",)


def test_a_share_of_a_contradicted_check_is_open_flags_of_both_stay_and_the_first_run_is_named():
    final = graded_as(GPU, add="failed")
    final = replace(final, observations=(replace(final.observations[0], share=0.5),))
    (seen,) = join(final, graded_as(CPU, add="passed")).observations
    assert seen.share == 0
    final, provisional = graded_as(GPU, add="passed"), graded_as(CPU, add="passed")
    final = replace(final, observations=(replace(final.observations[0], flags=("slow", "same")),))
    provisional = replace(provisional, observations=(replace(provisional.observations[0], flags=("same", "a race")),))
    assert join(final, provisional).observations[0].flags == ("slow", "same", "a race")
    run = join(graded_as(GPU, add="passed"), graded_as(CPU, add="passed")).run
    assert (run.device, run.seed) == ("gpu", 8)
    assert "device cpu, sandbox landlock, seed 7" in run.notes[-1]


def test_other_files_another_assignment_and_what_nobody_could_open_are_not_joined():
    other = replace(HANDED_IN, files=(File("utils.py", 3, "9" * 64), HANDED_IN.files[1]))
    with pytest.raises(UsageError, match="same files"):
        join(graded_as(GPU, other, add="passed"), graded_as(CPU, add="passed"))
    nothing = Submission("hw1", "")
    with pytest.raises(UsageError, match="same files"):
        join(graded_as(GPU, nothing), graded_as(CPU, nothing))
    with pytest.raises(UsageError, match="layers"):
        join(graded_as(GPU, add="passed"), replace(graded_as(CPU, add="passed"), assignment="layers"))
