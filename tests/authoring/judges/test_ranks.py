"""Ranks of a submission: whose fault it is where a file that imports mpi4py cannot be loaded."""

from types import SimpleNamespace

import pytest

from grader.authoring import Finding, NotMeasured, StudentFault, StudentRaised
from grader.authoring.judges import ranks
from grader.ranks import conductor, sentences


def student(obstacle):
    """Return a submission that cannot be loaded, on a machine with this obstacle to MPI."""

    def load(_module):
        raise StudentFault(Finding("Importing data_parallel.py raised RuntimeError: cannot load MPI library"))

    return SimpleNamespace(load=load, call=lambda *_args: SimpleNamespace(value=obstacle))


def test_a_machine_without_an_mpi_library_costs_nothing():
    with pytest.raises(NotMeasured, match="libmpi.so: cannot open"):
        ranks.run(student("libmpi.so: cannot open"), 2, ("a", "b"), (), (("data_parallel", "train"),), "`train`")


def test_a_file_that_cannot_be_loaded_is_the_students_where_there_is_one():
    with pytest.raises(StudentFault):
        ranks.run(student(""), 2, ("a", "b"), (), (("data_parallel", "train"),), "`train`")


def test_what_our_own_conductor_raises_is_not_the_students():
    def ask(*_args, **_options):
        raise StudentRaised(Finding("`run` raised BrokenPipeError"), "BrokenPipeError")

    with pytest.raises(RuntimeError, match="conductor of the ranks failed: `run` raised BrokenPipeError"):
        ranks._conduct(ask, ())


@pytest.mark.parametrize(
    ("slices", "whole", "read"),
    [
        ({"raised": {}}, None, "slices"),
        ({"raised": {0: "TypeError"}}, {"raised": {}}, "whole"),
        ({"raised": {0: "TypeError"}}, {"raised": {0: "TypeError"}}, "slices"),
        ({"raised": {0: "ImportError"}, "refused": ["secrets"]}, {"raised": {0: "ValueError"}}, "whole"),
    ],
)
def test_ranks_that_raise_only_as_slices_are_no_fault_of_the_file(monkeypatch, slices, whole, read):
    monkeypatch.setattr(ranks, "_read", lambda told, *_args, **_options: told)
    submission = SimpleNamespace(
        load=lambda _module: None,
        expect_spelt=lambda *_names: None,
        why_open=lambda *_names: "",
        ask_slices=lambda *_args, **_options: SimpleNamespace(value=slices),
        call=lambda *_args, **_options: SimpleNamespace(value=whole),
    )
    found = ranks.run(submission, 2, ("a", "b"), (), (("data_parallel", "train"),), "`train`")
    assert found is {"slices": slices, "whole": whole}[read]


def test_every_mistake_that_ranks_make_together_has_a_hint():
    assert {*sentences._SAYS, "halt", "left", "absent", "unreceived"} == {*ranks._HINTS}


def test_the_library_is_here():
    pytest.importorskip("mpi4py")
    assert conductor.find_obstacle() == ""


def test_numbers_of_things_are_said_as_people_do():
    assert [ranks.count(1), ranks.count(8), ranks.count(0, "message")] == ["1 rank", "8 ranks", "0 messages"]
