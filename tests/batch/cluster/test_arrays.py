"""Files of job arrays: whoever comes first, comes twice or dies half-way, one whole result counts."""

import itertools
import shutil
import time

import cluster_batches as cases
import pytest

from grader.batch.cluster import array_task
from grader.batch.cluster.arrays import TROUBLE, Task, digest_of, find_arrays, make_array, read_array
from grader.batch.files import write_record
from grader.batch.job import Done
from grader.errors import GraderError


@pytest.fixture
def store(tmp_path):
    return cases.open_store(tmp_path)


@pytest.fixture
def folder(store):
    """An array of one task, for the hand-in `a`."""
    cases.make_jobs(store, ["a"])
    return make_array(store, [Task("a", digest_of(store.task("a")))], "/usr/bin/python3")


@pytest.fixture
def gradings(monkeypatch):
    """Stand in for grading; return the numbers of those that were run, which are also what they write."""
    numbers = []

    def grade(store, job, _progress):
        numbers.append(len(numbers) + 1)
        store.evidence(job.handin.key).write_text(str(numbers[-1]))
        write_record(store.job(job.handin.key), Done(job.fingerprint))

    monkeypatch.setattr(array_task, "run_job", grade)
    return numbers


def test_tasks_find_assignments_that_lie_elsewhere(store, tmp_path, monkeypatch):
    (tmp_path / "my courses").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSIGNMENTS", "my courses")
    script = make_array(store, [], "/usr/bin/python3").script.read_text()
    assert f"export ASSIGNMENTS='{tmp_path / 'my courses'}'\nexec /usr/bin/python3" in script


@pytest.mark.usefixtures("gradings")
def test_a_result_goes_the_whole_way(store, folder):
    assert list(folder.find_results()) == []
    assert array_task.main([str(folder.path)], {"SLURM_ARRAY_TASK_ID": "0"}) == 0
    assert list(folder.find_results()) == [0]
    assert folder.take_result(0, store) == ""
    assert store.evidence("a").read_text() == "1"
    assert store.job("a").exists()
    assert list(folder.find_results()) == []
    assert list((folder.path / "tries").iterdir()) == []


def test_a_task_that_is_started_again_after_its_result_grades_nothing(folder, gradings):
    array_task.run_task(folder, 0)
    array_task.run_task(folder, 0)
    assert gradings == [1]


def test_a_task_for_a_hand_in_that_has_changed_since_grades_nothing(store, folder, gradings):
    cases.make_jobs(store, ["a"], only=("utils",))
    assert array_task.run_task(folder, 0) == 0
    assert gradings == []


def test_of_two_attempts_at_once_the_first_result_stays(store, folder, gradings, monkeypatch):
    grade = array_task.run_job

    def overtaken(own, job, progress):
        grade(own, job, progress)
        if len(gradings) == 1:
            array_task.run_task(folder, 0)

    monkeypatch.setattr(array_task, "run_job", overtaken)
    array_task.run_task(folder, 0)
    assert gradings == [1, 2]
    folder.take_result(0, store)
    assert store.evidence("a").read_text() == "2", "the inner attempt was whole first"


def test_trouble_of_ours_is_a_result_too(store, folder, monkeypatch):
    def fail(*_arguments):
        message = "no CUDA device answers\x1b[31m"
        raise GraderError(message)

    monkeypatch.setattr(array_task, "run_job", fail)
    assert array_task.run_task(folder, 0) == 3
    assert folder.take_result(0, store) == "no CUDA device answers\ufffd[31m"
    assert not store.evidence("a").exists()
    assert list(folder.find_results()) == [], "the next try may leave another"


def test_a_grading_that_joins_finds_the_evidence_that_stands(store, folder, monkeypatch):
    store.folder("a").mkdir(parents=True)
    store.evidence("a").write_text("before")
    seen = []

    def grade(own, job, _progress):
        seen.append(own.evidence(job.handin.key).read_text())

    monkeypatch.setattr(array_task, "run_job", grade)
    array_task.run_task(folder, 0)
    assert seen == ["before"]


