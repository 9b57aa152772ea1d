"""How large rooms of the grader may be, which files may be small, and where mechanisms may be that belong to one place.

And how often tests of a folder may name what is private to the grader, or put something else in its place.

The tables began with the figures of the day, and may only fall. A change that raises a row lowers another, by as
much at least, and says why in its commit. `python tests/test_budget.py` prints the tables as they would be now.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

GRADER = Path(__file__).parents[1] / "grader"
SLACK = 50
"""A room that is so many lines smaller than its row, or one file, has its row lowered."""

ROOMS = {
    ".": (901, 7),
    "assignments": (8496, 98),
    "authoring": (4595, 25),
    "bench": (597, 4),
    "commands": (1601, 8),
    "course": (6811, 34),
    "cuda_cpu": (8625, 40),
    "intake": (929, 6),
    "kit": (2235, 15),
    "mpi": (2878, 14),
    "reports": (1542, 12),
    "sandbox": (1428, 13),
    "scoring": (555, 4),
    "slices": (1345, 6),
    "timing": (1344, 11),
    "trial": (974, 19),
    "worker": (8557, 43),
}
"""Room of `grader/` -> lines and files of Python, at most; `.` is what lies beside the rooms."""
MOST = (53413, 359)
"""Lines and files in all rooms together, at most."""

PLACES = {
    "fcntl": "intake/disk.py timing/locks.py worker/channel.py",
    "multiprocessing": "",
    "socket": """
        commands/review.py mpi/link.py mpi/pool.py mpi/rank.py sandbox/probe.py worker/channel.py
        worker/child.py worker/process.py
    """,
    "subprocess": """
        course/cluster/slurm.py kit/parts.py kit/templates/github/bundle/autograder.py machine.py mpi/pool.py
        trial/selftest.py worker/process.py
    """,
    "xml.etree": "",
    "yaml": "course/platforms/gradescope.py",
}
"""Module -> the only files that may import it."""

LEAST_CODE = 40
"""Lines of a file without blank ones, comments and docstrings: less is a reason to ask which file it belongs to."""
SMALL = "__main__.py errors.py kit/inside/autolab.py sandbox/kernel.py timing/models.py"
"""The only files that may have less."""
TESTS = Path(__file__).parent
INSIDE = {
    "assignments": (0, 3),
    ".": (0, 12),
    "authoring": (0, 3),
    "commands": (2, 1),
    "conformance": (1, 0),
    "course": (9, 18),
    "cuda_cpu": (3, 6),
    "intake": (0, 2),
    "kit": (0, 6),
    "replay": (1, 0),
    "reports": (0, 1),
    "sandbox": (17, 12),
    "timing": (3, 6),
    "worker": (0, 4),
}
"""Folder of `tests/` -> how often its tests name a private part of the grader, and how often they replace a part of it.

What tests ask of a public face can move behind it. A folder that is not named here does neither.
"""
HANDED_IN = re.compile(r"handins_found/|malformed/|(?:.*/)?(?:attacks|mistakes|unusual)\w*\.py$")
"""What students may write: parts of files."""
NOT_OURS = {"_exit", "_getframe", "_replace", "_asdict", "_fields", "_getvalue"}
"""Names that Python and Numba themselves give to what anybody may use."""
_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


def sizes() -> dict[str, tuple[int, int]]:
    """Return room -> lines and files of Python."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(GRADER.rglob("*.py")):
        room, *rest = path.relative_to(GRADER).parts
        lines, files = found.get(room if rest else ".", (0, 0))
        found[room if rest else "."] = (lines + len(path.read_bytes().splitlines()), files + 1)
    return found


def places() -> dict[str, list[str]]:
    """Return module of `PLACES` -> the files that import it, sorted."""
    found: dict[str, list[str]] = {name: [] for name in PLACES}
    for path in sorted(GRADER.rglob("*.py")):
        imported = set(imports_of(ast.parse(path.read_bytes())))
        for name, files in found.items():
            if any(one == name or one.startswith(f"{name}.") for one in imported):
                files.append(path.relative_to(GRADER).as_posix())
    return found


def small() -> list[str]:
    """Return the files with little code, sorted; an `__init__`, templates and an assignment's may be as they like."""
    return [
        path.relative_to(GRADER).as_posix()
        for path in sorted(GRADER.rglob("*.py"))
        if path.name != "__init__.py"
        and not {"templates", "assignments"} & {*path.relative_to(GRADER).parts}
        and len(lines_of_code(path.read_bytes())) < LEAST_CODE
    ]


