"""`grader similarity`: pairs of a batch that are alike in structure, and pages to read them side by side."""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from grader.assignment import load_assignment
from grader.commands import OK, add_shared
from grader.course.grades.graded import load_batch
from grader.course.grades.sheets import write_sheets
from grader.course.model import Store, read_record
from grader.course.pages import PAGE, handin_texts, write_pages
from grader.course.people import Roster
from grader.course.similarity import Likeness, compare, digest_of, read_likeness
from grader.errors import UsageError
from grader.model import printable
from grader.reports.story import counted, listed

_SHOWN = 10
_WIDTH = 200


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Compare all hand-ins of a batch, without the template; the list is never a verdict."
    add_shared(
        parser,
        *("batch", "template"),
        template="the handed-out files, whose code does not count (default: the assignment's template)",
    )
    parser.set_defaults(command=_similarity)


def _similarity(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    likeness = compare_batch(store, options.template)
    write_sheets(store)
    sys.stdout.write("".join(f"{line}\n" for line in describe_likeness(store, likeness)))
    return OK


def compare_batch(
    store: Store,
    folder: Path | None = None,
    *,
    again: bool = True,
    announce: Callable[[str], None] = lambda _text: None,
) -> Likeness:
    """Compare the hand-ins of a batch and write the pages.

    `folder` has the handed-out files, by default the assignment's template. Without `again`, what is the same as when
    that was done last is not compared. `announce` is told of each file.

    Raises:
        UsageError: this is no batch, or a library or the template is missing.
        GraderError: the disk refuses.
    """
    results, before = load_batch(store), read_likeness(store)
    template = _read_template(folder or load_assignment(results.rubric.assignment).template)
    texts = handin_texts(results)
    if not again and before is not None and before.digest == digest_of(texts, template):
        return before
    likeness = compare(texts, template, announce)
    write_pages(store, results, likeness)
    return likeness


def describe_likeness(store: Store, likeness: Likeness) -> Iterator[str]:
    """Yield what is alike in a batch, in lines for a terminal."""
    names = {handin.key: handin.names for handin in read_record(store.roster, Roster).handins}
    for equal in likeness.equal[:_SHOWN]:
        who = listed([names.get(key, key) for key in equal.keys])
        yield printable(f"  {equal.name}: the same code, but for layout and comments, from {who}", _WIDTH)
    for pair in likeness.pairs[:_SHOWN]:
        files = ", ".join(f"{each.name} {100 * each.share:.0f} %" for each in pair.overlaps)
        yield printable(
            f"  {names.get(pair.first, pair.first)} and {names.get(pair.second, pair.second)}: {files}", _WIDTH
        )
    compared = counted(likeness.compared, "hand-in")
    if likeness.pairs or likeness.equal:
        count = counted(len(likeness.pairs), "pair")
        yield f"{count} of {compared} to read side by side: {store.root / PAGE}"
    else:
        yield f"{compared} compared, nothing is alike: {store.root / PAGE}"


def _read_template(folder: Path) -> dict[str, str]:
    texts = {path.name: path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.py"))}
    if not texts:
        raise UsageError(f"there is no template in {folder}: name the folder of the handed-out files with --template.")
    return texts
