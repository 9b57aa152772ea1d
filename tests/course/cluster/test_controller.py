"""What is read from Slurm's commands and of a course's settings; stand-ins print what the real ones printed."""

import os

import cluster_batches as cases
import pytest
from hypothesis import given
from hypothesis import strategies as some
from rows import each

from grader.course.cluster import slurm as controller
from grader.course.cluster.arrays import Array
from grader.course.cluster.slurm import SlurmSettings, TaskState, parse_states, read_settings
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


def test_a_command_that_hangs_is_left_and_a_missing_one_is_named_with_the_next_step(program, monkeypatch, tmp_path):
    monkeypatch.setattr(controller, "CALL_LIMIT_S", 0.2)
    program("squeue", "exec sleep 30")
    with pytest.raises(GraderError, match=r"squeue has not answered within 0\.2 s"):
        controller.list_alive("x")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no sbatch here: log in to a node of the cluster"):
        controller.submit(tmp_path / "script.sh", ())
    (tmp_path / "squeue").unlink()
    program("sbatch", "exit 0")
    store, (backend, _said) = cases.open_store(tmp_path), cases.make_backend()
    with pytest.raises(UsageError, match="there is no squeue here: log in to a node of the cluster"):
        list(backend.run(cases.make_jobs(store, ["a"]), store, lambda *_: None))


def options(tmp_path, tasks=3, **settings):
    return SlurmSettings(**settings).write_options(Array(tmp_path, tuple(f"s{index}" for index in range(tasks))))


def test_one_gpu_and_one_core_are_the_default_each_setting_becomes_an_option_and_a_percent_sign_is_no_pattern(tmp_path):
    given = options(tmp_path)
    assert {"--gres=gpu:1", "--cpus-per-task=1", "--array=0-2", "--no-requeue"} <= set(given)
    assert not any(option.startswith(("--partition", "--account", "--time")) for option in given)
    assert f"--output={tmp_path}/100%%a/logs/%a.txt" in options(tmp_path / "100%a")
    named = {"partition": "p", "account": "a", "qos": "q", "constraint": "h200", "time": "01:00:00", "mem": "8G"}
    given = options(tmp_path, extra="-x 'n 1'", **named)
    assert {f"--{name}={value}" for name, value in named.items()} <= set(given)
    assert given[-2:] == ["-x", "n 1"]
    assert not any("gres" in option for option in options(tmp_path, gres=""))
    assert "--array=0-2%10" in options(tmp_path, width=10)


def test_settings_come_from_words_and_files_and_the_last_one_counts(tmp_path):
    file = tmp_path / "slurm.toml"
    file.write_text('[slurm]\npartition = "gpu"\nwidth = 20\ncpus = 2\n')
    settings = read_settings([str(file), "cpus=4", "on_stop=leave"])
    assert (settings.partition, settings.width, settings.cpus, settings.on_stop) == ("gpu", 20, 4, "leave")


@each(
    "words, sentence",
    (["partitoin=gpu"], "there is no Slurm setting 'partitoin': use one of partition, account"),
    (["width=many"], "impossible value"),
    (["on_stop=explode"], "impossible value"),
    (["extra='open"], "impossible value"),
    (["nowhere.toml"], "the Slurm settings nowhere.toml cannot be read"),
)
def test_what_is_wrong_is_one_sentence(words, sentence):
    with pytest.raises(UsageError, match=sentence):
        read_settings(words)


@pytest.mark.parametrize("text", ["slurm = 3", "partition = 'gpu'", "[slurm"])
def test_a_file_without_the_table_is_refused(tmp_path, text):
    (tmp_path / "slurm.toml").write_text(text)
    with pytest.raises(UsageError, match=r"slurm\.toml"):
        read_settings([str(tmp_path / "slurm.toml")])
