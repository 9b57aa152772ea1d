"""Pairs of hand-ins that are alike in structure: a list, and a page for each with both side by side."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from grader.course.files import write_record
from grader.course.grades.graded import BatchResults
from grader.course.model import Store
from grader.course.similarity import Likeness, Overlap, Pair, Side
from grader.intake.disk import write_atomically
from grader.reports.html import render_page
from grader.reports.listing import shown_lines

PAGE, FOLDER = "similarity.html", "similarity"


@dataclass(frozen=True, slots=True)
class _Half:
    """One of two files as the page shows it: its lines as markup, and whether the other has them too."""

    title: str
    percent: int
    lines: tuple[tuple[Markup, bool], ...]

    @property
    def first(self) -> int:
        """Number of the first line that the other has too, 0 if that line is not shown."""
        return next((number for number, (_code, alike) in enumerate(self.lines, start=1) if alike), 0)


def handin_texts(results: BatchResults) -> dict[str, dict[str, str]]:
    """Return key -> name of a file -> its code, of all hand-ins whose evidence has it."""
    return {
        graded.handin.key: {file.name: file.text for file in graded.evidence.submission.files if file.text}
        for graded in results.graded
    }


def write_pages(store: Store, results: BatchResults, likeness: Likeness) -> Path:
    """Write the list, a page for each pair, and the record that the index reads; return the list's file.

    Pages of an earlier comparison are removed.

    Raises:
        GraderError: the disk refuses.
    """
    texts, names = handin_texts(results), {handin.key: handin.names for handin in results.roster.handins}
    folder = store.root / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    for number, pair in enumerate(likeness.pairs, start=1):
        write_atomically(folder / page_name(number), render_pair(pair, texts, names).encode())
    write_record(store.likeness, likeness)
    return write_atomically(store.root / PAGE, render_list(likeness, names).encode())


def page_name(number: int) -> str:
    """Return the file of the pair of this number, counted from 1, inside `FOLDER`."""
    return f"{number:03}.html"


def render_list(likeness: Likeness, names: Mapping[str, str]) -> str:
    """Return the list of what is equal, and of the pairs that are alike."""
    rows = [(f"{FOLDER}/{page_name(number)}", pair) for number, pair in enumerate(likeness.pairs, start=1)]
    context = {"rows": rows, "names": names, "compared": likeness.compared, "equal": likeness.equal}
    return render_page("similarity.html", context, ("similarity.css",))


def render_pair(pair: Pair, texts: Mapping[str, Mapping[str, str]], names: Mapping[str, str]) -> str:
    """Return the page of one pair, both sides of each file beside each other."""
    files = [
        (each, _half(pair.first, each, each.first, texts), _half(pair.second, each, each.second, texts))
        for each in pair.overlaps
    ]
    context = {"pair": pair, "files": files, "names": names, "list": f"../{PAGE}"}
    return render_page("pair.html", context, ("report.css", "similarity.css"))


def _half(key: str, overlap: Overlap, side: Side, texts: Mapping[str, Mapping[str, str]]) -> _Half:
    rows, _is_cut = shown_lines(texts[key][overlap.name])
    alike = set(side.lines)
    lines = tuple((code, number in alike) for number, code in enumerate(rows, start=1))
    return _Half(key, round(100 * side.share), lines)
