"""Which calls belong together, who can go on, what is said where nobody can, and the branch that led there."""

from pathlib import Path

from rows import each

from grader.mpi import sentences
from grader.mpi.calls import ALL, ANY, COLLECTIVE, FIRST, LOOK, OTHER, PROBE, RECEIVE, SEND, Call, Done, Match, Wait
from grader.mpi.matching import DIED, RAISED, RETURNED, Matching
from grader.mpi.sentences import find_branch


def begin(matching, rank, number, kind, **fields):
    """Let a rank begin a call and wait for it."""
    name = fields.pop("name", {SEND: "Send", RECEIVE: "Recv", PROBE: "Probe"}.get(kind, "Barrier"))
    matching.begin(rank, Call(number, name, kind, line=f"a.py:{number}", waits=True, **fields))


def released(matching):
    """Let the ranks go on that can, as the library does; return these, and for which of their calls."""
    matching.match()
    done = {}
    for rank in {*matching.waits} - {*matching.waiting}:
        wait = matching.waits[rank]
        numbers = [n for n in wait.numbers if wait.how == ALL or (rank, n) in matching.expected]
        pairs = [(n, send, matching.calls[send]) for n in numbers if (send := matching.expected.get((rank, n)))]
        found = [Match(number, sender, call.tag, call.size_bytes) for number, (sender, _), call in pairs]
        done[rank] = Done(tuple(numbers), tuple(found), at_s=1.0)
        matching.finish(rank, done[rank])
    matching.match()
    return {rank: list(one.numbers) for rank, one in sorted(done.items())}


def test_a_message_lets_both_go_on():
    matching = Matching(2)
    begin(matching, 0, 1, SEND, peer=1, tag=3, size_bytes=8)
    assert released(matching) == {}
    begin(matching, 1, 1, RECEIVE, peer=ANY, tag=ANY, size_bytes=8)
    assert (released(matching), matching.partner) == ({0: [1], 1: [1]}, {(1, 1): (0, 1)})
    assert matching.unreceived() == []


def test_messages_do_not_overtake_but_tags_choose():
    matching = Matching(2)
    for number, tag in ((1, 5), (2, 6), (3, 5)):
        matching.begin(0, Call(number, "Isend", SEND, peer=1, tag=tag))
    begin(matching, 1, 1, RECEIVE, peer=0, tag=6)
    assert (released(matching), matching.partner[1, 1]) == ({1: [1]}, (0, 2))
    begin(matching, 1, 2, RECEIVE, peer=0, tag=5)
    assert (released(matching), matching.partner[1, 2], matching.unreceived()) == ({1: [2]}, (0, 1), [(0, 3)])
    told = sentences.explain_unreceived(matching)
    assert told.startswith("Nobody receives what rank 0 sends to rank 1 by Isend, tag 5")
    assert "by Isend, tag 5 (" not in told


def test_a_buffered_send_waits_for_nobody_and_a_probe_leaves_the_message():
    matching = Matching(2)
    begin(matching, 0, 1, SEND, name="Ibsend", peer=1)
    assert (sorted(released(matching)), matching.unreceived()) == ([0], [(0, 1)])
    matching = Matching(2)
    begin(matching, 1, 1, PROBE, peer=0, tag=ANY)
    assert released(matching) == {}
    begin(matching, 0, 1, SEND, peer=1, size_bytes=16)
    assert (released(matching), matching.unreceived()) == ({1: [1]}, [(0, 1)])


def test_a_collective_call_waits_for_all_ranks_of_its_communicator_which_counts_them_in_its_order():
    matching = Matching(3)
    for rank in range(2):
        begin(matching, rank, 1, COLLECTIVE)
    assert released(matching) == {}
    assert not matching.is_stuck(0.0)
    begin(matching, 2, 1, COLLECTIVE)
    assert sorted(released(matching)) == [0, 1, 2]
    matching = Matching(4)
    begin(matching, 0, 1, COLLECTIVE, comm="2.0#1")
    assert released(matching) == {}
    begin(matching, 2, 1, COLLECTIVE, comm="2.0#1")
    assert sorted(released(matching)) == [0, 2]
    begin(matching, 2, 2, SEND, comm="2.0#1", peer=1)
    begin(matching, 0, 2, RECEIVE, comm="2.0#1", peer=0)
    assert sorted(released(matching)) == [0, 2]


