"""What a batch says while it runs."""

import io

from rich.console import Console

from grader.batch.backend import Finished
from grader.batch.progress import Board, in_words, read_score
from grader.batch.store import Store


def board(tmp_path, keys, *, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, legacy_windows=False)
    return Board(console, Store(tmp_path), {key: f"Name of {key}" for key in keys}), out


def test_plain_lines_say_who_is_done_and_how_far_it_is(tmp_path):
    shown, out = board(tmp_path, ["a", "b", "c"], terminal=False)
    with shown:
        shown.announce("a", "starts")
        shown.announce("b", "starts")
        shown.announce("", "")
        shown.announce("b", "again, because it was lost")
        shown.finish(Finished("a"))
        shown.finish(Finished("b", "it was lost twice"))
    lines = out.getvalue().splitlines()
    assert lines[0] == "Name of b: again, because it was lost"
    assert lines[1].startswith("Name of a: graded, 0 s · 1 of 3 done, 0 running, 2 waiting, about 0 s left, until ")
    assert "Name of b: not graded: it was lost twice" in lines[2]
    assert "1 not graded" in lines[2]


def test_a_terminal_shows_the_current_check_of_what_runs(tmp_path):
    shown, out = board(tmp_path, ["a", "b"], terminal=True)
    with shown:
        shown.announce("a", "starts")
        shown.announce("a", "max.gpu.[bold]correct")
        shown.finish(Finished("b"))
    last = out.getvalue().rpartition("starts")[2]
    assert "max.gpu.[bold]correct" in last
    assert "1 of 2 done, 1 running, 0 waiting" in last


def test_scores_are_read_from_the_results(tmp_path):
    store = Store(tmp_path)
    store.folder("a").mkdir(parents=True)
    assert read_score(store, "a") == "graded"
    store.evidence("a").write_text('{"refusal": ""}')
    (store.folder("a") / "results.json").write_text('{"extra_data": {"score_range": [83, 100.0]}}')
    assert read_score(store, "a") == "83 to 100"
    store.evidence("a").write_text('{"refusal": "no zip"}')
    assert read_score(store, "a") == "refused"


def test_durations_are_said_as_people_do():
    said = [in_words(seconds) for seconds in (4.4, 89, 95, 3700, 12_000)]
    assert said == ["4 s", "89 s", "2 min", "62 min", "3 h 20 min"]
