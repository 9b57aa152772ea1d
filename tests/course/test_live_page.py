"""While a batch runs, its page shows what there is, says how far it is, and loads itself again."""

import pytest
from sample_classes import make_class

from grader.course import pages
from grader.course.grades.sheets import write_sheets

REFRESH = '<meta http-equiv="refresh" content="10">'


@pytest.fixture
def store(tmp_path):
    """A class of five, of whom one is not graded yet."""
    made = make_class(tmp_path, 5)
    made.evidence("hw1_300000037").unlink()
    return made


def text(store):
    return (store.root / "index.html").read_text("utf-8")


def test_it_shows_what_is_graded_what_is_not_and_how_far_it_is_until_the_last_writing(store):
    pages.LivePage(store).renew("4 of 5 done, 1 running <b>")
    assert REFRESH in text(store)
    assert "4 of 5 done, 1 running &lt;b&gt;" in text(store)
    assert "1 not graded yet" in text(store)
    write_sheets(store)
    assert REFRESH not in text(store)
    assert "This batch is running" not in text(store)


def test_it_is_renewed_after_a_while_and_not_for_every_hand_in(store, monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr(pages.time, "monotonic", lambda: now_s[0])
    page = pages.LivePage(store)
    page.renew("1 of 5 done")
    page.renew("2 of 5 done")
    assert "1 of 5 done" in text(store)
    now_s[0] += pages.PAUSE_S + 1
    page.renew("3 of 5 done")
    assert "3 of 5 done" in text(store)


def test_what_cannot_be_read_does_not_stop_the_batch(store):
    store.marks.write_text("{")
    pages.LivePage(store).renew("4 of 5 done")
    assert not (store.root / "index.html").exists()
