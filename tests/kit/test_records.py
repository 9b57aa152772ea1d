"""What stays of a check: the page, and how the score has grown."""

from datetime import UTC, datetime

import pytest

from grader.kit import records
from grader.kit.prediction import Prediction

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def predicted(low, high):
    return Prediction(low, high, automatic=90, gpu=7, undecided=0, not_run=0, marked=10)


def grown(folder, *points):
    for low, high in points:
        entries = records.add_to_history(predicted(low, high), folder, NOON)
    return entries


def test_the_history_grows_by_what_changed(tmp_path):
    entries = grown(tmp_path, (0, 0), (35, 42), (35, 42), (83, 90))
    assert [(entry.low, entry.high) for entry in entries] == [(0, 0), (35, 42), (83, 90)]
    assert records.read_history(tmp_path) == entries
    said = "So far: 0, then 35 to 42, then 83 to 90 of 90, since 2026-01-02 12"
    assert records.history_line(entries).startswith(said)
    text = (tmp_path / "out/history.csv").read_text()
    assert text.splitlines()[-1] == "2026-01-02 12:00+00:00,83,90,90,7,10"


def test_one_check_is_no_history_and_of_many_the_last_are_shown(tmp_path):
    assert records.history_line(grown(tmp_path, (1, 1))) == ""
    line = records.history_line(grown(tmp_path, *((n, n) for n in range(2, 20))))
    assert line.startswith("So far: … 14, then 15,")


@pytest.mark.parametrize("text", ["", "when\n", "when,points_at_least\nyesterday,many\n", "\0"])
def test_a_history_that_somebody_has_edited_stops_nothing(tmp_path, text):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/history.csv").write_text(text)
    assert grown(tmp_path, (3, 4))[-1].high == 4


def test_a_folder_that_cannot_be_written_to_costs_no_check(tmp_path):
    (tmp_path / "out").write_text("a file of one's own")
    assert len(grown(tmp_path, (3, 4))) == 1
