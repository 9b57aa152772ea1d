"""Files of job arrays, and the task that writes them: what is graded is told by the disk."""

import subprocess
from dataclasses import replace

import cluster_batches as cases
import pytest

from grader.course.cluster import arrays
from grader.course.cluster.arrays import find_arrays, make_array, read_array
from grader.course.job import Done, is_done
from grader.course.model import write_record
from grader.errors import GraderError


@pytest.fixture
def store(tmp_path):
    return cases.open_store(tmp_path)


@pytest.fixture
def array(store):
    """An array of one task, for the hand-in `a`."""
    cases.make_jobs(store, ["a"])
    return make_array(store, ["a"], "/usr/bin/python3")


@pytest.fixture
def gradings(monkeypatch):
    """Stand in for grading; return the numbers of those that were run."""
    numbers = []

    def grade(store, job, _progress):
        numbers.append(len(numbers) + 1)
        store.folder(job.handin.key).mkdir(parents=True, exist_ok=True)
        store.evidence(job.handin.key).write_text(str(numbers[-1]))
        write_record(store.job(job.handin.key), Done(job.fingerprint, job.regrade_id))

    monkeypatch.setattr(arrays, "run_job", grade)
    return numbers


def test_a_task_grades_into_the_batch_once_and_notes_its_end(store, array, gradings):
    (job,) = cases.make_jobs(store, ["a"])
    assert array.list_ended() == []
    assert not is_done(store, job)
    assert arrays.main([str(array.path)], {"SLURM_ARRAY_TASK_ID": "0"}) == 0
    assert (array.list_ended(), array.read_problem(0)) == ([0], "")
    assert is_done(store, job)
    assert (gradings, [arrays.run_task(array, 0), arrays.run_task(array, 0)]) == ([1], [0, 0])
    assert gradings == [1]


def test_a_task_grades_what_is_wanted_when_it_begins(store, array, gradings):
    arrays.run_task(array, 0)
    (job,) = cases.make_jobs(store, ["a"])
    changed = replace(job, fingerprint={"submission": "another"})
    write_record(store.task("a"), changed)
    assert not is_done(store, changed)
    arrays.run_task(array, 0)
    assert is_done(store, changed)
    assert gradings == [1, 2]


def test_a_result_with_trouble_is_not_done(store):
    (job,) = cases.make_jobs(store, ["a"])
    store.folder("a").mkdir(parents=True)
    store.evidence("a").write_text("{}")
    write_record(store.job("a"), Done(job.fingerprint, problem="the disk was full"))
    assert not is_done(store, job)


def test_trouble_of_ours_is_noted_in_its_own_words(store, array, monkeypatch):
    def fail(*_arguments):
        raise GraderError("no CUDA device answers\x1b[31m")

    monkeypatch.setattr(arrays, "run_job", fail)
    assert (arrays.run_task(array, 0), array.read_problem(0)) == (3, "no CUDA device answers\ufffd[31m")
    assert not store.evidence("a").exists()


def test_a_lost_task_is_described_by_its_node_and_its_last_line_and_an_array_that_is_gone_has_no_ends(array):
    log = array.path / "logs/0.txt"
    log.write_bytes(b"node7\n" + b"x" * 100_000 + b"\n\xff the end\n")
    assert array.describe_loss(0) == "its task ended early on node7, it last printed: \ufffd the end"
    log.write_bytes(b"node7\n")
    assert array.describe_loss(0) == "its task ended early on node7"
    log.write_bytes(b"node7\nshort\n")
    assert array.describe_loss(0) == "its task ended early on node7, it last printed: short"
    assert array.describe_loss(5) == "its task was cancelled or lost before it began"
    array.remove()
    assert array.list_ended() == []
    assert array.read_problem(0) == "its end cannot be read (No such file or directory)"


def test_arrays_that_were_left_are_found_and_tasks_find_assignments_that_lie_elsewhere(store, tmp_path, monkeypatch):
    made = [make_array(store, ["a"], "python") for _ in range(12)]
    (store.root / "slurm" / "half").mkdir()
    assert {array.name for array in find_arrays(store)} == {array.name for array in made}
    assert (len({array.name for array in made}), read_array(made[0].path)) == (12, made[0])
    (tmp_path / "my courses").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSIGNMENTS", "my courses")
    script = make_array(store, [], "/usr/bin/python3").script.read_text()
    assert f"export ASSIGNMENTS='{tmp_path / 'my courses'}'\nexec /usr/bin/python3" in script


def test_paths_with_spaces_and_quotes_survive_the_script(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path / "it's a $HOME")
    store.root.mkdir(parents=True)
    python = tmp_path / "py thon"
    python.write_text('#!/bin/sh\necho "$SLURM_ARRAY_TASK_ID" > "$3/seen"\n')
    python.chmod(0o755)
    array = make_array(store, ["a"], str(python))
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    monkeypatch.setenv("SLURMD_NODENAME", "node7")
    printed = subprocess.run(["/bin/sh", str(array.script)], check=True, capture_output=True, text=True).stdout
    assert ((array.path / "seen").read_text(), printed) == ("0\n", "node7\n")


@pytest.mark.parametrize("arguments", [[], ["nowhere"], ["nowhere", "0"]])
@pytest.mark.parametrize("environment", [{}, {"SLURM_ARRAY_TASK_ID": "0"}, {"SLURM_ARRAY_TASK_ID": "-1"}])
def test_a_wrong_call_is_told(arguments, environment, capsys):
    assert arrays.main(arguments, environment) == 3
    assert capsys.readouterr().err.startswith(("usage: ", "grader: "))
