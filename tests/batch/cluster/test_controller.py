"""What is read from Slurm's commands; stand-ins for them print what the real ones were seen to print."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as some
from rows import each

from grader.batch.cluster import controller
from grader.batch.cluster.controller import TaskState, parse_states
from grader.errors import GraderError, UsageError


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that puts a shell script in the place of a command."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def write(name, body):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    return write


def test_tasks_that_wait_or_run_are_listed_by_index_and_other_lines_are_passed_over():
    found = parse_states("1|RUNNING|node1|None\n0|PENDING||(Resources)\n2|COMPLETING|node1|None\n")
    assert found == {0: TaskState("PENDING", "", "Resources"), 1: TaskState("RUNNING", "node1", "None")}
    assert parse_states("slurm_load_jobs error\nN/A|RUNNING||None\n[1-3]|PENDING||None\n\n") == {}


@given(some.text())
def test_whatever_is_printed_there_is_an_answer(listed):
    assert all(isinstance(state, TaskState) for state in parse_states(listed).values())


def test_a_refusal_is_told_in_slurms_words(program, tmp_path):
    complaint = "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid"
    program("sbatch", f'echo "{complaint} partition name specified" >&2; exit 1')
    with pytest.raises(UsageError, match=r"Slurm refuses \(sbatch: Invalid partition name specified\)"):
        controller.submit(tmp_path / "script.sh", ())


@each("why", ["Unable to contact slurm controller (connect failure)", "Socket timed out on send/recv operation"])
def test_a_controller_that_is_away_is_no_refusal(program, why):
    program("squeue", f"echo 'slurm_load_jobs error: {why}' >&2; exit 1")
    with pytest.raises(GraderError, match="does not reach Slurm's controller") as caught:
        controller.list_alive("x")
    assert not isinstance(caught.value, UsageError)


def test_a_command_that_hangs_is_left(program, monkeypatch):
    monkeypatch.setattr(controller, "CALL_LIMIT_S", 0.2)
    program("squeue", "exec sleep 30")
    with pytest.raises(GraderError, match=r"squeue has not answered within 0\.2 s"):
        controller.list_alive("x")


def test_a_command_that_is_missing_is_named_with_the_next_step(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no sbatch here: log in to a node of the cluster"):
        controller.submit(tmp_path / "script.sh", ())
