"""`docs/generated/texts.md` is what `docs/texts.toml` says, and every place and test that it names is there.

`python tests/test_texts.py`, or `make texts-table`, writes the page.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from rows import some

from grader.assignment import load_assignment

ROOT = Path(__file__).parents[1]
TABLE, PAGE = ROOT / "docs/texts.toml", ROOT / "docs/generated/texts.md"
STATES = ("fully", "partly", "not", "none")
NUMBER = 98  # what the five texts ask for, without what is no matter for a program
LEAST_FULLY = 88  # this may only rise
CHECK = re.compile(r"(hw1|layers|gemm|distributed)/((?:\w+\.)+\w+)")
CASE = re.compile(r"(\w+):(\w+):([\w.]+)")
HEAD = """# The five texts, requirement by requirement

What the course's texts ask for, where this project covers it, and how that is tested. `make texts-table` writes this
page from [texts.toml](../texts.toml); `tests/test_texts.py` follows each reference to the check, test, case or page
that it names.
"""


def texts():
    return tomllib.loads(TABLE.read_text("utf-8"))["text"]


def rows():
    return [row for text in texts() for row in text["rows"]]


def render():
    """Return the page."""
    parts = [HEAD]
    counts = Counter(row[1] for row in rows())
    summary = "; ".join(f"{counts[state]} {state}" for state in STATES[:3])
    parts.append(f"Of {sum(counts.values()) - counts['none']} requirements: {summary} covered.\n")
    for text in texts():
        parts.append(f"## {text['name']} (`{text['assignment']}`)\n")
        parts.append("| requirement | covered | where | how it is tested | what is missing |\n|---|---|---|---|---|")
        for asked, state, where, tested, missing in text["rows"]:
            cells = (asked, "" if state == "none" else state, shown(where), shown(tested), missing)
            parts.append("| " + " | ".join(cells) + " |")
        parts.append("")
    return "\n".join(parts)


def shown(references):
    """Return references as code, without what only finds the place in a file."""
    return ", ".join(f"`{re.sub('#.*', '', one)}`" for one in references.split())


def problem_of(reference, outcomes):
    """Return why a reference leads nowhere; empty if it leads somewhere."""
    if found := CASE.fullmatch(reference):
        return "" if " ".join(found.groups()) in outcomes else "no such case"
    if "::" in reference:
        file, name = reference.split("::")
        return "" if re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE) else "no such test"
    if found := CHECK.fullmatch(reference):
        return problem_of_check(*found.groups(), outcomes)
    file, _, words = reference.partition("#")
    path = ROOT / file
    if not path.exists():
        return "no such file"
    text = "-".join(path.read_text("utf-8").split()).lower() if words else ""
    return "" if words.lower() in text else "no such words"


def problem_of_check(assignment, check, outcomes):
    """Return what keeps a check from being one that is tried; points of a GPU's or a TA's are none of a case's."""
    row = next((one for one in load_assignment(assignment).rubric.criteria if one.id == check), None)
    if row is None:
        return "no such check"
    fails = any(
        case.startswith(f"{assignment} ") and re.search(rf"(failed|flagged)[^;]* {re.escape(check)}\b", words)
        for case, words in outcomes.items()
    )
    return "" if fails or row.hardware or not row.points else "no case fails it"


@pytest.fixture(scope="module")
def outcomes():
    lines = (TABLE.parents[1] / "tests/outcomes.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith("#"))


def test_each_place_and_each_test_is_there(outcomes):
    found = {
        (asked, reference): problem
        for asked, _state, where, tested, _missing in some(rows())
        for reference in (*where.split(), *tested.split())
        if (problem := problem_of(reference, outcomes))
    }
    assert found == {}


def test_what_is_covered_has_a_test_all_else_a_reason_and_no_fewer_are_covered_than_before():
    for asked, state, where, tested, missing in some(rows()):
        assert state in STATES, asked
        assert where, asked
        assert tested if state == "fully" else missing, asked
        assert not (state == "fully" and missing), asked
    counts = Counter(row[1] for row in rows())
    assert sum(counts.values()) - counts["none"] == NUMBER
    assert counts["fully"] >= LEAST_FULLY


def test_the_page_is_what_the_table_says():
    assert PAGE.read_text("utf-8") == render(), "run make texts-table"


def test_a_reference_that_leads_nowhere_is_found(outcomes):
    assert problem_of("hw1/utils.sigmoid", outcomes) == ""
    assert problem_of("hw1/utils.nothing", outcomes) == "no such check"
    assert problem_of("hw1:mistakes:utils.nothing", outcomes) == "no such case"
    assert problem_of("tests/test_texts.py::test_nothing", outcomes) == "no such test"
    assert problem_of("docs/nothing.md", outcomes) == "no such file"
    assert problem_of("README.md#nothing-of-the-kind", outcomes) == "no such words"
    assert problem_of_check("hw1", "utils.sigmoid", {}) == "no case fails it"


if __name__ == "__main__":
    PAGE.write_text(render(), "utf-8")
