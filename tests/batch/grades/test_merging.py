"""Two-stage grading: a platform's provisional results and a batch with a GPU end in one final batch."""

from dataclasses import replace

import pytest
from sample_batches import DANA, OMER, RAR, contents, make_batch
from sample_reports import all_right, full_marks, make, one_mistake, passed, refused

from grader.batch.grades import merging
from grader.batch.grades.graded import load_batch
from grader.batch.grades.merging import PROVISIONAL, merge
from grader.errors import UsageError
from grader.model import File, Outcome
from grader.reports.evidence import decode
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
    graded = load_batch(merged.store).of(DANA.id)
    outcomes = {result.criterion.id: result.outcome for result in graded.report.results}
    assert outcomes[MISTAKE] is Outcome.INCONCLUSIVE
    assert outcomes["max.gpu.speedup"] is Outcome.PASSED
    (key,) = merged.joined
    assert merged.contradicted == {key: (MISTAKE,)}
    assert (merged.store.folder(key) / PROVISIONAL).is_file()


def test_a_provisional_score_becomes_final(batch, tmp_path):
    """Of a hand-in with one mistake, which both gradings saw: only the speed-up was open."""

    def observe(check):
        return passed(check, outcome=Outcome.FAILED) if check == MISTAKE else all_right(check)

    record = make(observe, handed_in=own_files(one_mistake, "1")().evidence.submission)
    merged = merge(batch, [record.evidence], tmp_path / "final")
    final = load_batch(merged.store).of(DANA.id).report
    assert (record.score_low, record.score_high) == (78, 95)
    assert (final.score_low, final.score_high) == (85, 95)  # the TA's ten points stay open
    assert not merged.contradicted


def test_whoever_has_no_record_keeps_the_batchs_grading(batch, tmp_path):
    before = load_batch(batch)
    merged = merge(batch, [on_platform(own_files(one_mistake, "9")())], tmp_path / "final")
    assert merged.joined == ()
    assert len(merged.alone) == 3
    assert merged.unused == 1
    after = load_batch(merged.store)
    assert [one.evidence for one in after.graded] == [one.evidence for one in before.graded]


def test_of_several_records_of_the_same_files_the_last_counts(batch, tmp_path):
    files = own_files(one_mistake, "1")()
    early, late = (replace(on_platform(files), wall_s=wall_s) for wall_s in (1, 2))
    merged = merge(batch, [early, late], tmp_path / "final")
    (key,) = merged.joined
    assert decode((merged.store.folder(key) / PROVISIONAL).read_bytes()).wall_s == 2


def test_a_refused_file_is_joined_with_nothing(batch, tmp_path):
    merged = merge(batch, [refused().evidence], tmp_path / "final")
    assert merged.joined == ()
    assert merged.unused == 0


def test_a_folder_that_holds_something_is_not_written_to(batch, tmp_path):
    (tmp_path / "final").mkdir()
    (tmp_path / "final/mine.txt").touch()
    with pytest.raises(UsageError, match="not empty"):
        merge(batch, [on_platform(full_marks())], tmp_path / "final")


def test_a_merge_that_is_interrupted_leaves_no_batch(batch, tmp_path, monkeypatch):
    def interrupt(path, _content):
        assert path.parent.is_dir()
        raise KeyboardInterrupt

    monkeypatch.setattr(merging, "write_atomically", interrupt)
    with pytest.raises(KeyboardInterrupt):
        merge(batch, [on_platform(own_files(one_mistake, "1")())], tmp_path / "final")
    assert not (tmp_path / "final").exists()
