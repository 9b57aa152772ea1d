"""The branch that led a rank to its line."""

from grader.ranks.sentences import find_branch

PROGRAM = """\
def train(comm):
    if comm.size > 1:
        if comm.rank == 2:
            comm.Bcast()
        else:
            comm.Allreduce()
    comm.Barrier()
"""


def test_the_innermost_if_that_separates_the_lines(tmp_path):
    (tmp_path / "a.py").write_text(PROGRAM)
    assert find_branch(tmp_path, "a.py:4", ["a.py:6"]) == 3
    assert find_branch(tmp_path, "a.py:4", ["a.py:7"]) == 3
    assert find_branch(tmp_path, "a.py:6", ["a.py:7", "a.py:6"]) == 0


def test_what_cannot_be_read_has_no_branch(tmp_path):
    assert find_branch(tmp_path, "a.py:4", ["a.py:6"]) == 0
    (tmp_path / "a.py").write_text("if comm.rank ==")
    assert find_branch(tmp_path, "a.py:4", ["a.py:6"]) == 0
    assert find_branch(tmp_path, "", []) == 0