def test_calls_that_are_not_followed_are_named_and_not_tidy():
    matching = Matching(1)
    matching.begin(0, Call(1, "Win.Put", OTHER))
    matching.end(0, RETURNED)
    assert (matching.unfollowed(), matching.is_tidy()) == (["Win.Put"], False)


def test_waiting_for_one_of_several():
    matching = Matching(2)
    matching.begin(0, Call(1, "Irecv", RECEIVE, peer=1, tag=1))
    matching.begin(0, Call(2, "Irecv", RECEIVE, peer=1, tag=2))
    matching.wait(0, Wait((1, 2), FIRST, "Waitany"))
    assert released(matching) == {}
    matching.begin(1, Call(1, "Isend", SEND, peer=0, tag=2))
    assert released(matching) == {0: [2]}


def test_a_rank_that_looks_in_vain_is_stuck_where_nobody_does_anything():
    matching = Matching(2)
    matching.begin(0, Call(1, "Irecv", RECEIVE, peer=1))
    matching.wait(0, Wait((1,), LOOK, "Test"))
    begin(matching, 1, 1, RECEIVE, peer=0)
    matching.match()
    assert (matching.is_stuck(1.0), matching.is_stuck(3.0)) == (False, True)


def test_a_cycle_of_sends_is_told_with_every_rank():
    matching = Matching(3)
    for rank in range(3):
        begin(matching, rank, 1, SEND, peer=(rank + 1) % 3)
    assert released(matching) == {}
    assert matching.is_stuck(0.0)
    assert sentences.explain_halt(matching, {}) == (
        "The ranks wait for each other: rank 0 waits in Send to rank 1 (a.py:1); "
        "rank 1 waits in Send to rank 2 (a.py:1); rank 2 waits in Send to rank 0 (a.py:1)."
    )


def test_ranks_that_ended_by_themselves_are_tidy_unless_a_message_or_something_in_the_library_is_under_way():
    matching = Matching(2)
    matching.end(0, RAISED)
    assert not matching.is_tidy()
    matching.end(1, RETURNED)
    assert matching.is_tidy()
    matching = Matching(2)
    matching.begin(0, Call(1, "Isend", SEND, peer=1))
    matching.end(0, RETURNED)
    matching.end(1, RETURNED)
    assert not matching.is_tidy()
    matching = Matching(3)
    matching.begin(1, Call(1, "Ibarrier", COLLECTIVE, line="a.py:3"))
    for rank in range(3):
        matching.end(rank, RETURNED)
    assert not matching.is_tidy()
    assert sentences.explain_unjoined(matching) == "Ranks 0 and 2 do not join rank 1 in Ibarrier (a.py:3)."
    matching = Matching(2)
    for rank in range(2):
        matching.begin(rank, Call(1, "Ibcast", COLLECTIVE, peer=rank))
        matching.end(rank, RETURNED)
    assert matching.misfit.what == "roots"
    assert not matching.is_tidy()


def test_a_receive_that_found_its_message_and_was_never_waited_for_is_not_tidy():
    matching = Matching(2)
    matching.begin(0, Call(1, "Irecv", RECEIVE, peer=1))
    begin(matching, 1, 1, SEND, peer=0)
    assert sorted(released(matching)) == [1]
    matching.end(1, RETURNED)
    matching.end(0, RETURNED)
    assert not matching.is_tidy()
    matching.wait(0, Wait((1,), ALL, "Wait"))
    assert sorted(released(matching)) == [0]
    assert matching.is_tidy()


def test_a_message_that_nobody_receives_is_told_by_ranks_of_the_whole_team():
    matching = Matching(4)
    matching.begin(1, Call(2, "Isend", SEND, comm="1.3#1", peer=1))
    assert sentences.explain_unreceived(matching) == "Nobody receives what rank 1 sends to rank 3 by Isend."


def test_a_rank_that_died_while_it_waited_waits_no_more_and_receives_nothing():
    matching = Matching(2)
    begin(matching, 0, 1, RECEIVE, peer=1)
    matching.end(0, DIED)
    begin(matching, 1, 1, SEND, peer=0)
    matching.match()
    assert (matching.is_stuck(0.0), [*matching.waiting]) == (True, [1])


