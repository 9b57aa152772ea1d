"""Advice names what a student types or clicks where the kit is called, and nothing else."""

import re

import pytest

from grader.intake.datasets import describe_dataset
from grader.kit.caller import find_caller

WORDS = {
    "make": ("make check ONLY=", "run `make data` once, or name its folder with DATA=."),
    "": ("python -m hw1check --only ", "run `python -m hw1check data` once, or name its folder with --data."),
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
    ("by", "page"), [("", "open out/report.html in a browser."), ("colab", "Check shows the same ")]
)
def test_a_check_ends_with_them(kit, unzipped, by, page):
    said = kit.run("check", "--only", "utils.sigmoid", cwd=unzipped, caller=by).stdout
    assert f"To see it alone: {WORDS[by][0]}utils.sigmoid" in said
    assert page in said
    assert by != "colab" or not re.search("--only|in a browser|make ", said)
