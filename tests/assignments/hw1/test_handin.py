"""Flags of what the sheet asks of the files themselves: keep the prints, document the code."""

import ast
import importlib
import re

import handins
import pytest
from rows import each

from grader.authoring import Note, Sources, StudentFault
from grader.model import Submission

UNDOCUMENTED = "no docstring and no comment"
GONE = "was given with are gone"
COMPARES = "nothing calls"
REFERENCE = {name: data.decode() for name, data in handins.reference_files().items() if name.endswith(".py")}
MAX, MATMUL = REFERENCE["max_functions.py"], REFERENCE["matmul_functions.py"]
BARE = "import timeit\n\nCALLS = 20\n\n\ndef max_cpu(A, B):\n    return A\n\n\ndef max_numba(A, B):\n    return A\n"
TIMED = "\n\nfor function in (max_cpu, max_numba):\n    print(timeit.timeit(lambda: function(1, 2), number=CALLS))\n"


def bare(text):
    """Return code without docstrings and comments."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def without(text, name):
    """Return code without one of its functions."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if getattr(node, "name", "") != name]
    return "# The rest.\n" + ast.unparse(tree)


@pytest.fixture
def flags_of(tmp_path):
    """Return a function that hands in files over the reference and returns what `submission.files` flags."""
    check = importlib.import_module("grader.assignments.hw1.checks.test_handin")

    def run(files, missing=()):
        note = Note()
        for name, text in (REFERENCE | files).items():
            (tmp_path / name).write_text(text, "utf-8")
        try:
            check.test_files(Sources(tmp_path, Submission("", "", missing=missing)), note)
        except StudentFault:
            assert missing
        return note.flags

    return run


UTILS = bare(REFERENCE["utils.py"])
COMPARED = '"""Compares max_cpu, max_numba and max_gpu."""\n'
MISTAKES = {
    "utils without a word": ({"utils.py": UTILS}, [UNDOCUMENTED]),
    "all files without a word": ({name: bare(text) for name, text in REFERENCE.items()}, [UNDOCUMENTED] * 3),
    "the comparison is deleted": ({"max_functions.py": without(MAX, "max_comparisons")}, [GONE]),
    "both are": (
        {
            "max_functions.py": without(MAX, "max_comparisons").replace("sys.exit(max_comparisons())", "pass"),
            "matmul_functions.py": without(MATMUL, "matmul_comparisons").replace(
                "sys.exit(matmul_comparisons())", "pass"
            ),
        },
        [COMPARES] * 2,
    ),
    "every print is deleted": ({"max_functions.py": re.sub(r"print\(.*\)", "pass", MAX)}, ["it prints nothing"]),
    "another print than those of the comparison": (
        {"max_functions.py": without(MAX, "max_comparisons").replace("C = np.empty", "print(1)\n    C = np.empty")},
        [COMPARES],
    ),
}
CHEATS = {
    "prints that show nothing": ({"max_functions.py": re.sub(r"print\(.*\)", 'print("")', MAX)}, ["it prints nothing"]),
    "comments without words": ({"utils.py": "#\n# 1\n" + UTILS}, [UNDOCUMENTED]),
    "words for programs": ({"utils.py": f"#!/usr/bin/python\n# noqa: NPY002\n# type: ignore\n{UTILS}"}, [UNDOCUMENTED]),
    "empty docstrings": ({"utils.py": '""" """\n' + UTILS}, [UNDOCUMENTED]),
    "functions that are named in a docstring only": (
        {"max_functions.py": COMPARED + without(MAX, "max_comparisons") + "\nprint(1)"},
        [COMPARES],
    ),
}
HONEST = {
    "the reference": {},
    "one comment for a whole file": {"utils.py": UTILS + "\n# Xavier, as given"},
    "a comment in Hebrew": {"utils.py": f"# \u05e4\u05d5\u05e0\u05e7\u05e6\u05d9\u05d5\u05ea\n{UTILS}"},
    "a string in place of a comment": {"utils.py": UTILS + "\n'''Weights are as given.'''"},
    "prints worded anew": {"max_functions.py": MAX.replace('"[*] {name}:', '"{name} took')},
    "prints by a logger": {"max_functions.py": MAX.replace("print(f", "logger.info(f")},
    "prints by sys.stdout": {"max_functions.py": re.sub(r"print\((f?\".*?\").*\)", r"sys.stdout.write(\1)", MAX)},
    "print is handed over": {"max_functions.py": re.sub(r"print\(.*\)", "show(print)", MAX)},
    "the comparison at the end of the file": {"max_functions.py": "# mine\n" + BARE + TIMED},
    "the comparison by a text": {
        "max_functions.py": "# mine\n" + BARE + '\n\nprint(timeit.timeit("max_cpu(1, 2)", globals=globals()))\n'
    },
    "another name of the comparison": {"max_functions.py": MAX.replace("max_comparisons", "compare")},
    "written anew, and prints nothing": {"max_functions.py": "# mine\n" + BARE.partition("\n\n\n")[2]},
    "no functions at all": {"utils.py": "from other import sigmoid\n"},
    "no Python": {"utils.py": "def sigmoid(x:\n"},
}


@each("files, expected", MISTAKES | CHEATS)
def test_what_the_sheet_forbids_is_flagged_in_a_sentence_about_the_file(flags_of, files, expected):
    flags = flags_of(files)
    assert len(flags) == len(expected), flags
    assert all(
        words in flag and any(name in flag for name in files) for words, flag in zip(expected, flags, strict=True)
    )


@each("files", HONEST)
def test_one_word_is_enough_and_prints_may_be_moved(flags_of, files):
    assert flags_of(files) == []


def test_a_missing_file_is_not_flagged_as_well(flags_of):
    assert flags_of({}, missing=("utils.py",)) == []


def test_the_template_is_not_flagged_and_has_what_the_check_looks_for(flags_of):
    template = {name: data.decode() for name, data in handins.template_files().items()}
    assert flags_of(template) == []
    for name, given in importlib.import_module("grader.assignments.hw1.checks.test_handin").GIVEN.items():
        assert all(re.search(rf"\b{word}\b", template[name]) for word in (*given.functions, *given.traces))


@pytest.mark.slow  # hundreds of cases
@each("kind", ["unusual", "mistakes"])
def test_no_case_is_flagged_for_its_prints_or_comments(flags_of, kind):
    for change in handins.changes(kind):
        assert flags_of({name: data.decode() for name, data in change.changed_files().items()}) == [], change.id
