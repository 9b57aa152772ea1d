"""Batches on a real Slurm that the tests start by themselves: whatever happens to a task, nobody gets a zero for it."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import cluster_batches as cases
import pytest
import slurm_node

from grader.batch.cluster import controller
from grader.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]
LIMIT_S = 60


def run_all(backend, jobs, store, on_text=lambda _key, _text: None):
    """Run the batch and return key -> problem, and everything that was told."""
    told = []

    def announce(key, text):
        told.append((key, text))
        on_text(key, text)

    return {done.key: done.problem for done in backend.run(jobs, store, announce)}, told


def list_tasks(slurm):
    """Return what waits or runs; a task that is just ending does neither."""
    return slurm.run("squeue", "-h", "-r", "-t", "pending,running,suspended").splitlines()


def wait_until(is_true):
    end = time.monotonic() + LIMIT_S
    while not is_true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.05)


def test_hand_ins_are_graded_on_the_node_and_nothing_of_the_arrays_remains(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    jobs = cases.make_jobs(store, ["anna", "ben"])
    backend, _said = cases.make_backend()
    ended, told = run_all(backend, jobs, store)
    assert ended == {"anna": "", "ben": ""}
    assert all(store.evidence(key).exists() and store.job(key).exists() for key in ended)
    assert ("anna", "runs on node0") in told
    assert not list((store.root / "slurm").iterdir())
    assert not list_tasks(slurm)


def test_more_hand_ins_than_an_array_may_hold_make_several_arrays(tmp_path):
    store = cases.open_store(tmp_path)
    keys = [f"s{number}" for number in range(10)]
    python = cases.write_stand_in(tmp_path, "finish")
    backend, _said = cases.make_backend(python, array_size=4)
    ended, _told = run_all(backend, cases.make_jobs(store, keys), store)
    assert ended == dict.fromkeys(keys, "")
    assert all(cases.count_starts(store, key) == 1 for key in keys)


def test_a_task_that_is_cancelled_while_it_runs_or_waits_is_submitted_again(slurm, tmp_path):
    python = cases.write_stand_in(tmp_path, 'if [ ! -e "$batch/cancelled" ]; then sleep 100; else finish; fi')
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(python)

    def cancel(_key, text):
        if text.startswith("runs") and not (store.root / "cancelled").exists():
            slurm.run("scancel", "--full", "--user=root")
            (store.root / "cancelled").touch()

    ended, told = run_all(backend, cases.make_jobs(store, ["a", "b", "c"]), store, cancel)
    # Two tasks run on the node's two GPUs; the third waits, and had not started when it was cancelled.
    assert {key: problem for key, problem in ended.items() if problem} == {}
    assert len([text for _key, text in told if text.startswith("again, try 2 of 3")]) >= 3


def test_a_task_whose_processes_are_killed_is_submitted_again(tmp_path):
    python = cases.write_stand_in(tmp_path, 'if [ "$try" = 1 ]; then kill -9 $$; else finish; fi')
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(python)
    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert ended == {"a": ""}
    assert cases.count_starts(store, "a") == 2


def test_a_task_that_outlives_its_step_daemon_still_counts(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(cases.write_stand_in(tmp_path, "sleep 4; finish"))
    killed = []

    def kill(_key, text):
        if text.startswith("runs") and not killed:
            wait_until((store.root / "starts-a").exists)
            killed.extend(slurm.find_processes("slurmstepd"))
            for process in killed:
                process.kill()

    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store, kill)
    assert killed
    assert ended == {"a": ""}


def test_what_is_lost_three_times_is_our_trouble_with_the_last_line_that_it_printed(tmp_path):
    python = cases.write_stand_in(tmp_path, "echo the network is gone; exit 1")
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(python)
    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert ended["a"] == "its task ended early on node0, it last printed: the network is gone (3 tries)"
    assert cases.count_starts(store, "a") == 3
    assert not store.evidence("a").exists()


def test_what_slurms_time_limit_ends_says_so(tmp_path):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, 'if [ "$try" = 1 ]; then sleep 200; else finish; fi')
    backend, _said = cases.make_backend(python, time="1")
    ended, told = run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert ended == {"a": ""}
    assert any("DUE TO TIME LIMIT" in text for _key, text in told)


def test_an_interpreter_that_the_node_lacks_is_named(tmp_path):
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend("/nowhere/python")
    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert "/nowhere/python: not found" in ended["a"]


def test_trouble_of_the_grader_itself_is_told_in_its_own_words(tmp_path):
    store = cases.open_store(tmp_path)
    jobs = cases.make_jobs(store, ["a"], device="gpu")
    backend, _said = cases.make_backend()
    ended, _told = run_all(backend, jobs, store)
    assert "no CUDA kernel runs here" in ended["a"]


def test_a_node_that_dies_costs_its_tasks_one_try(slurm, tmp_path):
    python = cases.write_stand_in(tmp_path, 'if [ "$try" = 1 ]; then sleep 100; else finish; fi')
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(python)
    died = []

    def kill(_key, text):
        if text.startswith("runs") and not died:
            died.append(text)
            wait_until((store.root / "starts-a").exists)
            slurm.kill_node()
            power.start()

    power = threading.Timer(12, slurm.start_node)  # twice what Slurm takes to notice
    ended, told = run_all(backend, cases.make_jobs(store, ["a"]), store, kill)
    power.join()
    assert ended == {"a": ""}
    assert cases.count_starts(store, "a") == 2
    assert any(text.startswith("again, try 2 of 3: ") for _key, text in told)


def test_a_preempted_task_is_submitted_again(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, 'if [ ! -e "$batch/preempted" ]; then sleep 100; else finish; fi')
    backend, _said = cases.make_backend(python)

    def preempt(_key, text):
        if text.startswith("runs") and not (store.root / "preempted").exists():
            slurm.run("sbatch", "-p", "urgent", "--gres=gpu:2", "-c", "2", "-o/dev/null", "--wrap=sleep 3")
            wait_until(lambda: "PREEMPTED" in slurm.run("squeue", "-h", "-t", "all", "-o", "%T"))
            (store.root / "preempted").touch()

    ended, told = run_all(backend, cases.make_jobs(store, ["a", "b"]), store, preempt)
    assert ended == {"a": "", "b": ""}
    assert any(text.startswith("again, try 2 of 3: ") for _key, text in told)


def test_a_requeued_task_starts_again_and_its_result_counts(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, 'if [ "$try" = 1 ]; then sleep 100; else finish; fi')
    backend, _said = cases.make_backend(python, extra="--requeue")
    once = []

    def requeue(_key, text):
        if text.startswith("runs") and not once:
            wait_until((store.root / "starts-a").exists)
            once.append(slurm.run("squeue", "-h", "-o", "%F").strip())
            slurm.run("scontrol", "requeue", f"{once[0]}_0")
            sooner.start()

    def start_now():
        slurm.run("scontrol", "update", f"jobid={once[0]}", "starttime=now")  # Slurm would wait for two minutes

    sooner = threading.Timer(3, start_now)
    ended, told = run_all(backend, cases.make_jobs(store, ["a"]), store, requeue)
    sooner.join()
    assert ended == {"a": ""}
    assert cases.count_starts(store, "a") == 2
    assert not any("again" in text for _key, text in told), "Slurm's own requeue is enough"


def test_a_batch_that_was_killed_finds_its_tasks_and_submits_nothing_twice(tmp_path):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, "sleep 3; finish")
    jobs = cases.make_jobs(store, ["a", "b", "c"])
    program = (
        f"import sys; sys.path.insert(0, {str(Path(cases.__file__).parent)!r}); import cluster_batches as cases\n"
        f"from pathlib import Path; store = cases.open_store(Path({str(tmp_path)!r}))\n"
        f"backend, said = cases.make_backend({str(python)!r})\n"
        "list(backend.run(cases.make_jobs(store, ['a', 'b', 'c']), store, lambda key, text: print(text, flush=True)))"
    )
    batch = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert any("runs" in line for line in batch.stdout)
    batch.kill()
    batch.wait()
    batch.stdout.close()
    backend, said = cases.make_backend(python)
    ended, _told = run_all(backend, jobs, store)
    assert ended == {"a": "", "b": "", "c": ""}
    assert said[0].endswith("tasks of an earlier run are still with Slurm: they are waited for first")
    assert [cases.count_starts(store, key) for key in ended] == [1, 1, 1]


def test_tasks_that_are_left_to_run_are_waited_for_by_the_next_run(tmp_path):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, "sleep 3; finish")
    jobs = cases.make_jobs(store, ["a"])
    backend, said = cases.make_backend(python, on_stop="leave")
    interrupt_when_it_runs(backend, jobs, store)
    assert said == ["1 hand-ins are not graded; their tasks go on, and the same command waits for them"]
    backend, _said = cases.make_backend(python)
    assert run_all(backend, jobs, store)[0] == {"a": ""}
    assert cases.count_starts(store, "a") == 1


def test_a_batch_that_is_stopped_cancels_its_tasks_and_says_so(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    backend, said = cases.make_backend(cases.write_stand_in(tmp_path, "sleep 100"))
    interrupt_when_it_runs(backend, cases.make_jobs(store, ["a", "b"]), store)
    wait_until(lambda: not list_tasks(slurm))
    assert said[-1] == "2 hand-ins are not graded; their tasks were cancelled"
    assert not list((store.root / "slurm").iterdir())


def interrupt_when_it_runs(backend, jobs, store):
    def interrupt(_key, text):
        if text.startswith("runs"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(backend, jobs, store, interrupt)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"partition": "nope"}, "Invalid partition name specified"),
        ({"constraint": "h200"}, "Invalid feature specification"),
        ({"gres": "gpu:9"}, "Requested node configuration is not available"),
    ],
)
def test_a_cluster_that_refuses_says_why_and_leaves_nothing(tmp_path, settings, sentence):
    store = cases.open_store(tmp_path)
    backend, _said = cases.make_backend(**settings)
    with pytest.raises(UsageError, match=sentence):
        run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert not list((store.root / "slurm").iterdir())


def test_a_constraint_keeps_a_batch_on_one_gpu_model(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path)
    python = cases.write_stand_in(tmp_path, "finish")
    with slurm_node.SlurmNode(("a100", "h200")) as two_nodes:  # the fixture's own has looked whether there is Slurm
        monkeypatch.setenv("SLURM_CONF", two_nodes.environment["SLURM_CONF"])
        backend, _said = cases.make_backend(python, constraint="h200")
        ended, told = run_all(backend, cases.make_jobs(store, [f"s{number}" for number in range(6)]), store)
    assert set(ended.values()) == {""}
    assert {text for _key, text in told} <= {"runs on node1"}


def test_a_drained_node_lets_tasks_wait_and_the_batch_says_why(slurm, tmp_path):
    slurm.run("scontrol", "update", "nodename=node0", "state=drain", "reason=test")
    resume = threading.Timer(4, slurm.run, ("scontrol", "update", "nodename=node0", "state=resume"))
    resume.start()
    store = cases.open_store(tmp_path)
    backend, said = cases.make_backend(cases.write_stand_in(tmp_path, "finish"))
    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store)
    assert ended == {"a": ""}
    resume.join()
    assert any("Slurm lets 1 tasks wait" in sentence for sentence in said)


def test_a_controller_that_is_silent_for_a_while_costs_nothing(slurm, tmp_path):
    store = cases.open_store(tmp_path)
    backend, said = cases.make_backend(cases.write_stand_in(tmp_path, "sleep 2; finish"))
    once = []

    def silence(_key, text):
        if text.startswith("runs") and not once:
            once.append(text)
            slurm.stop_controller()
            restart.start()

    restart = threading.Timer(12, slurm.start_controller)
    ended, _told = run_all(backend, cases.make_jobs(store, ["a"]), store, silence)
    restart.join()
    assert ended == {"a": ""}
    assert cases.count_starts(store, "a") == 1
    assert any("waiting, nothing is lost" in sentence for sentence in said)


def test_a_controller_that_hangs_for_a_while_costs_nothing(slurm, tmp_path, monkeypatch):
    monkeypatch.setattr(controller, "CALL_LIMIT_S", 2)
    store = cases.open_store(tmp_path)
    backend, said = cases.make_backend(cases.write_stand_in(tmp_path, "sleep 1; finish"))

    def freeze(_key, text):
        if text.startswith("runs") and not thaw.is_alive() and not said:
            slurm.freeze_controller()
            thaw.start()

    thaw = threading.Timer(5, slurm.thaw_controller)
    ended, _told = run_all(backend, cases.make_jobs(store, ["a", "b", "c"]), store, freeze)
    thaw.join()
    assert set(ended.values()) == {""}
    assert "squeue has not answered within 2 s: look at `scontrol ping`; waiting, nothing is lost" in said
