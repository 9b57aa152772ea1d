"""The table for a terminal. Students' texts are data: their markup and escape sequences have no effect."""

import io
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grader.model import Outcome, Report, Result, printable
from grader.reports import story

_NOTE_LIMIT = 240
_OUTCOME_WIDTH = 15
_POINTS_WIDTH = 16
_MOST_FLAGS = 8
_STYLES = {
    "passed": "green",
    "failed": "bold red",
    "warning": "yellow",
    "skipped": "dim",
    "not_measured": "cyan",
    "error": "bold magenta",
    "inconclusive": "cyan",
}


def render(report: Report, *, where: str = "", width: int = 100, colour: bool = False) -> str:
    """Return the table, the score, the first step, and the path `where` of the full report; plain unless `colour`."""
    target = io.StringIO()
    console = Console(
        file=target, width=width, force_terminal=colour, no_color=not colour, legacy_windows=False, highlight=False
    )
    title = Text(f"{report.rubric.title}: {printable(report.evidence.submission.name, 80)}", style="bold")
    rows = () if report.evidence.refusal else _rows(report)
    console.print(Group(title, Text(""), *rows, *_closing(report, where)), crop=False)
    return "\n".join(line.rstrip() for line in target.getvalue().splitlines()) + "\n"


def _rows(report: Report) -> Iterator[RenderableType]:
    """Yield a line for each part and for each check; a check's finding is below its line, over the whole width."""
    chosen = report.evidence.by_check if story.selection_text(report) else {}
    id_width, same = max(len(row.id) for row in report.rubric.criteria) + 2, story.repeats(report)
    for part in story.parts(report):
        results = [result for result in part.results if not chosen or result.criterion.id in chosen]
        if results:
            points = f"{story.range_text(part.points_low, part.points_high)} of {part.points:g}" if part.points else ""
            name = f"{printable(part.name, 40):<{id_width + _OUTCOME_WIDTH + 2}}"
            yield Text(f"{name}{points:>{_POINTS_WIDTH}}", style="bold")
            for result in results:
                shown = story.style_of(result)
                outcome = f"{f'{shown.icon} {shown.word}':<{_OUTCOME_WIDTH}}", _STYLES[shown.kind]
                points = f"{story.points_text(result):>{_POINTS_WIDTH}}"
                yield Text.assemble(f"  {result.criterion.id:<{id_width}}", outcome, points)
                if note := _note(result, same.get(result.criterion.id, "")):
                    yield Padding(Text(note, style="dim"), (0, 0, 0, 6))
            yield Text("")


def _note(result: Result, same_as: str) -> str:
    """Return the first line of the finding; for a passed check, that of its first remark, or nothing."""
    if same_as:
        return f"The same as {same_as}."
    if result.finding and (result.mark or result.outcome is not Outcome.PASSED):
        text = result.finding.message
    else:
        text = result.observation.remarks[0].message if result.observation.remarks else ""
    return printable(text.partition("\n")[0], _NOTE_LIMIT)


def _closing(report: Report, where: str) -> Iterator[RenderableType]:
    yield Text(f"Score: {report.score_text}" + (" (provisional)" if report.provisional else ""), style="bold")
    yield from (Padding(Text(printable(entry.text, 600)), (0, 0, 0, 2)) for entry in report.adjustments)
    if chosen := story.selection_text(report):
        yield Text(chosen, style="yellow")
    yield from (Padding(Text(sentence), (0, 0, 0, 2)) for sentence in story.open_sentences(report))
    yield from _advice(report)
    for check, reason in report.flags[:_MOST_FLAGS]:
        yield Text(f"For a TA: {check}: {printable(reason, 300)}", style="yellow")
    if len(report.flags) > _MOST_FLAGS:
        yield Text(f"For a TA: {len(report.flags) - _MOST_FLAGS} more in the full report", style="yellow")
    yield from (Text(printable(note), style="dim") for note in report.evidence.run.notes)
    if where:
        # a path that is broken into lines cannot be copied
        yield Text(f"Full report: {printable(where)}", no_wrap=True, overflow="ignore")


def _advice(report: Report) -> Iterator[RenderableType]:
    """Yield the first step for a student."""
    if text := story.first_step_text(report):
        yield Text("")
        yield Text(printable(text, 600), style="bold")
    step = story.first_step(report)
    if step and step.finding and step.finding.hint:
        yield Padding(Text(printable(step.finding.hint, 600)), (0, 0, 0, 2))
    if text:
        yield Text("")
