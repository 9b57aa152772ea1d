"""The bench's command."""

import pytest
from rows import each

from grader.__main__ import run
from grader.bench.measure import write_bench
from grader.commands.bench import choose_counts
from grader.errors import UsageError


def test_cores_are_those_of_the_sheet_as_far_as_there_are_and_others_are_wrong_usage():
    why = "Not measured on 8 cores: this machine lets us use 4. On the server, ask for more with -c."
    assert (choose_counts(None, 4), choose_counts(None, 64)) == (((1, 2, 4), (why,)), ((1, 2, 4, 8), ()))
    assert choose_counts((4, 2, 2), 8) == ((2, 4), ())
    with pytest.raises(UsageError, match="2 core\\(s\\), fewer than 4: say --cores 2"):
        choose_counts((4, 8), 2)


@each("text", ["", "0", "1,", "two", "1;2", "-1", "9999"])
def test_a_list_that_is_none_is_refused_with_an_example(capsys, text):
    with pytest.raises(SystemExit):
        run(["bench", ".", f"--cores={text}"])
    assert "such as 1,2,4,8" in capsys.readouterr().err


def test_a_folder_that_does_not_exist_is_one_sentence(tmp_path, capsys):
    assert run(["bench", str(tmp_path / "none"), "--sandbox", "limits", "--cores", "1"]) == 2
    assert "none" in capsys.readouterr().err


def test_the_files_are_a_table_and_a_chart_per_comparison_in_a_folder_that_can_be_made(tmp_path, make_bench, timings):
    written = write_bench(make_bench(timings), tmp_path / "new" / "bench")
    assert [path.name for path in written[:2]] == ["bench.csv", "bench-max.svg"]
    assert all(path.stat().st_size > 100 for path in written)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="choose another folder"):
        write_bench(make_bench(timings), tmp_path / "file" / "bench")


@pytest.mark.slow
def test_a_template_is_measured_to_the_end_and_every_cell_says_why(tmp_path, capsys):
    assert run(["bench", "student_template/hw1", "--sandbox", "limits", "--cores", "1", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.count("raised NotImplementedError") == 6
    assert "NumPy" in out
