"""Batches on a real Slurm that the tests start by themselves: whatever happens to a task, nobody gets a zero for it."""

import os
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import cluster_batches as cases
import pytest
import slurm_node
from waiting import wait_until

from grader.course.cluster import slurm as controller
from grader.errors import UsageError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("slurm")]
LIMIT_S = 60
SECOND_TRY = 'if [ "$try" = 1 ]; then sleep 100; else finish; fi'


class Batch:
    """A batch whose tasks run `body`, a line of shell, in the place of the grader; without one, they really grade."""

    def __init__(self, folder, body="", **settings):
        self.store, self.told = cases.open_store(folder), []
        python = cases.write_stand_in(folder, body) if body else sys.executable
        self.backend, self.said = cases.make_backend(**{"python": python, **settings})

    def run(self, *keys, when_it_runs=None, **how):
        """Grade hand-ins called `keys`, and call a function when the first of them runs; return key -> problem."""
        waiting = [when_it_runs] if when_it_runs else []

        def announce(key, text):
            self.told.append((key, text))
            if text.startswith("runs") and waiting:
                waiting.pop()()

        jobs = cases.make_jobs(self.store, keys, **how)
        return {done.key: done.problem for done in self.backend.run(jobs, self.store, announce)}

    def starts(self, key):
        return len((self.store.root / f"starts-{key}").read_text().split())

    def says(self, beginning):
        return [text for _key, text in self.told if text.startswith(beginning)]

    def wait_for_start(self):
        wait_until((self.store.root / "starts-a").exists, LIMIT_S)

    def list_arrays(self):
        return list((self.store.root / "slurm").iterdir())


@pytest.fixture
def batch(tmp_path):
    return partial(Batch, tmp_path)


def list_tasks(slurm):
    """Return what waits or runs; a task that is just ending does neither."""
    return slurm.run("squeue", "-h", "-r", "-t", "pending,running,suspended").splitlines()


def test_hand_ins_are_graded_on_the_node_and_nothing_of_the_arrays_remains(slurm, batch):
    whole = batch()
    assert whole.run("anna", "ben") == {"anna": "", "ben": ""}
    assert all(whole.store.evidence(key).exists() and whole.store.job(key).exists() for key in ("anna", "ben"))
    assert ("anna", "runs on node0") in whole.told
    assert not whole.list_arrays()
    assert not list_tasks(slurm)


def test_more_hand_ins_than_an_array_may_hold_make_several_arrays(batch):
    keys = [f"s{number}" for number in range(10)]
    large = batch("finish", array_size=4)
    assert large.run(*keys) == dict.fromkeys(keys, "")
    assert all(large.starts(key) == 1 for key in keys)


def test_a_task_that_is_cancelled_while_it_runs_or_waits_is_submitted_again(slurm, batch):
    cancelled = batch('if [ ! -e "$batch/cancelled" ]; then sleep 100; else finish; fi')

    def cancel():
        slurm.run("scancel", "--full", "--user=root")
        (cancelled.store.root / "cancelled").touch()

    # Two tasks run on the node's two GPUs; the third waits, and had not started when it was cancelled.
    assert cancelled.run("a", "b", "c", when_it_runs=cancel) == {"a": "", "b": "", "c": ""}
    assert len(cancelled.says("again, try 2 of 3")) >= 3


def test_a_task_whose_processes_are_killed_is_submitted_again(batch):
    killed = batch('if [ "$try" = 1 ]; then kill -9 $$; else finish; fi')
    assert (killed.run("a"), killed.starts("a")) == ({"a": ""}, 2)


def test_a_task_that_outlives_its_step_daemon_still_counts(slurm, batch):
    orphan, killed = batch("sleep 4; finish"), []

    def kill():
        orphan.wait_for_start()
        killed.extend(slurm.find_processes("slurmstepd"))
        for process in killed:
            process.kill()

    assert orphan.run("a", when_it_runs=kill) == {"a": ""}
    assert killed


