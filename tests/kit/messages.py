"""What the kit says about every known mistake, as a table for reading: `make messages-table`, or of another ASSIGNMENT.

Each of the assignment's mistakes is checked as a student would check it, and the first failed check with points
gives the row. Read it as a student: does the message name the function and the kind of mistake, and not the solution?
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import handins  # noqa: E402 - tests stand beside each other in no package
from groups import one_per_file  # noqa: E402 - as above
from handins import DISTRIBUTED, GEMM, LAYERS  # noqa: E402 - as above

from grader.assignment import load_assignment  # noqa: E402 - as above
from grader.authoring import Options  # noqa: E402 - as above
from grader.kit.dialogue import finding_lines  # noqa: E402 - as above
from grader.kit.selfcheck import CheckOptions, SelfCheck  # noqa: E402 - as above
from grader.kit.settings import load_settings  # noqa: E402 - as above
from grader.model import Finding, Outcome, Result  # noqa: E402 - as above
from grader.trial.changes import Change  # noqa: E402 - as above
from grader.worker.process import Limits  # noqa: E402 - as above

COURSES = {"hw1": handins, "layers": LAYERS, "gemm": GEMM, "distributed": DISTRIBUTED}
TARGETS = {name: ROOT / "docs/generated" / f"messages{'' if name == 'hw1' else f'-{name}'}.md" for name in COURSES}
HEAD = """\
# What a student reads for each known mistake

Written by `make messages-table{option}` from the case books `tests/assignments/{assignment}/*/mistakes*.py`.
The message is that of the first check that fails; what was expected and what came back stand below it on the terminal,
with the first five differences.

| mistake | check | message | hint |
|---|---|---|---|
"""
NOTHING = "*(no point is lost)*"
LIMIT = 260
PREFIX = {"utils.py": "utils", "max_functions.py": "max", "matmul_functions.py": "matmul"}


@dataclass(frozen=True)
class Row:
    name: str
    change: Change
    check: str
    finding: Finding | None

    @property
    def text(self) -> str:
        return "\n".join(finding_lines(self.finding)) if self.finding else ""


def read_messages(assignment: str, changes: list[Change]) -> Iterator[Row]:
    """Yield a row per change; in hw1, where no file needs another, changes of different files are checked together."""
    settings, course = load_settings(load_assignment(assignment)), COURSES[assignment]
    for group in one_per_file(changes) if assignment == "hw1" else [[change] for change in changes]:
        found: dict[str, Finding] = {}

        def take(result: Result, _remembered: bool, found: dict[str, Finding] = found) -> None:
            if result.outcome in {Outcome.FAILED, Outcome.INCONCLUSIVE} and result.finding:
                found[result.criterion.id] = result.finding
            elif result.observation.flags:
                found[result.criterion.id] = Finding(f"(no point is lost) {result.observation.flags[0]}")

        with tempfile.TemporaryDirectory() as folder:
            files = course.reference_files()
            for change in group:
                files |= change.changed_files()
            for name, data in files.items():
                Path(folder, name).write_bytes(data)
            only = tuple(check for change in group for check in checks_of(change))
            limit_s = min(change.limit_s for change in group)
            limits = Limits(load_s=limit_s, call_s=limit_s)
            asked = Options(only=only, device="cpu", seed=7, limits=limits)
            SelfCheck(settings, CheckOptions(Path(folder), asked), take).run()
        for change in group:
            check = next((check for check in found if course.concerns(change, check)), "")
            yield Row(course.id_of(change), change, check, found.get(check))


def checks_of(change: Change) -> list[str]:
    """Return the checks to run: those that fail, else those that warn, else those that ask a TA to look."""
    keys = ("failed", "partly", "opened", "warned", "flagged")
    words = next((found for key in keys if (found := change.words(key))), set())
    return sorted(words) or [PREFIX[change.target]]


def cell(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= LIMIT else line[: LIMIT - 1] + "…"
    return short.replace("|", "\\|").replace("<", "&lt;")


def line(row: Row) -> str:
    message, hint = (row.finding.message, row.finding.hint) if row.finding else (NOTHING, "")
    return f"| `{row.name}`: {cell(row.change.sentence)} | `{row.check}` | {cell(message)} | {cell(hint)} |\n"


def write(assignment: str, rows: list[Row], *, keep: bool) -> None:
    """Write the page; if so asked, with the rows of other mistakes as they stand."""
    head = HEAD.format(assignment=assignment, option="" if assignment == "hw1" else f" ASSIGNMENT={assignment}")
    target = TARGETS[assignment]
    before = target.read_text("utf-8") if keep and target.is_file() else ""
    old = [text for text in before.splitlines(keepends=True) if text.startswith("| `")]
    known = {text.partition("`: ")[0].removeprefix("| `"): text for text in old}
    known |= {row.name: line(row) for row in rows}
    target.write_text(head + "".join(known[name] for name in sorted(known)), "utf-8")
    print(f"{target.relative_to(ROOT)}: {len(rows)} mistakes")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("assignment", choices=COURSES)
    parser.add_argument("mistakes", nargs="*", help="such as utils.sigmoid_is_tanh; all without it")
    asked = parser.parse_args()
    rows = []
    course = COURSES[asked.assignment]
    changes = course.changes("mistakes")
    named = [change for change in changes if not asked.mistakes or course.id_of(change) in asked.mistakes]
    for row in read_messages(asked.assignment, named):
        rows.append(row)
        print(f"{row.name}\n    " + row.text.replace("\n", "\n    "), flush=True)
    write(asked.assignment, rows, keep=bool(asked.mistakes))


if __name__ == "__main__":
    main()
