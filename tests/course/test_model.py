"""Records of a batch, read back as they were written whatever files are called, and what it says while it runs."""

import io
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from grader.commands.batch import Board, in_words, read_score
from grader.course.model import Finished, Store, read_record, write_record
from grader.course.people import Handin, Roster, Student
from grader.errors import UsageError


def handin(path, name="Dana"):
    return Handin("key", (Student("1", name),), path, "0" * 64)


@settings(deadline=None)  # a busy machine is no fault
@given(st.binary(min_size=1, max_size=12).filter(lambda raw: b"\0" not in raw))
def test_every_path_is_read_back(tmp_path_factory, raw):
    record = tmp_path_factory.getbasetemp() / "record.json"
    path = Path(os.fsdecode(b"/tmp/" + raw))
    write_record(record, handin(path))
    assert os.fsencode(read_record(record, Handin).path) == os.fsencode(path)


def test_a_name_that_utf8_cannot_hold_has_a_question_mark(tmp_path):
    write_record(tmp_path / "record.json", handin(Path("/tmp/x"), "Dana \udce0"))
    assert read_record(tmp_path / "record.json", Handin).students[0].name == "Dana ?"


def test_where_there_is_no_batch_what_there_is_and_which_are_batches_is_said(tmp_path):
    for name in ("hw1", "submissions", ".hidden"):
        (tmp_path / "out" / name).mkdir(parents=True)
    out = Store(tmp_path / "out")
    with pytest.raises(UsageError, match=r"there is no batch in .*/out/: .*/out/ has hw1, submissions; make batch"):
        read_record(out.roster, Roster)
    write_record(Store(out.root / "hw1").roster, Roster(()))
    for root in (out.root, out.root / "hw7" / "deeper"):
        with pytest.raises(UsageError, match=rf"has hw1, submissions; name a batch, such as {out.root}/hw1$"):
            read_record(Store(root).roster, Roster)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"key": 1}', b"\xff"])
def test_a_damaged_record_is_one_sentence(tmp_path, raw):
    (tmp_path / "record.json").write_bytes(raw)
    with pytest.raises(UsageError, match=r"record\.json"):
        read_record(tmp_path / "record.json", Handin)


def board(tmp_path, keys, *, terminal):
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, legacy_windows=False)
    return Board(console, Store(tmp_path), {key: f"Name of {key}" for key in keys}), out


def test_plain_lines_say_who_is_done_and_how_far_it_is_and_a_terminal_the_check_of_what_runs(tmp_path):
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
    shown, out = board(tmp_path, ["a", "b"], terminal=True)
    with shown:
        shown.announce("a", "starts")
        shown.announce("a", "max.gpu.[bold]correct")
        shown.finish(Finished("b"))
    last = out.getvalue().rpartition("starts")[2]
    assert "max.gpu.[bold]correct" in last
    assert "1 of 2 done, 1 running, 0 waiting" in last


def test_scores_are_read_from_the_results_and_durations_are_said_as_people_do(tmp_path):
    store = Store(tmp_path)
    store.folder("a").mkdir(parents=True)
    assert read_score(store, "a") == "graded"
    store.evidence("a").write_text('{"refusal": ""}')
    (store.folder("a") / "results.json").write_text('{"extra_data": {"score_range": [83, 100.0]}}')
    assert read_score(store, "a") == "83 to 100"
    store.evidence("a").write_text('{"refusal": "no zip"}')
    assert read_score(store, "a") == "refused"
    said = [in_words(seconds) for seconds in (4.4, 89, 95, 3700, 12_000)]
    assert said == ["4 s", "89 s", "2 min", "62 min", "3 h 20 min"]