def test_moving_a_result_can_be_interrupted_at_any_file(store, folder, gradings, tmp_path):
    array_task.run_task(folder, 0)
    (folder.path / "done/0/report.html").write_text("page")
    names = sorted(path.name for path in (folder.path / "done/0").iterdir())
    for moved in itertools.chain.from_iterable(
        itertools.combinations([name for name in names if name != "job.json"], size) for size in range(len(names))
    ):
        shutil.rmtree(store.submissions, ignore_errors=True)
        shutil.copytree(folder.path / "done/0", tmp_path / "kept", dirs_exist_ok=True)
        store.folder("a").mkdir(parents=True)
        for name in moved:
            (folder.path / "done/0" / name).rename(store.folder("a") / name)
        assert list(folder.find_results()) == [0]
        folder.take_result(0, store)
        assert sorted(path.name for path in store.folder("a").iterdir()) == names
        shutil.copytree(tmp_path / "kept", folder.path / "done/0")
    assert gradings == [1]


def test_signs_of_life_go_on_while_it_grades_and_end_with_it(folder):
    path = folder.path / "beats/0"
    with array_task.beating(path, every_s=0.01):
        seen = set()
        while len(seen) < 3:
            seen.add(folder.read_beat(0))
            time.sleep(0.005)
    last = folder.read_beat(0)
    time.sleep(0.05)
    assert folder.read_beat(0) == last
    assert folder.read_beat(7) == ""


def test_a_folder_without_space_for_signs_of_life_stops_no_grading(tmp_path):
    with array_task.beating(tmp_path / "missing" / "0", every_s=0.01):
        time.sleep(0.03)


def test_a_folder_that_is_gone_has_no_results(folder):
    folder.remove()
    assert list(folder.find_results()) == []


def test_only_the_end_of_a_log_is_read(folder):
    (folder.path / "logs/0.txt").write_bytes(b"x" * 100_000 + b"\xff the end\n")
    assert len(folder.read_log(0)) <= 2000
    assert folder.read_log(0).endswith("the end")
    assert folder.read_log(5) == ""


def test_arrays_are_found_in_the_order_in_which_they_were_made(store):
    cases.make_jobs(store, ["a"])
    made = [make_array(store, [Task("a", "0")], "python") for _ in range(12)]
    (store.root / "slurm" / "0099-half").mkdir()
    assert [folder.name for folder in find_arrays(store)] == [folder.name for folder in made]
    assert len({folder.name for folder in made}) == 12
    assert read_array(made[0].path).array == made[0].array


def test_paths_with_spaces_and_quotes_survive_the_script(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path / "it's a $HOME")
    store.root.mkdir(parents=True)
    python = tmp_path / "py thon"
    python.write_text('#!/bin/sh\necho "$SLURM_ARRAY_TASK_ID" > "$3/seen"\n')
    python.chmod(0o755)
    folder = make_array(store, [Task("a", "0")], str(python))
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "0")
    cases.run_script(folder.script)
    assert (folder.path / "seen").read_text() == "0\n"
    assert folder.read_beat(0).startswith("0 ")


@pytest.mark.parametrize("arguments", [[], ["nowhere"], ["nowhere", "0"]])
@pytest.mark.parametrize("environment", [{}, {"SLURM_ARRAY_TASK_ID": "0"}, {"SLURM_ARRAY_TASK_ID": "-1"}])
def test_a_wrong_call_is_told(arguments, environment, capsys):
    assert array_task.main(arguments, environment) == 3
    assert capsys.readouterr().err.startswith(("usage: ", "grader: "))


def test_the_name_of_trouble_is_none_of_a_reports_files():
    assert TROUBLE not in {"evidence.json", "report.html", "results.json", "junit.xml", "job.json"}
