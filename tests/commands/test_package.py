"""`grader package`: what a platform has no use for is refused in one sentence, before anything is made."""

import pytest

from grader.cli import run
from grader.packages.parts import HERE, PYTHONS


@pytest.mark.parametrize(
    ("platform", "option", "said"),
    [
        ("colab", ["--wheelhouse"], "leave out --wheelhouse"),
        ("colab", ["--sandbox", "limits"], "leave out --sandbox"),
        ("colab", ["--python", next(python for python in PYTHONS if python != HERE)], "leave out --python"),
        ("colab", ["--cuda", "13"], "leave out --cuda"),
        ("github", ["--final", "batch"], "upload the batch's sheets there"),
    ],
)
def test_an_option_that_a_platform_has_no_use_for_is_refused(platform, option, said, tmp_path, capsys):
    assert run(["package", platform, *option, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_package_that_grades_nothing_tells_of_no_data(tmp_path, capsys):
    assert run(["package", "colab", "--out", str(tmp_path / "out")]) == 0
    assert "learns" not in capsys.readouterr().out