def test_what_is_lost_three_times_is_our_trouble_with_the_last_line_that_it_printed(batch):
    lost = batch("echo the network is gone; exit 1")
    assert lost.run("a") == {"a": "its task ended early on node0, it last printed: the network is gone (3 tries)"}
    assert lost.starts("a") == 3
    assert not lost.store.evidence("a").exists()


def test_what_slurms_time_limit_ends_says_so(batch):
    slow = batch('if [ "$try" = 1 ]; then sleep 200; else finish; fi', time="1")
    assert slow.run("a") == {"a": ""}
    assert any("DUE TO TIME LIMIT" in text for _key, text in slow.told)


def test_an_interpreter_that_the_node_lacks_and_trouble_of_the_grader_itself_are_named(batch):
    assert "/nowhere/python: not found" in batch(python="/nowhere/python").run("a")["a"]
    assert "no CUDA kernel runs here" in batch().run("b", device="gpu")["b"]


def test_a_node_that_dies_costs_its_tasks_one_try(slurm, batch):
    unlucky = batch(SECOND_TRY)
    power = threading.Timer(12, slurm.start_node)  # twice what Slurm takes to notice

    def kill():
        unlucky.wait_for_start()
        slurm.kill_node()
        power.start()

    assert unlucky.run("a", when_it_runs=kill) == {"a": ""}
    power.join()
    assert unlucky.starts("a") == 2
    assert unlucky.says("again, try 2 of 3: ")


def test_a_preempted_task_is_submitted_again(slurm, batch):
    weak = batch('if [ ! -e "$batch/preempted" ]; then sleep 100; else finish; fi')

    def preempt():
        slurm.run("sbatch", "-p", "urgent", "--gres=gpu:2", "-c", "2", "-o/dev/null", "--wrap=sleep 3")
        wait_until(lambda: "PREEMPTED" in slurm.run("squeue", "-h", "-t", "all", "-o", "%T"), LIMIT_S)
        (weak.store.root / "preempted").touch()

    assert weak.run("a", "b", when_it_runs=preempt) == {"a": "", "b": ""}
    assert weak.says("again, try 2 of 3: ")


def test_a_requeued_task_starts_again_and_its_result_counts(slurm, batch):
    requeued, sooner = batch(SECOND_TRY, extra="--requeue"), []

    def requeue():
        requeued.wait_for_start()
        job = slurm.run("squeue", "-h", "-o", "%F").strip()
        slurm.run("scontrol", "requeue", f"{job}_0")
        start_now = ("scontrol", "update", f"jobid={job}", "starttime=now")  # Slurm would wait for two minutes
        sooner.append(threading.Timer(3, slurm.run, start_now))
        sooner[0].start()

    assert requeued.run("a", when_it_runs=requeue) == {"a": ""}
    sooner[0].join()
    assert requeued.starts("a") == 2
    assert not any("again" in text for _key, text in requeued.told), "Slurm's own requeue is enough"


def test_a_batch_that_was_killed_finds_its_tasks_and_submits_nothing_twice(batch, tmp_path):
    again = batch("sleep 3; finish")
    program = (
        f"import sys; sys.path.insert(0, {str(Path(cases.__file__).parent)!r}); import cluster_batches as cases\n"
        f"from pathlib import Path; store = cases.open_store(Path({str(tmp_path)!r}))\n"
        f"backend, said = cases.make_backend({str(tmp_path / 'python')!r})\n"
        "list(backend.run(cases.make_jobs(store, ['a', 'b', 'c']), store, lambda key, text: print(text, flush=True)))"
    )
    first = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert any("runs" in line for line in first.stdout)
    first.kill()
    first.wait()
    first.stdout.close()
    assert again.run("a", "b", "c") == {"a": "", "b": "", "c": ""}
    assert again.said[0].endswith("tasks of an earlier run are still with Slurm: they are waited for first")
    assert [again.starts(key) for key in "abc"] == [1, 1, 1]


