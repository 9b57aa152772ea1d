"""Case books: what is cut out of them, and what is said about one that is written wrong."""

import re
from pathlib import Path

import handins
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.assignment import load_assignment
from grader.commands.authors import make_scaffold
from grader.errors import StaffError
from grader.trial.casebook import KEYS, read_book, read_cases
from grader.trial.changes import load_changes

BOOK = '''"""Two mistakes.

failed: add.cpu
slow: it trains
"""

# %% first
"""The first.

slow:
"""
A = 1


def f():
    return A

# %% second
"""The second

has a second paragraph: with a colon.

failed: add.gpu
"""
def broken(:
'''
HERE = Path("books/tiny.py")


def test_a_cell_has_its_text_and_keys_and_a_file_without_cells_is_one_case():
    first, second = read_cases(BOOK, HERE)
    assert (first.name, first.keys) == ("first", {"failed": "add.cpu", "slow": ""})
    assert first.text == '"""The first.\n\nslow:\n"""\nA = 1\n\n\ndef f():\n    return A\n'
    assert (second.name, second.keys) == ("second", {"failed": "add.gpu", "slow": "it trains"})
    assert second.text.endswith('"""\ndef broken(:\n')
    assert second.place == "books/tiny.py:18, cell 'second'"
    text = '"""The loop ends too early.\n\nfailed: add.cpu, add.gpu\n"""\n\n\nA = 1  # %% of all\n'
    (case,) = read_cases(text, HERE)
    assert (case.name, case.text, case.keys) == ("tiny", text, {"failed": "add.cpu, add.gpu"})
    (case,) = read_cases('# Mine.\n\n"""It."""\nA = 1\n', HERE)
    assert case.text.endswith("A = 1\n")


def book(old, new):
    return BOOK.replace(old, new, 1)


WRONG = {
    "no docstring": (book('"""The first.\n\nslow:\n"""\n', ""), "8, cell 'first': a docstring"),
    "docstring never ends": (BOOK[: BOOK.rindex('"""')], "19, cell 'second': a docstring"),
    "docstring is empty": ('"""\n"""\n', "1: a docstring"),
    "no docstring in a file of its own": ("A = 1\n", "1: a docstring in"),
    "two of one name": (book("second", "first"), r"18, cell 'first': .* name at books/tiny.py:7, cell 'first'"),
    "no name": (book("%% first", "%%"), "7: '' is no name"),
    "two words": (book("%% first", "%% first one"), "7: 'first one' is no name"),
    "code in the head": (book("# %% first", "\nA = 2\n# %% first"), "8: this stands before the first cell"),
    "unknown key": (book("failed: add.gpu", "says: it\nfaild: add.gpu"), "24, cell 'second': .*'faild': did you"),
    "unknown key of the book": (book("slow: it", "slowly: it"), "4: there is no key 'slowly': did you mean 'slow'"),
    "key like no other": (book("failed: add.gpu", "xyz: 1"), "23, cell 'second': there is no key 'xyz': remove it"),
    "key twice": (book("slow:\n", "slow:\nslow: yes\n"), "11, cell 'first': the key 'slow' stands here twice"),
    "no number": (book("slow:\n", "limit_s: soon\n"), "10, cell 'first': limit_s is 'soon': write a number"),
}


@each("text, message", WRONG)
def test_what_is_wrong_is_told_with_file_line_and_cell(text, message):
    with pytest.raises(StaffError, match=f"^books/tiny.py:{message}"):
        read_cases(text, HERE)


def test_a_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "tiny.py").write_bytes(b'"""\xff"""\n')
    with pytest.raises(StaffError, match=r"tiny.py cannot be read .*: save it as UTF-8"):
        read_book(tmp_path / "tiny.py")


NAMES = st.text(st.sampled_from("ab_1"), min_size=1, max_size=6)
CODE = st.text(st.sampled_from("abc =:%#'\n\t(é"), max_size=60)
CODE = CODE.filter(lambda text: not re.search(r"^#[ \t]?%%", text, re.MULTILINE))
SAID = st.text(st.sampled_from("abc é.%"), min_size=1, max_size=40).filter(str.strip)
VALUES = st.dictionaries(st.sampled_from(sorted(KEYS - {"limit_s"})), st.text(st.sampled_from("ab."), max_size=8))
CASES = st.dictionaries(NAMES, st.tuples(SAID, VALUES, CODE), min_size=1, max_size=5)


