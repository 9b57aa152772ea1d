"""What docstrings and docs name exists: modules and what is in them, files, folders, pages."""

import ast
import dataclasses
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader import model

ROOT = Path(__file__).parents[1]
TOPS = r"grader|tests|docs|reference|student_template|\.github|\.ci"
DOTTED = re.compile(r"(?<![\w./`-])`*(grader(?:\.\w+)+)(?![\w/]|\.<)")
PATH = re.compile(rf"(?<![\w./-])((?:{TOPS})/[\w./<>*{{}},-]+)")
SHORT = re.compile(r"(?<=`)((?:\w+/)*\w+\.py)(?=`)")
OWN = re.compile(r"(?<=`)(\w+)\.(\w+)(?=`)")
LINK = re.compile(r"(?<=\S)\]\(([\w./-]+\.\w{2,4})(?:#[^)]*)?\)")
HANDINS = "malformed"  # a folder below `tests/` that holds what students may write
BOOK = re.compile(r"(?:attacks|mistakes|unusual)\w*\.py")  # the names of case books, which hold it as well
ENDINGS = {"csv", "html", "json", "py", "toml", "txt", "xml"}
EXAMPLES = {"grader.def", "grader.sif", "autograder.py", "reference/tiny.py"}
"""What `make package` makes, and a file of the assignment that docs/assignment.md begins."""


def test_what_docstrings_name_is_there():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources()
        for line, text in docstrings(path)
        for name in unknown_in(text, path if path.is_relative_to(ROOT / "grader") else None)
    ]
    assert found == []


def test_what_pages_name_is_there():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for name in (*unknown_in(line), *unknown_links(line, path.parent))
    ]
    assert found == []


def test_the_page_of_the_evidence_names_all_of_its_fields():
    page = (ROOT / "docs/evidence.md").read_text("utf-8")
    known = (model.Evidence, model.Submission, model.Run, model.Observation, model.Finding, model.File)
    names = {*(field.name for kind in known for field in dataclasses.fields(kind)), *model.Outcome}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_names_that_are_not_there_are_found():
    here = ROOT / "grader/slices/cutting.py"
    assert list(unknown_in("see `grader.slices.cutting.cut`, `grader.model` and grader.worker.<observer>")) == []
    found = list(unknown_in("see `grader.worker.slicing`, grader.slices.cutting.sew, `grader.model.Mark.paint`"))
    assert found == ["grader.worker.slicing", "grader.slices.cutting.sew", "grader.model.Mark.paint"]
    assert list(unknown_in("`grader/slices/cutting.py`, tests/assignments/<name>/max_functions/ and docs/*.md")) == []
    found = list(unknown_in("`grader/slices/sewing.py` and tests/nowhere/"))
    assert found == ["grader/slices/sewing.py", "tests/nowhere/"]
    found = list(unknown_in("`slices/cutting.py`, `cutting.py`, `sewing.py`, `cutting.cut`, `cutting.sew`", here))
    assert found == ["sewing.py", "cutting.sew"]
    assert list(unknown_links("[a](docs/speed.md#b) [c](none.md) [d](https://e.f)", ROOT)) == ["none.md"]


def sources() -> Iterator[Path]:
    """Yield the files whose docstrings are read: those of the grader, and of tests but hand-ins."""
    yield from (path for path in sorted(ROOT.glob("grader/**/*.py")) if "templates" not in path.parts)
    tests = (path for path in sorted(ROOT.glob("tests/**/*.py")) if HANDINS not in path.parts)
    yield from (path for path in tests if not BOOK.fullmatch(path.name))


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts that stand alone in a file, those of constants too, and its comments, with the line of each."""
    with path.open("rb") as file:
        tokens = [*tokenize.tokenize(file.readline)]
    yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def unknown_in(text: str, path: Path | None = None) -> Iterator[str]:
    """Yield what a text names and is not there; short names are looked for beside the file `path`, if it is given."""
    yield from (name for name in DOTTED.findall(text) if name not in EXAMPLES and not is_name(name))
    paths = (name.rstrip(".,-") for name in PATH.findall(text))
    yield from (name for name in paths if name not in EXAMPLES and not is_path(name))
    if path is None:
        return
    yield from (name for name in SHORT.findall(text) if name not in EXAMPLES and not any_file(name))
    for module, name in OWN.findall(text):
        beside = path.parent / f"{module}.py"
        names = bound(beside) if beside.is_file() else {name}
        if name not in {*ENDINGS, *names, *(one.partition(".")[2] for one in names)}:  # of a class: `store.handins`
            yield f"{module}.{name}"


def unknown_links(line: str, folder: Path) -> Iterator[str]:
    yield from (link for link in LINK.findall(line) if not (folder / link).exists())


def is_name(dotted: str) -> bool:
    """Return whether there is such a module, or a thing in one, or a part of that."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        base = ROOT.joinpath(*parts[:end])
        file = next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)
        if file:
            rest = parts[end:]
            return not rest or ".".join(rest[:2]) in bound(file)
        if base.is_dir():
            return end == len(parts)
    return False


@cache
def bound(file: Path) -> frozenset[str]:
    """Return what a file binds at its top, and, after a dot, in its classes."""
    return frozenset(_names(ast.parse(file.read_bytes()).body))


def _names(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.ClassDef():
                yield node.name
                yield from (f"{node.name}.{name}" for name in _names(node.body))
                yield from (f"{node.name}.{name}" for name in _of_self(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield node.name
            case ast.Import() | ast.ImportFrom():
                yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
            case ast.If() | ast.Try() | ast.With():
                yield from _names(node.body)
            case _:
                stored = (one for one in ast.walk(node) if isinstance(one, ast.Name))
                yield from (one.id for one in stored if isinstance(one.ctx, ast.Store))


def _of_self(node: ast.ClassDef) -> Iterator[str]:
    for one in ast.walk(node):
        match one:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def is_path(text: str) -> bool:
    """Return whether there is such a file or folder; `<name>` and `*` stand for anything."""
    if "{" in text:
        return True
    pattern = re.sub(r"<\w+>", "*", text)
    return any(ROOT.glob(pattern)) if "*" in pattern else (ROOT / pattern).exists()


@cache
def any_file(name: str) -> bool:
    """Return whether a file of that name, with these folders above it, is anywhere in the repository."""
    tops = ("grader", "tests", "reference", "student_template")
    return (ROOT / name).is_file() or any(next((ROOT / top).rglob(name), None) for top in tops)
