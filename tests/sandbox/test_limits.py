"""What a submission may take: each limit stops, is named in a sentence, and costs no other call."""

import contextlib

import numpy as np
import pytest

from grader.errors import StudentFault, StudentRaised, StudentStopped
from grader.worker.process import Limits

LEVELS = ["full", pytest.param("landlock", marks=pytest.mark.wide), "limits"]


@pytest.fixture(scope="module", params=LEVELS)
def level(request):
    return request.param


def test_forks_and_threads_end_at_the_limit_of_tasks(submit, level):
    """The kernel refuses; where it does not count (root), or counts others that end meanwhile, the supervisor stops."""
    limits = Limits(tasks=20)
    student = submit(level, limits)
    with contextlib.suppress(StudentStopped):
        assert 0 < student.utils.count_forks(2000) <= limits.most_tasks
        return
    assert level != "full"
    with pytest.raises(StudentStopped, match=f"Stopped: more than {limits.most_tasks} processes in `count_forks`"):
        student.utils.count_forks(2000)


def test_memory_of_the_whole_tree_is_summed(submit, level):
    student = submit(level, Limits(memory_bytes=600 << 20))
    with pytest.raises(StudentFault, match="Stopped: more than 600 MiB of memory in `hold_memory`"):
        student.utils.hold_memory(300 << 20)
    assert student.utils.run_threads(2) == 2, "the next call has a worker again"


SHARE = """
import os, time
def share():
    held = b"x" * (200 << 20)
    children = [os.fork() for _ in range(2)]
    time.sleep(1)
    if 0 in children:
        os._exit(0)
    return len(held)
"""


def test_memory_that_processes_share_counts_once(submit, level):
    """Four processes that each hold the parent's 200 MiB hold 200 MiB."""
    assert submit(level, Limits(memory_bytes=600 << 20), SHARE).utils.share() == 200 << 20


def test_an_address_space_beyond_the_limit_is_a_memory_error_and_a_large_file_is_refused(submit, level):
    student = submit(level, Limits(address_space_bytes=2 << 30))
    assert student.utils.map_memory(3 << 30) == "ENOMEM"
    student = submit(level, Limits(file_bytes=10 << 20))
    assert (student.utils.fill_file(11 << 20), student.utils.fill_file(9 << 20)) == ("EFBIG", "did")


def test_many_files_end_at_the_limit_of_scratch(submit, level):
    student = submit(level, Limits(scratch_bytes=20 << 20))
    if level == "full":
        assert student.utils.fill_scratch(4 << 20, 10) == "ENOSPC"
        return
    with pytest.raises(StudentFault, match="Stopped: more than 20 MiB of files in `fill_scratch`"):
        student.utils.fill_scratch(4 << 20, 10)


def test_a_flood_of_output_past_the_cap_is_stopped(submit, level):
    student = submit(level, Limits(output_bytes=4 << 20))
    with pytest.raises(StudentFault, match="Stopped: more than 4 MiB of output in `flood_output`"):
        student.utils.flood_output(64 << 20)
    assert len(student.output) <= 8000


def test_processor_time_is_limited(submit, level):
    student = submit(level, Limits(cpu_s=1))
    with pytest.raises(StudentFault, match="Stopped: more than 1 s of processor time in `burn`"):
        student.utils.burn(60)


def test_a_crash_keeps_its_name(submit, level):
    student = submit(level, source="import os\ndef crash(): os.kill(os.getpid(), 11)\ndef leave(): os._exit(3)")
    with pytest.raises(StudentFault, match="SIGSEGV"):
        student.utils.crash()
    with pytest.raises(StudentFault, match="exit code 3"):
        student.utils.leave()


def test_an_error_at_a_limit_says_what_a_submission_may_do(submit):
    student = submit("limits", Limits(file_bytes=1 << 20), "def grow(): open('file', 'wb').truncate(1 << 30)")
    with pytest.raises(StudentRaised) as raised:
        student.utils.grow()
    assert "small files only" in raised.value.finding.hint


def test_honest_work_is_not_disturbed(submit, level):
    student = submit(level)
    assert (student.utils.run_threads(30), student.utils.run_program()) == (30, "42\n")
    assert student.utils.signal(0) == "did", "its own group may be signalled"


def test_a_pool_of_processes_works_where_shared_memory_is_private(submit):
    assert submit("full").utils.run_pool() == [1, 2]


PARALLEL = """
import numpy as np
from numba import njit, prange

@njit(parallel=True)
def double(x):
    out = np.empty_like(x)
    for i in prange(x.size):
        out[i] = 2 * x[i]
    return out

@njit(cache=True)
def half(x):
    return x / 2
"""


def test_parallel_and_cached_compiled_code_works(submit, level):
    student = submit(level, source=PARALLEL)
    assert (student.utils.double(np.arange(4)).tolist(), student.utils.half(3)) == ([0, 2, 4, 6], 1.5)
    assert student.output == "", "no warning of Numba's about what a sandbox lacks"
