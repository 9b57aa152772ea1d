"""What a task of a job array runs on its node: `python -m grader.batch.cluster.array_task ARRAY`.

Grades one hand-in into a batch root of its own, and renames the result into place when it is whole. Requeued, started
twice, or overtaken by another attempt, it does no harm. Exit codes: 0 there is nothing left to do, 3 trouble of ours.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from threadpoolctl import threadpool_limits

from grader.batch.cluster.arrays import TROUBLE, ArrayFolder, digest_of, read_array
from grader.batch.files import read_task
from grader.batch.job import run_job
from grader.batch.store import Store
from grader.errors import GraderError
from grader.reports.files import write_atomically

OK, FAILED = 0, 3
BEAT_S = 10.0


def run_task(folder: ArrayFolder, index: int) -> int:
    """Grade the hand-in of task `index`; return the exit code.

    Raises:
        GraderError: the batch's files cannot be read or written.
    """
    task = folder.array.tasks[index]
    done, store = folder.path / "done" / str(index), Store(folder.path.parent.parent)
    if done.exists() or digest_of(store.task(task.key)) != task.digest:
        sys.stderr.write("this hand-in is graded already, or is no longer wanted so\n")
        return OK
    own = Store(folder.path / "tries" / f"{index}-{secrets.token_hex(4)}")
    with beating(folder.path / "beats" / str(index)):
        try:
            code = _grade(store, own, task.key)
            _publish(own.folder(task.key), done)
        finally:
            shutil.rmtree(own.root, ignore_errors=True)
    return code


@contextmanager
def beating(path: Path, every_s: float = BEAT_S) -> Iterator[None]:
    """Leave a new sign of life in `path` every few seconds, for as long as the block runs."""
    ended = threading.Event()

    def beat() -> None:
        count = 0
        while not ended.is_set():
            count += 1
            _leave_sign(path, count)
            ended.wait(every_s)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _grade(store: Store, own: Store, key: str) -> int:
    """Grade into `own`; trouble of ours becomes a text in the result."""
    own.task(key).parent.mkdir(parents=True)
    own.folder(key).mkdir(parents=True)
    shutil.copyfile(store.task(key), own.task(key))
    if store.evidence(key).exists():  # what new observations may have to join
        shutil.copyfile(store.evidence(key), own.evidence(key))
    try:
        run_job(own, read_task(own, key), _say)
    except GraderError as error:
        sys.stderr.write(f"grader: {error}\n")
        write_atomically(own.folder(key) / TROUBLE, str(error).encode())
        return FAILED
    return OK


def _publish(result: Path, done: Path) -> None:
    """Put a whole result where it is looked for, unless another attempt was faster."""
    try:
        result.rename(done)
    except OSError as error:
        if not done.exists():
            message = f"{done} cannot be written ({error.strerror}): free some space"
            raise GraderError(message) from error


def _leave_sign(path: Path, count: int) -> None:
    try:
        path.write_text(f"{count} {os.environ.get('SLURMD_NODENAME') or socket.gethostname()}")
    except OSError:
        return  # a full disk: the grading itself will say so


def _say(check: str) -> None:
    sys.stderr.write(f"{check}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Run the task of this job; return the exit code."""
    index = environment.get("SLURM_ARRAY_TASK_ID", "")
    if len(arguments) != 1 or not index.isdecimal():
        sys.stderr.write("usage: python -m grader.batch.cluster.array_task ARRAY, as a task of a job array\n")
        return FAILED
    threadpool_limits(1)  # the judge's own products are small, and the cores are the submission's
    try:
        return run_task(read_array(Path(arguments[0])), int(index))
    except GraderError as error:
        sys.stderr.write(f"grader: {error}\n")
        return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
