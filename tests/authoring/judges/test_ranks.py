"""Ranks of a submission: whose fault it is where a file that imports mpi4py cannot be loaded."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from grader.authoring import Finding, Inconclusive, Note, NotMeasured, StudentFault, StudentRaised
from grader.authoring.judges import ranks
from grader.mpi import coordinator


def student(obstacle):
    """Return a submission that cannot be loaded, on a machine with this obstacle to MPI."""

    def load(_module):
        raise StudentFault(Finding("Importing data_parallel.py raised RuntimeError: cannot load MPI library"))

    return SimpleNamespace(load=load, ask_whole=lambda *_args: SimpleNamespace(value=obstacle))


def test_without_an_mpi_library_nothing_is_lost_and_with_one_a_file_that_cannot_be_loaded_is_the_students():
    with pytest.raises(NotMeasured, match="libmpi.so: cannot open"):
        ranks.run(student("libmpi.so: cannot open"), 2, ("a", "b"), (), (("data_parallel", "train"),), "`train`")
    with pytest.raises(StudentFault):
        ranks.run(student(""), 2, ("a", "b"), (), (("data_parallel", "train"),), "`train`")


COLUMNS = ("rank", "name", "kind", "peer", "tag", "size_bytes", "line", "at_s", "done_s", "sent_by")


def told(**more):
    """Return what the coordinator says of a run of two ranks that made no calls, but for `more`."""
    nothing = {"values": {}, "raised": {}, "problem": "", "text": "", "calls": {column: [] for column in COLUMNS}}
    return {**nothing, "seconds": 0.1, "cpu_s": [0.0, 0.0], "refused": [], "received_bytes": [0, 0], **more}


def run_slices(_uses, as_slices, as_whole):
    """Fall back as a submission does whose slices are closed."""
    try:
        return as_slices()
    except StudentRaised as fault:
        try:
            return replace(as_whole(None), doubt="its own part raised")
        except StudentFault:
            raise fault from None


def run(slices, whole=None, asked=None, **more):
    """Run a scenario of a submission with these answers of the coordinator, for its slices and for the whole files."""

    def answer(value, *args):
        if asked is not None:
            asked.append(args)
        if isinstance(value, Exception):
            raise value
        return SimpleNamespace(value=value)

    submission = SimpleNamespace(
        load=lambda _module: None,
        expect_spelt=lambda *_names: None,
        run_slices=run_slices,
        ask_slices=lambda _module, _function, args, **_options: answer(slices, *args),
        ask_whole=lambda _module, _function, args, **_options: answer(whole, *args),
    )
    return ranks.run(submission, 2, ("a", "b"), (3,), (("data_parallel", "train"),), "`train`", **more)


def test_what_our_own_coordinator_raises_is_not_the_students():
    with pytest.raises(RuntimeError, match="coordinator of the ranks failed: `run` raised BrokenPipeError"):
        run(StudentRaised(Finding("`run` raised BrokenPipeError"), "BrokenPipeError"))


RAISED = {"0": ["TypeError", "no such thing", "data_parallel.py:3", ""]}
OTHERS = {"0": ["ValueError", "another", "data_parallel.py:4", ""]}
DONE = {"values": {"0": {"sum": 3}}}


def test_ranks_that_came_through_as_slices_were_observed_with_what_each_gives():
    found = run(told(**DONE))
    assert (found.value, found.is_observed) == (({"sum": 3}, {}), True)
    names, kinds = ["Send", "Allreduce", "Recv", "Send"], ["send", "collective", "receive", "send"]
    columns = {column: [0, 0, 0, 0] for column in COLUMNS} | {"name": names, "kind": kinds}
    columns |= {"size_bytes": [8, 16, 32, 64], "peer": [1, 0, 1, ranks.NOBODY]}
    calls = run(told(**DONE, calls=columns)).compared(lambda _value: None, Note()).seen.calls
    assert (calls.given_bytes(0), calls.sent_bytes(0)) == (24, 8)


def test_slices_and_whole_files_run_on_the_same_ranks_with_the_same_data():
    asked = []
    run(told(raised=RAISED), told(**DONE), asked)
    assert [one[0] for one in asked] == [True, False], "whether the folder holds slices"
    assert {one[1:] for one in asked} == {((2, ranks.TEAM), ("a", "b"), (3,), ranks.LIMIT_S)}


@pytest.mark.parametrize("refused", [[], ["secrets"]])
def test_ranks_that_raise_only_as_slices_are_no_fault_of_the_file(refused):
    found = run(told(raised=RAISED, refused=refused), told(**DONE))
    assert (found.value, found.is_observed) == (({"sum": 3}, {}), False)


@pytest.mark.parametrize(("refused", "words"), [([], "TypeError: no such thing"), (["secrets"], "ValueError: another")])
def test_ranks_that_raise_in_both_ways_are_told_as_the_slices_have_it_unless_these_were_refused(refused, words):
    with pytest.raises(StudentRaised, match=f"rank 0 raised {words}"):
        run(told(raised=RAISED, refused=refused), told(raised=OTHERS))


def test_a_rank_that_raises_gets_a_next_step_and_what_all_ranks_did_is_not_called_expected():
    raised = {"1": ["NameError", "name 'np' is not defined", "data_parallel.py:3", "x = np.ones(3)"]}
    with pytest.raises(StudentRaised) as caught:
        run(*[told(raised=raised, text="rank 0 waits in Recv")] * 2)
    finding = caught.value.finding
    assert (finding.expected, finding.got) == ("", "rank 0 waits in Recv")
    assert finding.hint == "`np` is not imported: add `import numpy as np`."


PROBLEMS = "operations roots reductions counts types parts room pickled unreceived halt left absent"


@pytest.mark.parametrize("problem", PROBLEMS.split())
def test_every_mistake_that_ranks_make_together_has_a_hint(problem):
    with pytest.raises(StudentFault, match="`train` on 2 ranks: They wait") as fault:
        run(told(problem=problem, text="They wait."))
    assert fault.value.finding.hint


def test_ranks_that_had_hardly_any_processor_are_not_decided():
    with pytest.raises(Inconclusive, match="not decided: after 60 s. Grade again on a machine that is less busy"):
        run(told(problem="slow", text="after 60 s"))


def test_a_call_that_is_not_followed_is_for_a_person():
    with pytest.raises(Inconclusive, match=r"`train` on 2 ranks calls Win\.Put, which is not traced here"):
        run(told(**DONE, unfollowed={"Win.Put": 2}))


def test_the_library_is_here():
    pytest.importorskip("mpi4py")
    assert coordinator.find_obstacle() == ""


def test_numbers_of_things_are_said_as_people_do():
    assert [ranks.count(1), ranks.count(8), ranks.count(0, "message")] == ["1 rank", "8 ranks", "0 messages"]
