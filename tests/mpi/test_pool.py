"""What an MPI library asks at its start."""

import socket

import pytest

from grader.mpi.pool import Pmi, rank_environment


@pytest.fixture
def pairs():
    made = [socket.socketpair() for _ in range(2)]
    yield made
    for one in (one for pair in made for one in pair):
        one.close()


def ask(pmi, pair, line):
    ours, theirs = pair
    theirs.sendall(f"{line}\n".encode())
    assert pmi.serve(ours)
    theirs.settimeout(0.01)
    try:
        return theirs.recv(1000).decode()
    except TimeoutError:
        return ""


def test_ranks_learn_their_number_and_share_keys_in_a_team_with_its_own_name(pairs):
    pmi = Pmi(2)
    assert "rc=0" in ask(pmi, pairs[0], "cmd=init pmi_version=1 pmi_subversion=1")
    assert "(vector,(0,1,2))" in ask(pmi, pairs[0], "cmd=get kvsname=x key=PMI_process_mapping")
    assert "rc=-1" in ask(pmi, pairs[1], "cmd=get kvsname=x key=card")
    assert "rc=0" in ask(pmi, pairs[0], "cmd=put kvsname=x key=card value=seven")
    assert "value=seven" in ask(pmi, pairs[1], "cmd=get kvsname=x key=card")
    assert len({ask(Pmi(1), pairs[0], "cmd=get_my_kvsname") for _ in range(5)}) == 5


def test_the_barrier_opens_for_all_at_once_and_without_a_rank_that_is_gone(pairs):
    pmi = Pmi(2)
    assert ask(pmi, pairs[0], "cmd=barrier_in") == ""
    assert ask(pmi, pairs[1], "cmd=barrier_in") == "cmd=barrier_out\n"
    assert pairs[0][1].recv(100) == b"cmd=barrier_out\n"
    pmi = Pmi(2)
    assert ask(pmi, pairs[0], "cmd=barrier_in") == ""
    pairs[0][1].close()
    assert ask(pmi, pairs[1], "cmd=barrier_in") == "cmd=barrier_out\n"


def test_a_line_that_comes_in_two_pieces_is_one(pairs):
    pmi, (ours, theirs) = Pmi(1), pairs[0]
    theirs.sendall(b"cmd=get_app")
    assert pmi.serve(ours)
    theirs.sendall(b"num\n")
    assert pmi.serve(ours)
    assert theirs.recv(100) == b"cmd=appnum appnum=0\n"
    theirs.close()
    assert not pmi.serve(ours)


def test_the_library_is_told_to_need_no_sockets():
    told = rank_environment(2, 4, 9)
    assert (told["PMI_FD"], told["PMI_RANK"], told["PMI_SIZE"]) == ("9", "2", "4")
    assert told["UCX_TLS"] == "self,sysv"
