"""The time of a call contains all of its work, also what a submission puts off until after the return."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from waiting import wait_until

from grader.timing.sampling import Stopwatch
from grader.worker import wire
from grader.worker.process import Sent
from grader.worker.runs import receive_answer

WATCH = Stopwatch(cost_s=0.0, handover_s=0.05)
"""Far more than an array of these tests takes, even on a busy machine."""
WORK_S = 0.4
MATRIX = np.arange(10_000.0).reshape(100, 100)
ANSWERS = {
    "at once": """
        def work(A):
            time.sleep(0.4)
            return A + 1
    """,
    "in an array that computes when it is looked at": """
        class Lazy(np.ndarray):
            @property
            def dtype(self):
                if not self.done:
                    type(self).done = True
                    time.sleep(0.4)
                    self[...] = self.source + 1
                return np.ndarray.dtype.__get__(self)
        def work(A):
            answer = np.zeros(A.shape).view(Lazy)
            Lazy.done, Lazy.source = False, A.copy()
            return answer
    """,
    "in a list that grows while it is looked at": """
        class Row:
            def __str__(self):
                time.sleep(0.4)
                return "late"
        def work(A):
            return [Row()]
    """,
    "by a thread that holds the handing over up": """
        import threading
        def work(A):
            answer = np.zeros(A.shape)
            lock = threading.Lock()
            def fill():
                time.sleep(0.4)
                answer[...] = A + 1
                lock.release()
            lock.acquire()
            threading.Thread(target=fill).start()
            class Wait(np.ndarray):
                @property
                def dtype(self):
                    with lock:
                        return np.ndarray.dtype.__get__(self)
            return answer.view(Wait)
    """,
}


def source(body):
    return "import time\nimport numpy as np\n" + "\n".join(line[8:] for line in body.splitlines())


@pytest.mark.parametrize("how", ANSWERS)
def test_the_time_contains_work_that_is_done(submit, how):
    answer = submit(source(ANSWERS[how])).call("utils", "work", (MATRIX,), timed=True)
    assert WATCH.read_s(answer.returned_s, answer.received_s) > WORK_S - WATCH.handover_s


FORGED = """
    import sys
    from grader.worker import wire
    def work(A):
        frame = sys._getframe()
        while "announce" not in frame.f_locals:
            frame = frame.f_back
        frame.f_locals["announce"]()
        {silence}
        time.sleep(0.4)
        return A + 1
"""


def test_a_second_word_takes_the_place_of_the_value_and_an_early_one_shortens_nothing(submit):
    student = submit(source(FORGED.format(silence="pass").replace("\n    ", "\n        ")))
    assert student.call("utils", "work", (MATRIX,), timed=True).value is None
    silence = "type(frame.f_locals['request']).announce = False"
    student = submit(source(FORGED.format(silence=silence).replace("\n    ", "\n        ")))
    answer = student.call("utils", "work", (MATRIX,), timed=True)
    assert answer.returned_s < WORK_S / 2
    assert np.array_equal(answer.value, MATRIX + 1)
    assert WATCH.read_s(answer.returned_s, answer.received_s) > WORK_S - WATCH.handover_s


def test_a_thread_that_writes_after_the_return_is_too_late_for_the_value(submit, tmp_path):
    received, written = tmp_path / "received", tmp_path / "written"
    student = submit(
        source(f"""
        import pathlib, threading
        def work(A):
            answer = np.zeros(A.shape)
            def write():
                while not pathlib.Path({str(received)!r}).exists():
                    time.sleep(0.01)
                answer[...] = A + 1
                pathlib.Path({str(written)!r}).touch()
            threading.Thread(target=write).start()
            return answer
        """)
    )
    answer = student.call("utils", "work", (MATRIX,), timed=True)
    received.touch()
    wait_until(written.exists)
    assert not answer.value.any()


def test_the_clock_is_the_parents(submit):
    student = submit(
        source("""
        def work(A):
            time.perf_counter = time.monotonic = time.time = lambda: 0.0
            time.perf_counter_ns = time.monotonic_ns = time.time_ns = lambda: 0
            end = __import__("os").times().elapsed + 0.4
            while __import__("os").times().elapsed < end:
                pass
            return A
        """)
    )
    assert student.call("utils", "work", (MATRIX,), timed=True).returned_s > WORK_S - 0.05


def test_the_value_has_only_what_the_function_has_left_of_the_limit():
    spent, replies = [], [wire.Reply(1), wire.Reply(1, phase=wire.RETURNED)]
    worker = SimpleNamespace(receive=lambda _ticket, _limit_s, spent_s: spent.append(spent_s) or replies.pop())
    request = wire.Request(1, "utils", "work", wire.Sequence("tuple", ()), announce=True)
    receive_answer(worker, Sent(request, (), time.perf_counter() - WORK_S), 2.0)
    assert spent == [0, pytest.approx(WORK_S, abs=0.2)]


def test_an_untimed_call_says_nothing_of_its_return_and_a_timed_one_may_raise_as_usual(submit):
    answer = submit("def work(A): return A").call("utils", "work", (MATRIX,))
    assert answer.returned_s == 0
    assert 0 < answer.wall_s <= answer.received_s
    student = submit("def work(A): return 1 / 0\ndef fine(A): return A")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        student.call("utils", "work", (MATRIX,), timed=True)
    assert student.call("utils", "fine", (MATRIX,), timed=True).returned_s > 0