def lines_of_code(text: bytes) -> set[int]:
    tokens = tokenize.tokenize(io.BytesIO(text).readline)
    lines = {line for one in tokens if one.type not in _NO_CODE for line in range(one.start[0], one.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines -= {*range(node.lineno, node.end_lineno + 1)}
    return lines


def inside() -> dict[str, tuple[int, int]]:
    """Return folder of tests -> private names of the grader in it, and parts of the grader that are replaced."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(TESTS.rglob("*.py")):
        folder, *rest = path.relative_to(TESTS).parts
        if not HANDED_IN.match(path.relative_to(TESTS).as_posix()):
            names, patched = found.get(folder if rest else ".", (0, 0))
            tree = ast.parse(path.read_bytes())
            more = len(list(private_names(tree))), len(list(patched_parts(tree)))
            found[folder if rest else "."] = (names + more[0], patched + more[1])
    return {folder: counts for folder, counts in found.items() if any(counts)}


def private_names(tree):
    """Yield the names that begin with one `_` and are taken from something else, by a dot, an import or a text."""
    for node in ast.walk(tree):
        yield from (name for name in names_taken(node) if re.match("_[^_]", name) and name not in NOT_OURS)


def names_taken(node):
    """Return the names that a part of a test takes from something else, but what it takes from itself."""
    match node:
        case ast.Attribute(value=ast.Name(id="self" | "cls")):
            return []
        case ast.Attribute(attr=name):
            return [name]
        case ast.ImportFrom(module=str(module), names=aliases) if module.startswith("grader"):
            return [alias.name for alias in aliases]
        case ast.Call(func=called, args=args) if last_name(called) in {"setattr", "getattr", "delattr"}:
            return [str(one.value).split(".")[-1] for one in args[:2] if isinstance(one, ast.Constant)]
    return []


def patched_parts(tree):
    """Yield, as they are written, the parts of modules and classes of the grader that a test replaces."""
    ours = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if (getattr(node, "module", "") or alias.name).startswith("grader")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) in {"setattr", "delattr"} and node.args:
            part = ast.unparse(node.args[0]).strip("'\"")
            if part.partition(".")[0] in ours | {"grader"}:
                yield part


def last_name(called) -> str:
    """Return `setattr` of `setattr(…)` and of `monkeypatch.setattr(…)`."""
    return ast.unparse(called).rpartition(".")[2]


def imports_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_room_is_larger_than_its_row():
    found = sizes()
    assert set(found) == set(ROOMS), "a room came or went: give it a row, or take its row away"
    larger = {room: (found[room], row) for room, row in ROOMS.items() if found[room] > row or found[room][1] > row[1]}
    assert larger == {}, "room: what it has, and what it may have, of lines and files"


def test_tests_have_a_budget_as_well():
    lines = [len(path.read_bytes().splitlines()) for path in TESTS.rglob("*.py")]
    assert sum(lines) <= 72_807
    assert len(lines) <= 540
    assert max(lines) <= 1_500


def test_a_room_that_became_smaller_has_a_lower_row():
    found = sizes()
    smaller = {
        room: (found[room], row)
        for room, row in ROOMS.items()
        if found[room][0] < row[0] - SLACK or found[room][1] < row[1]
    }
    assert smaller == {}, "room: what it has now, so that nobody fills it up again, and its row"


def test_a_row_is_raised_only_where_another_is_lowered():
    lines, files = zip(*ROOMS.values(), strict=True)
    assert sum(lines) <= MOST[0]
    assert sum(files) <= MOST[1]


def test_what_should_be_in_one_place_comes_to_no_further_one():
    known = {module: files.split() for module, files in PLACES.items()}
    assert places() == known, "a new place: use the one that is there. A place less: take it off the list"


def test_no_further_file_is_small():
    assert small() == sorted(SMALL.split()), "a new small file: put it where it belongs. One less: take it off the list"


def test_tests_know_no_more_of_what_is_behind_a_face():
    assert inside() == INSIDE, "more: ask by a public name, or hand in a stand-in. Fewer: lower the row"


def test_private_names_and_parts_that_are_replaced_are_found():
    tree = ast.parse(
        "from grader.a import _b, c\nfrom os import _wrap\nimport grader.d as e\n"
        "c._f.g(self._h, c.__doc__, os._exit)\npatch.setattr(e, '_i', 1)\npatch.setattr('grader.j._k', 1)\n"
        "patch.setattr(os, 'l', 1)\npatch.setattr(c.time, 'm', 1)\n"
    )
    assert sorted(private_names(tree)) == ["_b", "_f", "_i", "_k"]
    assert sorted(patched_parts(tree)) == ["c.time", "e", "grader.j._k"]


def test_blank_lines_comments_and_docstrings_are_no_code():
    text = b'"""One.\n\nTwo."""\n\n# three\nX = (\n    1,  # 4\n)\n"""5."""\ndef f():\n    """Six."""\n    return X\n'
    assert lines_of_code(text) == {6, 7, 8, 10, 12}


def test_an_import_is_found_however_it_is_written():
    text = "import subprocess as s\ndef f():\n  from xml.etree import ElementTree\n  import xml.etree.cElementTree\n"
    assert sorted(imports_of(ast.parse(text))) == ["subprocess", "xml.etree.ElementTree", "xml.etree.cElementTree"]
    assert list(imports_of(ast.parse("from . import socket\nfrom xml import etree"))) == ["xml.etree"]


if __name__ == "__main__":
    for room, (lines, files) in sizes().items():
        print(f'    "{room}": ({lines}, {files}),')
    print(" ".join(small()))
    print(tuple(map(sum, zip(*sizes().values(), strict=True))))
    for folder, counts in inside().items():
        print(f'    "{folder}": {counts},')
    for module, files in places().items():
        print(f'    "{module}": "{" ".join(files)}",')
