"""What a rank is handed of MPI stays as it is, and what is announced is what travels, whatever classes say."""

import ast
from pathlib import Path

import pytest
from rows import check_rows

pytest.importorskip("mpi4py")

from grader.ranks import conductor
from grader.worker.launcher import Settings

HERE = Path(__file__).parent
PLACE = Settings(HERE, HERE)
ATTEMPTS = {
    node.targets[0].id: [key.value for key in node.value.keys]
    for node in ast.parse(Path(HERE, "attempts.py").read_text("utf-8")).body
    if isinstance(node, ast.Assign)
}


def test_all_attempts_are_found():
    assert len(ATTEMPTS["CHANGES"]) > 25
    assert len(ATTEMPTS["LIES"]) > 5


def run(function, *args, spoil=(-1, 0)):
    told = conductor.run(PLACE, (2, 2), ("attempts", function), args, spoil=spoil)
    assert (told["problem"], told["raised"]) == ("", {})
    return told


def test_nothing_of_mpi_can_be_changed():
    def check(name):
        told = run("change", name)
        for rank in range(2):
            found = told["values"][str(rank)]
            assert found["refused"] in {"AttributeError", "TypeError", "Unfollowed"}
            assert found["told"] == [rank, 2, 2, 3, 1 - rank, 8]
            assert found["here"] == [rank, 2]
            assert found["got"] == 1

    check_rows(check, ATTEMPTS["CHANGES"])


def test_what_is_announced_is_what_travels():
    def check(name):
        told = run("records", name)
        came = max(told["values"][rank]["came"] for rank in "01")
        announced = [
            size
            for kind, size in zip(told["calls"]["kind"], told["calls"]["size_bytes"], strict=True)
            if kind in {"send", "collective"}
        ]
        assert came == 100
        assert max(announced) == (400 if name == "counts" else 800)

    check_rows(check, ATTEMPTS["LIES"])


def test_what_is_halved_is_halved_whatever_it_says():
    told = run("spoil", spoil=(1, 8))
    assert told["spoilt"] == 1
    assert told["values"]["1"]["found"].tolist() == [half / 2 for half in range(1, 11)]
