"""What the kit says about every known mistake in layers, as a table: `make messages-table ASSIGNMENT=layers`."""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "kit")]

import layers_handins  # noqa: E402 - tests stand beside each other in no package
from messages import HEAD, NOTHING, cell  # noqa: E402 - as above

from grader.assignment import load_assignment  # noqa: E402 - as above
from grader.kit.selfcheck import Announcement, CheckOptions, SelfCheck  # noqa: E402 - as above
from grader.kit.settings import load_settings  # noqa: E402 - as above
from grader.model import Outcome  # noqa: E402 - as above

TARGET = ROOT / "docs/messages-layers.md"


def read_row(change, settings):
    """Return the row of one mistake: the first check that fails, of those that its file names."""
    found = {}

    def take(announcement: Announcement):
        result = announcement.result
        if result.outcome is Outcome.FAILED and result.criterion.points:
            found.setdefault(result.criterion.id, result.finding)

    with tempfile.TemporaryDirectory() as folder:
        files = layers_handins.reference_files() | {change.target: change.applied()}
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        only = tuple(sorted(change.words("failed")))
        SelfCheck(settings, CheckOptions(Path(folder), only=only, device="cpu", seed=7), take).run()
    check, finding = next(iter(found.items()), ("", None))
    mistake = change.text.split('"""')[1].splitlines()[0]
    message, hint = (finding.message, finding.hint) if finding else (NOTHING, "")
    return f"| `{change.id}`: {cell(mistake)} | `{check}` | {cell(message)} | {cell(hint)} |\n"


def main():
    settings = load_settings(load_assignment("layers"))
    rows = []
    for change in layers_handins.changes("mistakes"):
        rows.append(read_row(change, settings))
        print(rows[-1], end="", flush=True)
    head = HEAD.replace("make messages-table", "make messages-table ASSIGNMENT=layers")
    head = head.replace("tests/mistakes/", "tests/assignments/layers/mistakes/")
    TARGET.write_text(head + "".join(sorted(rows)), "utf-8")
    print(f"{TARGET.relative_to(ROOT)}: {len(rows)} mistakes")


if __name__ == "__main__":
    main()
