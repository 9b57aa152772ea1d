"""Commands for a batch that is graded: `grader rescore`, `verify`, `diff`, `mail`, `merge` and `similarity`."""

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from grader.assignment import load_assignment
from grader.commands import BELOW, OK, add_shared
from grader.course.grades.difference import compare_paths, diff_csv, diff_page, diff_text
from grader.course.grades.graded import load_batch
from grader.course.grades.letters import FIELDS, write_letters
from grader.course.grades.marks import read_marks
from grader.course.grades.merging import Merged, find_records, merge
from grader.course.grades.rescoring import adopt_rubric, copy_truth, find_place, score_place, unchanged_on_error, verify
from grader.course.grades.sheets import Sheets, describe_statuses, new_notes, next_steps, rewrite_reports, write_sheets
from grader.course.grades.tables import OPEN_SCORES, adopt_deadline, adopt_extensions, adopt_lateness, set_publishing
from grader.course.model import Store, batch_rubric, holds, read_record
from grader.course.pages import PAGE, handin_texts, write_pages
from grader.course.people import Roster
from grader.course.platforms import PLATFORMS
from grader.course.similarity import Similarities, compare, digest_of, read_similarities
from grader.errors import UsageError
from grader.intake.disk import write_atomically
from grader.intake.tables import read_bounded
from grader.model import Rubric, printable
from grader.reports.files import write_reports
from grader.reports.story import counted, listed
from grader.reports.terminal import render

_SHOWN = 50


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Compute the score from the evidence and compare it with results.json, junit.xml, archives, tables and "
        "grades.csv. Exit code 0: they match. 1: they do not."
    )
    parser.add_argument("path", type=Path, help="an evidence.json, a report's folder, or a batch")
    add_shared(parser, "rubric", rubric="score with this rubric (default: the batch's own)")


def _verify(options: argparse.Namespace) -> int:
    problems = list(verify(find_place(options.path), options.rubric))
    for problem in problems[:_SHOWN]:
        sys.stdout.write(f"{printable(problem)}\n")
    if len(problems) > _SHOWN:
        sys.stdout.write(f"... and {len(problems) - _SHOWN} more.\n")
    verdict = f"{len(problems)} differences" if problems else "matches: every score is what the evidence gives"
    sys.stdout.write(f"{options.path}: {verdict}.\n")
    return BELOW if problems else OK


def _add_diff(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say for each student and check what changed, and why: the rubric, the zip, timing, the "
        "environment, the grader's version, a mark, or the seed only. Nothing is run."
    )
    add = parser.add_argument
    add("old", type=Path, help="a batch, a report's folder or an evidence.json")
    add("new", type=Path, help="another of the same kind")
    add("--old-rubric", type=Path, metavar="FILE", help="score the old report with this rubric")
    add("--rubric", type=Path, metavar="FILE", help="score the new report with this rubric")
    add("--html", type=Path, metavar="FILE", help="write a page, too")
    add("--csv", type=Path, metavar="FILE", help="write a CSV, too")


def _diff(options: argparse.Namespace) -> int:
    changes = compare_paths(options.old, options.new, (options.old_rubric, options.rubric))
    if options.html:
        write_atomically(options.html, diff_page(changes, options.old, options.new).encode())
    if options.csv:
        write_atomically(options.csv, diff_csv(changes))
    sys.stdout.write(diff_text(changes))
    return OK


_MOST = 20


def _add_mail(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write mail/<student>.eml and mail/mail.csv into a batch, from a template whose first line may be "
        f"`Subject: ...`, with the fields ${', $'.join(FIELDS)}. Nothing is sent: open the files with a mail program."
    )
    add_shared(parser, "batch")
    parser.add_argument("template", type=Path, help="a text file (UTF-8)")
    parser.add_argument("--attach", action="store_true", help="put the student's report.html into each mail")


def _mail(options: argparse.Namespace) -> int:
    template = read_bounded(options.template).decode("utf-8", "replace")
    written = write_letters(Store(options.batch), template, attach=options.attach)
    lines = [f"{counted(len(written.files), 'mail')} in {written.table.parent}, and {written.table}. Nothing was sent."]
    if written.without_address:
        lines.append(f"  no address: {printable(listed(written.without_address, _MOST))}")
    sys.stdout.write("\n".join(lines) + "\n")
    return OK


def _add_merge(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Join a platform's provisional results with a batch of the same files, graded where there is a GPU, into a new "
        "batch with all sheets. No student code runs, and both stay unchanged."
    )
    add_shared(parser, "batch", batch="the batch that was graded where there is a GPU")
    add = parser.add_argument
    add("provisional", type=Path, help="what the platform exported: a folder, a zip or a file with its results")
    add("--out", type=Path, metavar="DIR", help="the new batch (default: the batch's folder, and -final)")


