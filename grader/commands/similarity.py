"""`grader similarity`: pairs of a batch that are alike in structure, and pages to read them side by side."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.assignment import load_assignment
from grader.batch.grades.graded import load_batch
from grader.batch.pages.index import render_index
from grader.batch.pages.similar import handin_texts, write_pages
from grader.batch.similarity import Pair, find_pairs
from grader.batch.store import Store
from grader.commands import OK, natural
from grader.errors import UsageError
from grader.model import printable
from grader.reports import write_atomically

_SHOWN = 10


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Compare all hand-ins of a batch, without the template; the list is never a verdict."
    add = parser.add_argument
    add("batch", type=Path, help="the folder of a batch")
    add(
        "--template",
        type=Path,
        metavar="DIR",
        help="the handed-out files, whose code does not count (default: the assignment's template)",
    )
    add("--at-least", type=_percent, default=60, metavar="PERCENT", help="share of own code that agrees (default: 60)")
    add("--most", type=natural, default=100, metavar="N", help="at most so many pairs (default: 100)")
    parser.set_defaults(command=_similarity)


def _similarity(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    results = load_batch(store)
    folder = options.template or load_assignment(results.rubric.assignment).template
    template = _read(folder)
    pairs = find_pairs(handin_texts(results), template, at_least=options.at_least / 100, most=options.most)
    page = write_pages(store, results, pairs, "the template")
    write_atomically(store.root / "index.html", render_index(results, pairs).encode())
    sys.stdout.write("".join(map(_line, pairs[:_SHOWN])))
    count = f"{len(pairs)} pairs" if len(pairs) != 1 else "1 pair"
    sys.stdout.write(f"{count} of {len(results.graded)} hand-ins to read side by side: {page}\n")
    return OK


def _read(folder: Path) -> dict[str, str]:
    texts = {path.name: path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.py"))}
    if not texts:
        message = f"there is no template in {folder}: name the folder of the handed-out files with --template."
        raise UsageError(message)
    return texts


def _line(pair: Pair) -> str:
    files = ", ".join(f"{each.name} {100 * each.share:.0f} %" for each in pair.overlaps)
    return printable(f"  {pair.first} and {pair.second}: {files}", 200) + "\n"


def _percent(text: str) -> float:
    value = float(text) if text.replace(".", "", 1).isdecimal() else -1.0
    if not 0 < value <= 100:  # noqa: PLR2004 - a percentage
        message = f"{text!r} is no percentage between 0 and 100"
        raise argparse.ArgumentTypeError(message)
    return value
