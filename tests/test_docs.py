"""How much people write by hand in `docs/`, and that what programs write there is linked, and not of yesterday."""

import ast
import re
import runpy
from pathlib import Path

import pytest
from rows import some

ROOT = Path(__file__).parents[1]
TESTS, GENERATED = ROOT / "tests", ROOT / "docs/generated"
WRITTEN = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))  # the pages that people write
MOST_LINES, MOST_PAGES, MOST_OF_THE_FIRST, WIDTH = 1500, 15, 120, 120
LINK = re.compile(r"\]\(([^)#]+)(?:#([^)]*))?\)")
ROW = re.compile(r"^\| (.+?) \|", re.MULTILINE)
CODES = ("OURS", "STUDENTS")  # the names of `tests/driver/strikes.py` that hold codes
TARGET = re.compile(r"`make ([a-z-]+)")


def text_of(page):
    return page.read_text("utf-8")


def links(page):
    """Return the pages that a page links to, and the heading of each link."""
    found = LINK.findall(text_of(page))
    return [((page.parent / path).resolve(), heading) for path, heading in found if path.endswith(".md")]


def rows(page, table):
    """Return what the rows of a table begin with, without its head."""
    lines = re.search(rf"<!-- {table} -->\n(.*?)<!-- end -->", text_of(GENERATED / page), re.DOTALL)[1]
    return [re.sub(r"^`(\w+)`$", r"\1", row) for row in ROW.findall(lines[lines.index("|---") :].split("\n", 1)[1])]


def run(path, monkeypatch):
    """Return the names of a program of `tests/`."""
    monkeypatch.syspath_prepend(str((TESTS / path).parent))
    return runpy.run_path(str(TESTS / path))


def test_what_people_write_stays_short():
    lines = {page.name: len(text_of(page).splitlines()) for page in WRITTEN}
    assert sum(lines.values()) <= MOST_LINES, lines
    assert lines["README.md"] <= MOST_OF_THE_FIRST
    assert len(lines) <= MOST_PAGES


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_what_people_write_has_lines_as_short_as_code_and_no_program_writes_into_it(page):
    lines = enumerate(text_of(page).splitlines(), 1)
    assert [number for number, line in lines if len(line) > WIDTH and not line.startswith(("|", "!["))] == []
    assert "<!--" not in text_of(page)


@pytest.mark.parametrize("page", sorted(GENERATED.glob("*.md")), ids=lambda page: page.name)
def test_what_programs_write_names_its_target_and_is_linked_once(page):
    makefile = text_of(ROOT / "Makefile")
    targets = TARGET.findall(re.split(r"\n(?:\||```)", text_of(page))[0])
    assert [name for name in some(targets) if f"\n{name}: " not in makefile] == []
    assert [path for one in WRITTEN for path, _heading in links(one)].count(page) == 1


@pytest.mark.parametrize("page", [*WRITTEN, *sorted(GENERATED.glob("*.md"))], ids=lambda page: page.name)
def test_links_lead_to_headings_that_are_there(page):
    for path, heading in links(page):
        heads = re.findall(r"^#+ (.*)", text_of(path), re.MULTILINE)
        assert not heading or heading in {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


def test_the_pages_of_attempts_speed_and_cost_have_the_rows_of_their_programs(monkeypatch):
    table = run("sandbox/table.py", monkeypatch)
    attempts = {*table["FILES"], *table["PROCESSES"], *table["CALLS"]}
    assert attempts <= {*rows("sandbox.md", "attacks")}
    noise = run("benchmarks/simulate_noise.py", monkeypatch)
    for table in ("usual", "rough"):
        assert rows("speed.md", table) == [one.name for one in noise[table.upper()]]
    grading = run("benchmarks/grade.py", monkeypatch)
    assert rows("performance.md", "grading") == [*grading["ROWS"].values()]
    assert {*grading["WORKERS"].values()} <= {*rows("performance.md", "processes")}
    assert "clone to first report, s" in rows("performance.md", "versions")


def test_the_page_of_kernels_has_the_rungs_that_there_are_and_that_of_the_drivers_errors_every_code():
    for table, folder in {"matmul": "hw1", "max": "hw1", "gemm": "gemm", "gemm registers": "gemm"}.items():
        sources = some((ROOT / "reference" / folder).glob("*.py"))
        kernels = {name for path in sources for name in re.findall(r"^def (\w+)\(", text_of(path), re.MULTILINE)}
        assert {*rows("kernels.md", table)} <= kernels
    rungs = {*re.findall(r"^def (\w+_kernel)\(", text_of(ROOT / "reference/gemm/ladder.py"), re.MULTILINE)}
    assert rungs <= {*rows("kernels.md", "gemm")} & {*rows("kernels.md", "gemm instructions")}
    tree = ast.parse(text_of(TESTS / "driver/strikes.py"))
    given = (node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id in CODES)
    codes = {one.value for value in given for one in ast.walk(value) if isinstance(one, ast.Constant)}
    assert {int(row.split()[0]) for row in rows("gpu.md", "errors")} == codes


def test_students_in_transcripts_type_what_their_sheet_says(monkeypatch):
    for story in run("kit/transcript.py", monkeypatch)["STORIES"].values():
        sheet = text_of(ROOT / "student_template" / story.name / "README.md")
        typed = re.findall(r"^~/\w+\$ (make .*)", text_of(GENERATED / story.page), re.MULTILINE)
        assert [command for command in some(typed) if command not in sheet] == []