def test_tasks_that_are_left_to_run_are_waited_for_by_the_next_run(batch, tmp_path):
    left = batch("sleep 3; finish", on_stop="leave")
    interrupt(left, "a")
    assert left.said == ["1 hand-ins are not graded; their tasks go on, and the same command waits for them"]
    again = batch(python=tmp_path / "python")
    assert (again.run("a"), again.starts("a")) == ({"a": ""}, 1)


def test_a_batch_that_is_stopped_cancels_its_tasks_and_says_so(slurm, batch):
    stopped = batch("sleep 100")
    interrupt(stopped, "a", "b")
    wait_until(lambda: not list_tasks(slurm), LIMIT_S)
    assert stopped.said[-1] == "2 hand-ins are not graded; their tasks were cancelled"
    assert not stopped.list_arrays()


def interrupt(stopped, *keys):
    """Run a batch, and press Ctrl-C when its first task runs."""

    def press():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped.run(*keys, when_it_runs=press)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"partition": "nope"}, "Invalid partition name specified"),
        ({"constraint": "h200"}, "Invalid feature specification"),
        ({"gres": "gpu:9"}, "Requested node configuration is not available"),
    ],
)
def test_a_cluster_that_refuses_says_why_and_leaves_nothing(batch, settings, sentence):
    refused = batch(**settings)
    with pytest.raises(UsageError, match=sentence):
        refused.run("a")
    assert not refused.list_arrays()


def test_a_constraint_keeps_a_batch_on_one_gpu_model(batch, monkeypatch):
    with slurm_node.SlurmNode(("a100", "h200")) as two_nodes:  # the fixture's own has looked whether there is Slurm
        monkeypatch.setenv("SLURM_CONF", two_nodes.environment["SLURM_CONF"])
        constrained = batch("finish", constraint="h200")
        ended = constrained.run(*(f"s{number}" for number in range(6)))
    assert set(ended.values()) == {""}
    assert {text for _key, text in constrained.told} <= {"runs on node1"}


def test_a_drained_node_lets_tasks_wait_and_the_batch_says_why(slurm, batch):
    slurm.run("scontrol", "update", "nodename=node0", "state=drain", "reason=test")
    resume = threading.Timer(4, slurm.run, ("scontrol", "update", "nodename=node0", "state=resume"))
    resume.start()
    waiting = batch("finish")
    assert waiting.run("a") == {"a": ""}
    resume.join()
    assert any("Slurm lets 1 tasks wait" in sentence for sentence in waiting.said)


def test_a_moment_in_which_no_task_is_listed_costs_nothing(batch, tmp_path, monkeypatch):
    moment, squeue = tmp_path / "moment", tmp_path / "squeue"
    squeue.write_text(f'#!/bin/sh\nrm {moment} 2>/dev/null || exec {shutil.which("squeue")} "$@"\n')
    squeue.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    running = batch(f": > {moment}; sleep 4; finish")
    assert (running.run("a"), running.starts("a")) == ({"a": ""}, 1)
    assert not moment.exists()


def test_a_controller_that_is_silent_for_a_while_costs_nothing(slurm, batch):
    patient = batch("sleep 2; finish")
    restart = threading.Timer(12, slurm.start_controller)

    def silence():
        slurm.stop_controller()
        restart.start()

    assert patient.run("a", when_it_runs=silence) == {"a": ""}
    restart.join()
    assert patient.starts("a") == 1
    assert any("waiting, nothing is lost" in sentence for sentence in patient.said)


def test_a_controller_that_hangs_for_a_while_costs_nothing(slurm, batch, monkeypatch):
    monkeypatch.setattr(controller, "CALL_LIMIT_S", 2)
    patient = batch("sleep 1; finish")
    thaw = threading.Timer(5, slurm.thaw_controller)

    def freeze():
        slurm.freeze_controller()
        thaw.start()

    assert patient.run("a", "b", "c", when_it_runs=freeze) == {"a": "", "b": "", "c": ""}
    thaw.join()
    assert "squeue has not answered within 2 s: look at `scontrol ping`; waiting, nothing is lost" in patient.said