def test_a_rank_that_never_joins_is_told():
    matching = Matching(3)
    begin(matching, 0, 1, COLLECTIVE)
    for number in (1, 2):
        matching.begin(2, Call(number, f"Isend{number}", SEND, peer=0, line=f"a.py:{number}"))
    for rank in (1, 2):
        matching.end(rank, RETURNED)
    matching.match()
    assert matching.is_stuck(0.0)
    assert sentences.explain_halt(matching, {}) == (
        "Some ranks have ended, and others wait for ever: rank 0 waits in Barrier (a.py:1); "
        "rank 1 has returned without any call; rank 2 has returned after Isend2 (a.py:2)."
    )


def test_a_rank_that_computes_without_an_end_is_told_with_its_line():
    matching = Matching(2)
    begin(matching, 0, 1, COLLECTIVE)
    matching.match()
    assert sentences.explain_halt(matching, {1: "a.py:29"}) == (
        "Rank 1 computes without an end: rank 0 waits in Barrier (a.py:1); "
        "rank 1 computes without calling anything (a.py:29)."
    )


def test_the_sentence_of_the_sheet():
    matching = Matching(4)
    for rank in (0, 1, 3):
        begin(matching, rank, 41, COLLECTIVE, name="Allreduce")
    begin(matching, 2, 38, COLLECTIVE, name="Bcast", peer=0)
    assert (matching.misfit.what, released(matching)) == ("operations", {})
    assert sentences.explain_misfit(matching.misfit, matching, Path("absent")) == (
        "The ranks call different collective operations: ranks 0, 1 and 3 wait in Allreduce (a.py:41); "
        "rank 2 waits in Bcast (a.py:38)."
    )


@each(
    "what, name, first, second",
    ("roots", "Bcast", {"peer": 0}, {"peer": 1}),
    ("counts", "Allreduce", {"size_bytes": 8}, {"size_bytes": 16}),
    ("types", "Allreduce", {"dtype": "f8"}, {"dtype": "f4"}),
    ("reductions", "Reduce", {"reduction": "SUM"}, {"reduction": "MAX"}),
    ("parts", "Scatterv", {"peer": 0, "parts": (8, 16)}, {"peer": 0, "size_bytes": 8}),
    ("parts", "Scatter", {"peer": 0, "parts": (8, 8)}, {"peer": 0, "size_bytes": 16}),
    ("parts", "Gather", {"peer": 0, "parts": (8, 8)}, {"peer": 0, "size_bytes": 16}),
)
def test_collective_calls_that_do_not_fit(what, name, first, second):
    matching = Matching(2)
    begin(matching, 0, 1, COLLECTIVE, name=name, **first)
    begin(matching, 1, 2, COLLECTIVE, name=name, **second)
    assert (matching.misfit.what, released(matching)) == (what, {})
    told = sentences.explain_misfit(matching.misfit, matching, Path("absent"))
    assert "rank 0" in told
    assert "a.py:2" in told


@each(
    "first, second",
    ({"name": "Scatterv", "peer": 0, "parts": (8, 16)}, {"name": "Scatterv", "peer": 0, "size_bytes": 24}),
    ({"name": "Allreduce", "dtype": "", "size_bytes": 8}, {"name": "Allreduce", "dtype": "f8", "size_bytes": 8}),
    ({"name": "bcast", "pickled": True, "size_bytes": 0}, {"name": "bcast", "pickled": True, "size_bytes": 9}),
)
def test_calls_that_differ_and_fit(first, second):
    matching = Matching(2)
    begin(matching, 0, 1, COLLECTIVE, **first)
    begin(matching, 1, 1, COLLECTIVE, **second)
    assert matching.misfit is None


TRAINING = """\
def train(comm):
    if comm.size > 1:
        if comm.rank == 2:
            comm.Bcast()
        else:
            comm.Allreduce()
    comm.Barrier()
"""


def test_the_innermost_if_that_separates_the_lines_and_none_of_what_cannot_be_read(tmp_path):
    (tmp_path / "a.py").write_text(TRAINING)
    assert find_branch(tmp_path, "a.py:4", ["a.py:6"]) == 3
    assert find_branch(tmp_path, "a.py:4", ["a.py:7"]) == 3
    assert find_branch(tmp_path, "a.py:6", ["a.py:7", "a.py:6"]) == 0
    assert find_branch(tmp_path, "b.py:4", ["b.py:6"]) == 0
    (tmp_path / "a.py").write_text("if comm.rank ==")
    assert (find_branch(tmp_path, "a.py:4", ["a.py:6"]), find_branch(tmp_path, "", [])) == (0, 0)