def _merge(options: argparse.Namespace) -> int:
    whole = find_place(options.batch).whole
    if whole is None:
        raise UsageError(f"{options.batch} is no batch: name the folder that `make batch` wrote")
    records, problems = find_records(options.provisional)
    batch = options.batch.resolve()  # `.` has no name of its own
    merged = merge(whole, records, options.out or batch.with_name(f"{batch.name}-final"))
    sheets = write_sheets(merged.store, all_reports=True)
    lines = (*_describe(merged), *_left_behind(Store(options.provisional), whole), *problems)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.write(describe(merged.store, sheets))
    return OK


def _left_behind(provisional: Store, batch: Store) -> Iterator[str]:
    """Yield a line if the other batch has marks or late days that `batch` does not have."""
    pairs = ((provisional.marks, batch.marks), (provisional.late, batch.late))
    left = [one.name for one, own in pairs if one.is_file() and not holds(own, one.read_bytes())]
    if left:
        yield f"  {listed(left)} of {provisional.root} is not taken over: copy it into {batch.root} and merge again"


def _describe(merged: Merged) -> Iterator[str]:
    yield f"{counted(len(merged.joined), 'hand-in')} joined with provisional results of the same files."
    if merged.alone:
        yield f"  no provisional result has the files of {listed(merged.alone, _MOST)}: the batch's own grading stands"
    for key, checks in list(merged.contradicted.items())[:_MOST]:
        yield f"  {key}: {listed(checks, _MOST)} passed in one grading and failed in the other: open, for a TA"
    if (more := len(merged.contradicted) - _MOST) > 0:
        yield f"  and {counted(more, 'hand-in')} more with such checks"
    if merged.unused:
        yield f"  {counted(merged.unused, 'provisional result')} of other files, such as earlier submissions, left out"


def _add_rescore(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Score evidence again, with the rubric as it is now or another, and write the reports. Of a batch, also all "
        "sheets: grades.csv, junit.xml, feedback.zip, gradescope.zip, and the platform's. No student code runs."
    )
    add = parser.add_argument
    add("path", type=Path, help="an evidence.json, a report's folder, or a batch")
    add_shared(parser, "rubric", rubric="score with this rubric; a batch keeps it")
    add("--out", type=Path, metavar="DIR", help="write there and leave the old files as they are")
    add = parser.add_argument_group("for a batch, which keeps what is named here").add_argument
    add("--late", type=Path, metavar="FILE", help="late days: a CSV, ODS or XLSX with the columns student and days")
    add("--deadline", default="", metavar="TIME", help="count late days from the platform's times: '2026-01-15 23:59'")
    add("--extensions", type=Path, metavar="FILE", help="who may be later: a table with student, and days or until")
    for platform in (platform for platform in PLATFORMS.values() if platform.table):
        what = f"{platform.title}'s {platform.table}, to be filled: {platform.name}.csv"
        add(f"--{platform.name}", type=Path, metavar="FILE", help=what)
        if platform.has_columns:
            name = f"--{platform.name}-column"
            add(name, default="", metavar="NAME", help="the assignment in it (default: by its title)")
    add(
        "--provisional",
        choices=OPEN_SCORES,
        default="",
        help="what a platform gets for an undecided score: nothing (skip, the default) or its lower end (low)",
    )


def _rescore(options: argparse.Namespace) -> int:
    place = find_place(options.path)
    if place.whole:
        return _rescore_batch(options, place.whole)
    columns = (f"{name}_column" for name in PLATFORMS)
    for name in ("late", "deadline", "extensions", "provisional", *PLATFORMS, *columns):
        if getattr(options, name, None):
            raise UsageError(f"--{name.replace('_', '-')} is for a batch, {options.path} is a report: name the batch.")
    if place.batch is not None and options.rubric and not options.out:
        raise UsageError(
            f"{options.path} belongs to the batch {place.batch.root}, whose sheets would not know: name the batch."
        )
    report = score_place(place, options.rubric)
    if options.out is None:
        rewrite_reports(report, place.folder)
    else:
        write_reports(report, options.out)
    out, where = Console(), (options.out or place.folder) / "report.html"
    sys.stdout.write(render(report, where=str(where), width=out.width, colour=out.is_terminal))
    return OK


def _rescore_batch(options: argparse.Namespace, store: Store) -> int:
    read_record(store.roster, Roster)
    if options.out is None:
        with unchanged_on_error(store):
            return _write_batch(options, store)
    target = copy_truth(store, options.out)
    try:
        return _write_batch(options, target)
    except BaseException:  # a rubric or table is wrong, or the disk is full: the user can give the same command again
        shutil.rmtree(options.out, ignore_errors=True)
        raise


