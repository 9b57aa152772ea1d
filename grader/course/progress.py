"""What a batch shows while it runs: a live table on a terminal, plain lines elsewhere.

Drawn by the batch's only thread: gradings are forked from this process, and a second thread would leave its locks in
them.
"""

import json
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.course.model import Finished, Store
from grader.reports.story import range_text

_REDRAW_S = 0.15
_MOST_SHOWN = 20


class Board:
    """Shows how far a batch is: done, running with the current check, waiting, expected end."""

    def __init__(self, console: Console, store: Store, labels: Mapping[str, str], *, plain: bool = False) -> None:
        """Make a board that is not drawn yet; `labels` has each hand-in to grade: key -> whose it is."""
        self._console, self._store, self._labels, self._all = console, store, labels, len(labels)
        self._running: dict[str, tuple[str, float]] = {}
        self._done = self._problems = 0
        self._began_s = time.monotonic()
        self._drawn_s = 0.0
        self._live = None if plain or not console.is_terminal else Live(console=console, auto_refresh=False)

    def __enter__(self) -> Self:
        """Begin to draw."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last picture standing."""
        if self._live is not None:
            self._live.update(self._picture(), refresh=True)
            self._live.stop()

    def announce(self, key: str, what: str) -> None:
        """Show that `what` happens to the hand-in `key`; see `backend.Announce`."""
        if not key:
            self._draw()
            return
        _before, began_s = self._running.pop(key, ("", time.monotonic()))
        if what.startswith("again"):  # it waits for its next try
            self._say(f"{self._labels[key]}: {what}")
        else:
            self._running[key] = (what, began_s)
        self._draw()

    def finish(self, finished: Finished) -> None:
        """Show that a hand-in is done."""
        _what, began_s = self._running.pop(finished.key, ("", time.monotonic()))
        self._done += 1
        self._problems += bool(finished.problem)
        result = f"not graded: {finished.problem}" if finished.problem else read_score(self._store, finished.key)
        line = f"{self._labels[finished.key]}: {result}"
        if self._live is None or finished.problem:
            took_s = time.monotonic() - began_s
            self._say(f"{line}, {took_s:.0f} s · {self.summary()}")
        self._draw(at_once=True)

    def summary(self) -> str:
        """Return how far it is, in one line."""
        waiting = self._all - self._done - len(self._running)
        parts = [f"{self._done} of {self._all} done", f"{len(self._running)} running", f"{waiting} waiting"]
        if self._problems:
            parts.append(f"{self._problems} not graded")
        if 0 < self._done < self._all:
            left_s = (time.monotonic() - self._began_s) / self._done * (self._all - self._done)
            parts.append(
                f"about {in_words(left_s)} left, until {time.strftime('%H:%M', time.localtime(time.time() + left_s))}"
            )
        return ", ".join(parts)

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _draw(self, *, at_once: bool = False) -> None:
        now_s = time.monotonic()
        if self._live is not None and (at_once or now_s - self._drawn_s > _REDRAW_S):
            self._drawn_s = now_s
            self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Group:
        table = Table.grid(padding=(0, 2))
        for key, (what, began_s) in list(self._running.items())[:_MOST_SHOWN]:
            table.add_row(
                Text(self._labels[key]),
                Text(what, style="cyan"),
                Text(in_words(time.monotonic() - began_s), style="dim"),
            )
        bar = Table.grid()
        bar.add_row(ProgressBar(total=self._all or 1, completed=self._done, width=60))
        return Group(table, bar, Text(self.summary()))


def read_score(store: Store, key: str) -> str:
    """Return a hand-in's score, or its range while points are open, or that it was refused."""
    try:
        if json.loads(store.evidence(key).read_bytes())["refusal"]:
            return "refused"
        return range_text(*json.loads((store.folder(key) / "results.json").read_bytes())["extra_data"]["score_range"])
    except (OSError, ValueError, LookupError, TypeError):
        return "graded"


def in_words(duration_s: float) -> str:
    """Return a duration as people say it: `40 s`, `12 min`, `3 h 20 min`."""
    if duration_s < 90:  # noqa: PLR2004 - from there on, minutes are exact enough
        return f"{duration_s:.0f} s"
    minutes = round(duration_s / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"  # noqa: PLR2004 - as above