def written(said, keys, code):
    lines = "".join(f"{key}: {values}\n" for key, values in keys.items())
    return f'"""{said}\n\n{lines}"""\n{code}\n'


@given(SAID, VALUES, CASES)
def test_what_is_written_is_read_back(said, common, cases):
    cells = "".join(f"# %% {name}\n{written(*case)}\n" for name, case in cases.items())
    found = read_cases(written(said, common, "") + cells, HERE)
    texts = {name: written(*case).strip("\n") for name, case in cases.items()}
    assert {case.name: case.text.strip("\n") for case in found} == texts
    assert {case.name: case.keys for case in found} == {name: common | keys for name, (_, keys, _) in cases.items()}


PARTS = ("# %%", " a", "\n", '"""', "failed:", "é", "x = 1", "\r", "limit_s: 1", "#%% b")


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_any_text_is_read_or_refused_with_its_line(text):
    try:
        answer = "read" if read_cases(text, HERE) else "nothing"
    except StaffError as error:
        answer = str(error)
    line = re.match(r"books/tiny\.py:(\d+)", answer)
    assert answer == "read" or 1 <= int(line[1]) <= text.count("\n") + 2  # a docstring is missed below the last line


@pytest.fixture
def reference(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("import os\n\nA = 1\n")
    return tmp_path


def books(folder, texts):
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in texts]


@each(
    "texts, message",
    ({"one/a.py": '"""It."""\n', "one/b.py": '# %% a\n"""It."""\n'}, r"one/b.py:1, cell 'a': .*one/a.py:1 has a case"),
    ({"three/a.py": '"""It."""\n'}, r"three/a.py:1: there is no .*three.py to change: name the folder after"),
    ({"one/a.py": '"""It.\n\nremoves: A B\n"""\n'}, r"one/a.py:1: removes B: name what one.py defines"),
    ({"one/a.py": '"""It.\n\nbelongs: two\n"""\n'}, r"one.a belongs to two.a, and there is none: write one"),
)
def test_a_change_that_changes_nothing_of_the_reference_is_told(reference, texts, message):
    with pytest.raises(StaffError, match=message):
        load_changes(books(reference, texts), reference)


def test_a_case_of_two_files_comes_with_both_and_cases_of_one_name_in_two_files_are_two(reference):
    texts = {"one/a.py": '# %% x\n"""It."""\nA = 2\n', "two/a.py": '# %% x\n"""Too.\n\nbelongs: one\n"""\nA = 3\n'}
    found = load_changes(books(reference, texts), reference)
    assert [change.id for change in found] == ["one.x"]
    files = {name: text.split() for name, text in found[0].changed_files().items()}
    assert {name: words[-1] for name, words in files.items()} == {"one.py": b"2", "two.py": b"3"}
    found = load_changes(books(reference, {"two/a.py": '"""It."""\n', "one/a.py": '"""It."""\n'}), reference)
    assert [change.id for change in found] == ["one.a", "two.a"]


def test_a_new_assignment_takes_single_files_and_books(tmp_path, monkeypatch):
    make_scaffold("tiny", tmp_path)
    monkeypatch.setenv("ASSIGNMENTS", str(tmp_path))
    books(tmp_path / "tiny/mistakes", {"tiny/single.py": '"""It."""\n'})
    assignment = load_assignment("tiny")
    names = [change.name for change in load_changes(assignment.mistakes(), assignment.reference)]
    assert names == ["kernel_without_a_column", "last_row_forgotten", "launch_of_half_the_rows", "single"]


KINDS = ("mistakes", "unusual", "attacks")


@pytest.mark.parametrize("name", ["hw1", "layers", "gemm", "distributed"])
def test_every_case_of_the_graders_own_tests_stands_in_a_book(name):
    folder = handins.TESTS / "assignments" / name
    found = sorted(folder.glob("*/*.py"))
    assert {path.name.split("_")[0].removesuffix(".py") for path in found} <= set(KINDS)
    mistakes = {path.relative_to(Path.cwd()) for path in folder.glob("*/mistakes*.py")}
    assert set(load_assignment(name).mistakes()) == mistakes
    assert all(handins.HandIns(name, {}).changes(kind) for kind in KINDS)
    assert [path for kind in KINDS for root in (handins.TESTS, folder) for path in root.glob(f"{kind}/*/*.py")] == []
