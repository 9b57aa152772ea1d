"""What is read from Slurm's commands; stand-ins for them print what the real ones were seen to print."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as some

from grader.batch.cluster import controller
from grader.batch.cluster.controller import ControllerError, TaskState, parse_states
from grader.errors import UsageError


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that puts a shell script in the place of a command."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def write(name, body):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    return write


def test_tasks_are_listed_by_name_and_index():
    listed = "7|0|COMPLETED|grader-a|None|node0\n7|1|RUNNING|grader-a|None|node1\n9|0|PENDING|grader-b|(Resources)|\n"
    assert parse_states(listed) == {
        ("grader-a", 0): TaskState("COMPLETED", "None", "node0"),
        ("grader-a", 1): TaskState("RUNNING", "None", "node1"),
        ("grader-b", 0): TaskState("PENDING", "Resources", ""),
    }


def test_lines_that_are_no_tasks_are_passed_over():
    assert parse_states("slurm_load_jobs error\n7|N/A|RUNNING|x|None|\n7|[1-3]|PENDING|x|None|\n\n") == {}


@given(some.text())
def test_whatever_is_printed_there_is_an_answer(listed):
    assert all(isinstance(state, TaskState) for state in parse_states(listed).values())


def test_of_two_arrays_with_one_name_the_living_one_counts():
    dead, alive = "7|0|FAILED|x|NonZeroExitCode|n\n", "8|0|RUNNING|x|None|n\n"
    assert parse_states(dead + alive) == parse_states(alive + dead) == {("x", 0): TaskState("RUNNING", "None", "n")}


@pytest.mark.parametrize("state", ["PENDING", "RUNNING", "CONFIGURING", "SUSPENDED", "REQUEUED"])
def test_what_waits_or_runs_is_alive(state):
    assert TaskState(state).is_alive


@pytest.mark.parametrize(
    "state", ["COMPLETED", "COMPLETING", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY"]
)
def test_what_has_ended_however_is_not_alive(state):
    assert not TaskState(state).is_alive


def test_a_task_that_slurm_holds_after_a_failed_launch_will_never_run():
    assert not TaskState("PENDING", "launch failed requeued held").is_alive
    assert TaskState("PENDING", "JobHeldUser").is_alive


def test_the_id_of_a_job_is_what_stands_before_the_cluster(program, tmp_path):
    program("sbatch", "echo '17;mini'")
    assert controller.submit(tmp_path / "script.sh", ()) == "17"


def test_a_refusal_is_told_in_slurms_words(program, tmp_path):
    complaint = "sbatch: error: invalid partition specified: nope\nsbatch: error: Batch job submission failed: Invalid"
    program("sbatch", f'echo "{complaint} partition name specified" >&2; exit 1')
    with pytest.raises(UsageError, match=r"Slurm refuses \(sbatch: Invalid partition name specified\)"):
        controller.submit(tmp_path / "script.sh", ())


@pytest.mark.parametrize(
    "complaint",
    [
        "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
        "slurm_load_jobs error: Socket timed out on send/recv operation",
    ],
)
def test_a_controller_that_is_away_says_nothing_about_jobs(program, complaint):
    program("squeue", f"echo '{complaint}' >&2; exit 1")
    with pytest.raises(ControllerError, match="does not reach Slurm's controller"):
        controller.read_states(["x"])


def test_a_command_that_hangs_is_left(program, monkeypatch):
    monkeypatch.setattr(controller, "CALL_LIMIT_S", 0.2)
    program("squeue", "exec sleep 30")
    with pytest.raises(ControllerError, match="squeue has not answered within 0.2 s"):
        controller.read_states(["x"])


def test_a_command_that_is_missing_is_named_with_the_next_step(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no squeue here: log in to a node of the cluster"):
        controller.read_states(["x"])


def test_the_largest_array_is_slurms_own_number_or_its_default(program):
    program("scontrol", "echo 'MaxArraySize            = 50001'")
    assert controller.read_max_array() == 50001
    program("scontrol", "echo 'SomethingElse = 1'")
    assert controller.read_max_array() == 1001
