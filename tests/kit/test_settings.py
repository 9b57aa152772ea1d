"""What the kit is told by an assignment and by where it is called."""

import ast
import re

import pytest

from grader.assignment import load_assignment
from grader.errors import StaffError
from grader.intake.datasets import describe_dataset
from grader.kit.handout import collect
from grader.kit.settings import find_caller, load_settings

pytestmark = pytest.mark.wide


@pytest.fixture
def tiny(tmp_path):
    """Return a function that loads the settings of a tiny assignment with the given `kit.toml`, or without one."""

    def load(text=None, settings=""):
        folder = tmp_path / "tiny"
        folder.mkdir(exist_ok=True)
        (folder / "assignment.toml").write_text(f'files = ["utils.py"]\n{settings}')
        row = '[[check]]\nid = "net.accuracy"\npart = "All"\npoints = 1\n'
        (folder / "rubric.toml").write_text(f'assignment = "tiny"\ntitle = "Tiny"\ntotal = 1\n{row}')
        if text is not None:
            (folder / "kit.toml").write_text(text)
        return load_settings(load_assignment("tiny", root=tmp_path))

    return load


def test_the_data_set_is_read_for_the_checks_that_learn_and_one_that_is_none_is_told(tiny, settings):
    assert [settings.learns_from_data(check) for check in ("train.accuracy", "max.times")] == [True, False]
    assert tiny(settings='learns = ["net"]').learns_from_data("net.accuracy")
    assert not tiny().learns_from_data("net.accuracy")
    with pytest.raises(StaffError, match="says that nte learns, which is no check"):
        tiny(settings='learns = ["nte"]')


@pytest.mark.parametrize(("text", "word"), [('[judges]\nnet = ["util.py"]', "util.py"), ("hides = 1", "hides")])
def test_a_kit_toml_that_names_what_is_not_there_is_told(tiny, text, word):
    with pytest.raises(StaffError, match=word):
        tiny(text)


WORDS = {
    "make": ("make check ONLY=", "run `make data` once, or add DATA=its-folder."),
    "": ("python -m hw1check --only ", "run `python -m hw1check data` once, or add --data its-folder."),
    "colab": ("run Check with only = ", "because MNIST was not found."),
}


@pytest.mark.parametrize("by", WORDS)
def test_each_caller_has_its_words(monkeypatch, tmp_path, by):
    monkeypatch.setenv("CHECKED_BY", by)
    caller = find_caller("python -m hw1check")
    alone, end = WORDS[by]
    assert caller.alone == alone
    assert describe_dataset(tmp_path, caller.get_mnist)[1].endswith(end)


@pytest.mark.parametrize(
    ("by", "page"), [("", "open out/report.html in a browser."), ("colab", "Check shows the same")]
)
def test_a_check_ends_with_them(kit, unzipped, by, page):
    said = kit.run("check", "--only", "utils.sigmoid", cwd=unzipped, caller=by).stdout
    assert f"To see it alone: {WORDS[by][0]}utils.sigmoid" in said
    assert page in said
    assert by != "colab" or not re.search("--only|in a browser|make ", said)


@pytest.mark.parametrize("name", ["hw1", "layers", "gemm", "distributed"])
def test_what_files_of_a_kit_import_is_in_it(name):
    files = collect(load_settings(load_assignment(name)))
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in files}
    for path in files:
        for statement in ast.parse(files[path]).body if path.endswith(".py") else ():
            if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("grader."):
                assert statement.module.removeprefix("grader.") in modules, f"{path} imports {statement.module}"