def _write_batch(options: argparse.Namespace, target: Store) -> int:
    lines: list[str] = []
    if options.rubric:
        before = batch_rubric(target)
        adopt_rubric(target, options.rubric)
        lines.append(f"From now on the rubric of this batch is {target.rubric}, a copy of {options.rubric}.\n")
        lines += _kept_marks(target, before)
    tables = ((adopt_lateness, options.late), (adopt_extensions, options.extensions))
    lines += [adopt(target, table) for adopt, table in tables if table]
    if options.deadline:
        adopt_deadline(target, options.deadline)
    exports = {name: table for name in PLATFORMS if (table := getattr(options, name, None))}
    columns = {name: column for name in PLATFORMS if (column := getattr(options, f"{name}_column", ""))}
    set_publishing(target, exports, columns, options.provisional)
    sys.stdout.writelines([*lines, describe(target, write_sheets(target, all_reports=True))])
    return OK


def _kept_marks(store: Store, before: Rubric) -> Iterator[str]:
    """Yield a line for each marked check that gives other points than in the rubric `before`."""
    worth = {row.id: row.points for row in before.criteria}
    marked = Counter(check for _student, check in read_marks(store).current)
    for row in batch_rubric(store).criteria:
        if marked[row.id] and worth.get(row.id, row.points) != row.points:
            given = f"{counted(marked[row.id], 'mark')} given before"
            yield f"{row.id} gives {counted(row.points, 'point')} now, not {worth[row.id]:g}: look at {given}.\n"


def describe(store: Store, sheets: Sheets) -> str:
    """Return text for a terminal: the files that were written, and the next steps."""
    lines = [
        describe_statuses(sheets.rows),
        *new_notes(store, sheets),
        "Written: " + ", ".join(str(path) for path in sheets.files),
        *next_steps(store, sheets),
    ]
    return "\n".join(lines) + "\n"


_ALIKE_SHOWN = 10
_WIDTH = 200


def _add_similarity(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare all hand-ins of a batch, without the template; the list is never a verdict."
    what = "the handed-out files, whose code does not count (default: the assignment's template)"
    add_shared(parser, "batch", "template", template=what)


def _similarity(options: argparse.Namespace) -> int:
    store = Store(options.batch)
    similar = compare_batch(store, options.template)
    write_sheets(store)
    sys.stdout.write("".join(f"{line}\n" for line in describe_similarities(store, similar)))
    return OK


def compare_batch(
    store: Store,
    folder: Path | None = None,
    *,
    again: bool = True,
    announce: Callable[[str], None] = lambda _text: None,
) -> Similarities:
    """Compare the hand-ins of a batch and write the pages; raises as `load_batch`, `compare` and `write_pages`.

    `folder` has the handed-out files, by default the assignment's template. Without `again`, the last result is
    returned if nothing has changed since. `announce` is called with a text for each file.
    """
    results, before = load_batch(store), read_similarities(store)
    template = _read_template(folder or load_assignment(results.rubric.assignment).template)
    texts = handin_texts(results)
    if not again and before is not None and before.digest == digest_of(texts, template):
        return before
    similar = compare(texts, template, announce)
    write_pages(store, results, similar)
    return similar


def describe_similarities(store: Store, similar: Similarities) -> Iterator[str]:
    """Yield lines for a terminal about the similar hand-ins of a batch."""
    names = {handin.key: ", ".join(handin.labels) for handin in read_record(store.roster, Roster).handins}
    for equal in similar.equal[:_ALIKE_SHOWN]:
        who = listed([names.get(key, key) for key in equal.keys])
        yield printable(f"  {equal.name}: the same code, but for layout and comments, from {who}", _WIDTH)
    for pair in similar.pairs[:_ALIKE_SHOWN]:
        files = ", ".join(f"{each.name} {100 * each.share:.0f} %" for each in pair.overlaps)
        first, second = (names.get(key, key) for key in (pair.first, pair.second))
        yield printable(f"  {first} and {second}: {files}", _WIDTH)
    compared = counted(similar.compared, "hand-in")
    if similar.pairs or similar.equal:
        yield f"{counted(len(similar.pairs), 'pair')} of {compared} to read side by side: {store.root / PAGE}"
    else:
        yield f"{compared} compared, nothing is alike: {store.root / PAGE}"


def _read_template(folder: Path) -> dict[str, str]:
    texts = {path.name: path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.py"))}
    if not texts:
        raise UsageError(f"there is no template in {folder}: name the folder of the handed-out files with --template.")
    return texts
