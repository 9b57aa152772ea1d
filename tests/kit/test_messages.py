"""The table of messages: every known mistake has a row that names the function or file, and the kind of mistake."""

import re
from pathlib import Path

import handins
import pytest
from handins import DISTRIBUTED, GEMM, LAYERS
from rows import each, some

pytestmark = pytest.mark.wide
OTHERS = [LAYERS, GEMM, DISTRIBUTED]
TABLE = Path(__file__).parents[2] / "docs/generated/messages.md"
ROW = re.compile(r"^\| `([a-zA-Z0-9_.]+)`: (.*?) \| `([a-z_.]*)` \| (.*?) \| (.*?) \|$", re.MULTILINE)
ROWS = {match[1]: match.groups()[2:] for match in ROW.finditer(TABLE.read_text("utf-8"))}
CHANGES = {handins.id_of(change): change for change in handins.changes("mistakes")}
CERTAIN = r"shape|None|launched|raised|Stopped|died|uses|compiled|Numba|list|pair|has no|same numbers|sizes|spread"
KIND = re.compile(rf"{CERTAIN}|beyond|vectors|items?\b|no point is lost|kernels|right answer")
"""Words of messages that say the kind of mistake themselves; where values are only wrong, the hint has to."""
UNSEEN = {"matmul.trivial_sizes_hard_coded"}
"""Right at the sheet's size, which alone decides there: nothing is said, and nothing is lost."""


def test_every_mistake_has_its_row_no_row_is_of_yesterday_and_none_shows_where_the_copy_lay():
    assert set(ROWS) == set(CHANGES)
    assert "grader-check-" not in TABLE.read_text("utf-8")


@pytest.mark.parametrize("given", OTHERS, ids=lambda given: given.name)
def test_every_mistake_of_other_assignments_has_its_row_too(given):
    table = TABLE.with_name(f"messages-{given.name}.md").read_text("utf-8")
    assert {match[1] for match in ROW.finditer(table)} == {change.id for change in given.changes("mistakes")}


@each("mistake", sorted(set(ROWS) - UNSEEN))
def test_the_message_names_who_and_what(mistake):
    _, message, hint = ROWS[mistake]
    change = CHANGES[mistake]
    assert any(name in message for name in handins.suspects(change) | change.words("says")), message
    assert KIND.search(message) or hint, f"{message}: of which kind is this?"


def test_no_hint_is_a_solution():
    for change in some(CHANGES.values()):
        reference = (handins.REFERENCE / change.target).read_text("utf-8")
        bodies = [line for line in reference.splitlines() if line.startswith("    ")]
        work = {line.strip() for line in bodies if len(line.strip()) > 15 and "=" in line}
        assert not [line for line in work if line in " ".join(ROWS[handins.id_of(change)])]
