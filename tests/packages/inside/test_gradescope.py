"""Where the grader itself fails there is no result, so that Gradescope gives no score."""

from grader.cli import run
from grader.packages.inside import gradescope


def test_a_failure_of_ours_leaves_no_result_and_staff_read_why(tmp_path, monkeypatch, capsys):
    (tmp_path / "source").mkdir()
    (tmp_path / "submission").mkdir()
    monkeypatch.setattr("grader.commands.inside.RUNS", {"gradescope": lambda: gradescope.run(tmp_path)})
    assert run(["inside", "gradescope"]) == 3
    assert "settings.json cannot be read" in capsys.readouterr().err
    assert not list(tmp_path.rglob("results.json"))
