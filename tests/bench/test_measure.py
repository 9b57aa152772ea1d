import os
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec import structs

from grader.assignment import load_assignment
from grader.bench import measure
from grader.bench.measure import Setting, in_few_words, measure_rows, pinned
from grader.bench.model import Comparison, Row, read_works
from grader.errors import StudentFault, StudentRaised
from grader.model import Finding
from grader.worker.process import PlainLauncher, Settings

ROWS = (Row("CPU", "f.slow", calls=2), Row("Numba", "f.fast", calls=5), Row("CUDA", "f.gpu", kernels=True, calls=5))
WORKS = read_works(load_assignment("hw1").folder / "comparisons.py")
COMPARISON = Comparison("max", "Maximum", WORKS["maximum"], (4, 3), ROWS)


class Simulated:
    """A submission that answers by a simulated clock."""

    def __init__(self, **functions):
        self.functions, self.asked = functions, []

    def begin_check(self):
        pass

    def call(self, _module, function, inputs):
        self.asked.append(function)
        value, wall_s = self.functions[function](*inputs)
        return SimpleNamespace(value=value, wall_s=wall_s)


def right_in(seconds):
    return lambda a, b: (np.maximum(a, b), seconds)


def test_the_first_call_is_apart_and_every_row_gets_its_calls():
    def fast(a, b):
        return np.maximum(a, b), 9.0 if student.asked.count("fast") == 1 else 0.5

    student = Simulated(slow=right_in(2.0), fast=fast, gpu=right_in(0.25))
    slow, fast, gpu = measure_rows(COMPARISON, 2, (student, student), seed=1)
    assert (slow.samples_s, slow.first_s, slow.cores) == ((2.0, 2.0), 2.0, 2)
    assert (fast.samples_s, fast.first_s) == ((0.5,) * 5, 9.0)
    assert gpu.kernels


def test_a_row_that_would_take_too_long_is_measured_with_less_and_scaled():
    rows = (Row("CPU", "f.slow", calls=2, measured=(2, 3)), Row("Numba", "f.fast"))
    shapes = []

    def slow(a, b):
        shapes.append(a.shape)
        return np.maximum(a, b), 1.5

    student = Simulated(slow=slow, fast=right_in(2.0))
    first, second = measure_rows(structs.replace(COMPARISON, rows=rows), 1, (student, student), seed=1)
    assert ({*shapes}, (first.best_s, second.best_s)) == ({(2, 3)}, (3.0, 2.0))


def test_a_row_with_phases_takes_its_own_time_and_keeps_those_of_its_best_call():
    whole_s = iter([9.0, 3.0, 2.0, 4.0, 9.0, 3.0])

    def trained(a, b):
        one_s = next(whole_s)
        return {"value": np.maximum(a, b), "seconds": {"whole": one_s, "forward": one_s / 2}}, 77.0

    rows = (Row("Sequential", "f.train", calls=3, phases=True),)
    student = Simulated(train=trained)
    (timing,) = measure_rows(structs.replace(COMPARISON, rows=rows), 1, (student, student), seed=1)
    assert (timing.samples_s, timing.first_s, timing.phases_s) == ((3.0, 2.0, 4.0), 9.0, {"forward": 1.0})
    once = (Row("Sequential", "f.train", calls=1, phases=True),)
    (timing,) = measure_rows(structs.replace(COMPARISON, rows=once), 1, (student, student), seed=1)
    assert (timing.samples_s, timing.phases_s) == ((3.0,), {"forward": 1.5})


def test_rows_take_turns():
    student = Simulated(slow=right_in(1.0), fast=right_in(1.0), gpu=right_in(1.0))
    measure_rows(COMPARISON, 1, (student, student), seed=1)
    assert sorted(student.asked[3:6]) == ["fast", "gpu", "slow"]
    assert sorted(student.asked[6:9]) == ["fast", "gpu", "slow"]


def test_a_wrong_result_counts_for_nothing_even_if_it_comes_late():
    def sometimes(a, b):
        return (np.maximum(a, b) if student.asked.count("fast") < 4 else a), 1.0

    student = Simulated(slow=right_in(1.0), fast=sometimes, gpu=right_in(1.0))
    slow, fast, _gpu = measure_rows(COMPARISON, 1, (student, student), seed=1)
    assert (fast.samples_s, fast.problem) == ((), "wrong result")
    assert slow.samples_s


def test_a_row_that_raises_is_tried_once_and_the_others_go_on():
    def fails(*_):
        raise StudentRaised(Finding("`gpu` raised TypeError."), "TypeError")

    student = Simulated(slow=right_in(1.0), fast=right_in(1.0), gpu=fails)
    slow, fast, gpu = measure_rows(COMPARISON, 1, (student, student), seed=1)
    assert gpu.problem == "raised TypeError"
    assert (student.asked.count("gpu"), len(slow.samples_s), len(fast.samples_s)) == (1, 2, 5)


def test_reasons_are_short_plain_text():
    fault = StudentFault(Finding("Stopped: `max_cpu` ran longer than 20 s.\x1b[31m" + "x" * 200))
    assert len(in_few_words(fault)) <= 60
    assert in_few_words(fault).startswith("Stopped: max_cpu ran longer than 20 s.")
    assert "\x1b" not in in_few_words(fault)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can be chosen on Linux only")
def test_cores_are_given_back_whatever_happens():
    before = os.sched_getaffinity(0)
    seen = []

    def fail():
        with pinned([min(before)]):
            seen.append(os.sched_getaffinity(0))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (seen, os.sched_getaffinity(0)) == ([{min(before)}], before)


SUBMISSION = """
import os
import numpy as np
def slow(a, b):
    return np.maximum(a, b)
def fast(a, b):
    assert len(os.sched_getaffinity(0)) == 1
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
    assert [os.environ[name] for name in names] == ["1"] * 4
    return np.maximum(a, b)
def gpu(a, b):
    os._exit(3)
"""


def test_real_workers_run_on_the_cores_and_threads_that_are_measured(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "f.py").write_text(SUBMISSION)
    staff = tmp_path / "staff"
    staff.mkdir()
    setting = Setting(Settings(folder, staff), (), PlainLauncher(), 1, load_assignment("hw1").baselines)
    rows = (Row("NumPy", "products.self_product", staff=True),)
    product = Comparison("matmul", "X·Xᵀ", WORKS["self_product"], (5, 4), rows)
    first, second = measure.measure([COMPARISON, product], [1], setting)
    assert (first.find("CPU", 1).problem, first.find("Numba", 1).problem) == ("", "")
    assert len(first.find("Numba", 1).samples_s) == 5
    assert first.find("CUDA", 1).problem
    assert len(second.find("NumPy", 1).samples_s) == 20
