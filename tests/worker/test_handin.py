"""Two workers for one file: what the whole file ends up with has to be what its slices are."""

from contextlib import closing

import numpy as np
import psutil
import pytest
from rows import check_rows
from sliced_handins import open_text, open_texts

from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentTooSlow
from grader.model import Finding
from grader.worker.process import Limits

PLAIN = """
import numpy as np

LIMIT = 3
SIZES = [1, 2]


def helper(x):
    return x + LIMIT


def f(x):
    return helper(x) * SIZES[0]


def g(x):
    return x
"""
GRADED = (("sample", "f"), ("sample", "g"))
LIMITS = Limits(load_s=20, call_s=20, grading_s=200)
A_DECORATOR = """
def twice(function):
    def run(x):
        return function(x) * 2
    return run

"""

REPLACED = {
    "its code, by another name": "for held in [f]:\n    held.__code__ = (lambda x: 7).__code__\n",
    "its defaults, by another name": "for held in [f]:\n    held.__defaults__ = (3,)\n",
    "the code of what it calls, in a function": (
        "def change(held):\n    held.__code__ = (lambda x: 7).__code__\n\n\nchange(helper)\n"
    ),
    "by setattr": "import sys\nsetattr(sys.modules[__name__], 'f', g)\n",
    "through globals": "globals()['f'] = g\n",
    "a helper, through globals": "globals()['helper'] = g\n",
    "a helper, through vars": "import sys\nvars(sys.modules[__name__]).update(helper=g)\n",
    "a constant, through globals": "globals()['LIMIT'] = 4\n",
    "a list, by another name": "for held in [SIZES]:\n    held[0] = 5\n",
    "a list, by a function": "def fill(held):\n    held.append(3)\n\nfill(SIZES)\n",
    "NumPy's function": "def _maximum(*_):\n    return 7\n\nsetattr(np, 'maximum', _maximum)\n",
    "by exec": "exec('def f(x): return 7')\n",
}
EQUAL = {
    "nothing": "",
    "other functions": "def h(x):\n    return eval('x')\n",
    "a main guard": "if __name__ == '__main__':\n    f = g\n",
    "prints": "print(f(3))\n",
    "a call": "g(1)\n",
    "other names": "import os\nHOME = os.getcwd()\n",
}
BOUND_AGAIN = {
    "a decorator": A_DECORATOR + "f = twice(f)\n",
    "a decorator above": A_DECORATOR + "@twice\ndef f(x):\n    return helper(x)\n",
    "a timer": "import time\n\ndef timed(function):\n    def run(*args):\n        began = time.perf_counter()\n"
    "        value = function(*args)\n        print(time.perf_counter() - began)\n        return value\n"
    "    return run\n\n"
    "f = timed(f)\n",
    "a list, changed by its name": "SIZES.append(3)\n",
    "a constant, bound again": "LIMIT = 4\n",
    "a function, written anew": "def f(x):\n    return x - 1\n",
    "singledispatch": "import functools\n\n@functools.singledispatch\ndef f(x):\n    return x\n\n@f.register\n"
    "def _(x: int):\n    return x + 1\n",
    "partial": "import functools\n\ndef add(a, b):\n    return a + b\n\nf = functools.partial(add, 3)\n",
    "a cache": "import functools\n\n@functools.lru_cache\ndef f(x):\n    return helper(x)\n",
}


@pytest.fixture
def handin(tmp_path):
    opened = []

    def make(text, limits=LIMITS):
        opened.append(open_text(tmp_path, "sample", text, GRADED, limits=limits))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def as_modules(table):
    """Return the rows as modules of one hand-in: their names, and their texts."""
    modules = {row: f"row_{place}" for place, row in enumerate(table)}
    return modules, {modules[row]: text for row, text in table.items()}


@pytest.fixture(scope="module")
def whole_table(tmp_path_factory):
    """Return a function that makes one hand-in of a table, with a module for each row; and those modules' names."""
    opened = []

    def make(table):
        modules, texts = as_modules(table)
        graded = [(module, name) for module in texts for name in ("f", "g")]
        opened.append(open_texts(tmp_path_factory.mktemp("table"), texts, graded, limits=LIMITS))
        return opened[-1], modules

    yield make
    for one in opened:
        one.close()


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(more, id=name, marks=[pytest.mark.wide] if place % 4 else [])
        for place, (name, more) in enumerate(REPLACED.items())
    ],
)
def test_what_replaces_a_function_behind_its_name_leaves_it_open(handin, more):
    use = "\n\ndef f(x):\n    return np.maximum(x, helper(x)) * SIZES[0]\n\n\n"
    student = handin(PLAIN + use + more)
    why = student.why_open("sample", "f")
    assert why.startswith("what sample.f is after the import is not what is written under that name"), why


def test_what_replaces_the_code_of_a_function_by_its_name_is_read(whole_table):
    table = {name: f"{PLAIN}\n\n{name}.__code__ = (lambda x: 7).__code__\n" for name in ("f", "helper")}
    student, modules = whole_table(table)
    for module in modules.values():
        assert "sets .__code__ of an object" in student.why_open(module, "f")
        assert student.call(module, "f", (1,)).value == 7


def test_what_is_what_it_says_is_closed(whole_table):
    student, modules = whole_table({row: f"{PLAIN}\n\n{more}" for row, more in EQUAL.items()})

    def check(module):
        assert student.why_open(module, "f") == ""
        assert student.call(module, "f", (4,)).value == 7

    check_rows(check, modules)


def test_what_replaces_a_function_by_name_is_part_of_its_slice(whole_table):
    student, modules = whole_table({row: f"{PLAIN}\n\n{more}" for row, more in BOUND_AGAIN.items()})

    def check(module):
        assert student.why_open(module, "f") == ""

    check_rows(check, modules)


def test_what_an_earlier_call_kept_is_no_difference(handin):
    student = handin("KEPT = {}\n\n\ndef f(x):\n    return KEPT.setdefault(x, x)\n")
    assert student.ask_slices("sample", "f", (3,)).value == 3  # as a module does that imports this one
    assert student.why_open("sample", "f") == ""


def test_what_differs_runs_as_the_whole_file_has_it(handin):
    student = handin(PLAIN + "\n\nglobals()['helper'] = g\n")
    answer = student.call("sample", "f", (4,))
    assert answer.value == 4
    assert answer.seen is None
    assert student.answers("sample", "f") == []
    assert not student.runs_as_slices("sample", ["f"])
    assert student.call("sample", "g", (np.arange(3),)).seen.label == ("argument 0",)


ALONE = {
    "open": "import os\n\n\ndef f(x):\n    return os.getpid()\n\n\ndef g(x):\n    return x\n",
    "fails": f"{PLAIN}\n\n1 / 0\n",
    "raises": f"{PLAIN}\n\nraise ValueError('no')\n",
    "stream": "import sys\nfrom functools import partial\n\nsay = partial(print, file=sys.stderr)\n\n\n"
    "def f(x):\n    say(x)\n    return x\n",
    "reads": f"{PLAIN}\n\ndef f(x):\n    x[1] = x[0]\n    return x\n",
    "plain": PLAIN,
    "second": "KEPT = [1]\nSECOND = KEPT[1:][0]\n\n\ndef f(x):\n    return SECOND\n\n\ndef g(x):\n    return x\n",
    "views": f"{PLAIN}\n\ndef f(x):\n    return x.view('S8').size\n",
    "beyond": f"{PLAIN}\n\ndef f(x):\n    return x[7]\n",
}
"""What one hand-in can hold, because nobody asks about more than one of its modules."""


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    graded = [(module, name) for module in ALONE for name in ("f", "g")]
    with closing(open_texts(tmp_path_factory.mktemp("alone"), ALONE, graded, limits=LIMITS)) as opened:
        yield opened


def test_an_open_slice_says_what_opens_it_and_the_whole_file_answers(student):
    assert "open.py:5 uses .getpid" in student.why_open("open", "f")
    assert student.call("open", "f", (1,)).value > 0
    assert student.why_open("open", "g") == ""
    assert not student.runs_as_slices("open", ["f", "g"])
    assert student.runs_as_slices("open", ["g"])


def test_one_class_whose_slice_is_open_lets_the_whole_files_run_unobserved(student):
    student.begin_check()
    for uses in ([("open", "g"), ("open", "f")], [("open", "f")]):
        assert student.call_unobserved(uses, "open", "f", (1,)).value > 0
    assert student.doubts == [], "nobody tried it as a slice"


def test_a_file_that_cannot_be_imported_does_not_run_as_slices(student):
    assert not student.runs_as_slices("fails", ["f"])


def test_a_function_that_replaces_itself_when_it_is_called_is_found_afterwards(handin):
    more = "def change():\n    globals()['helper'] = g\n    return 0\n"
    student = handin(f"{PLAIN}\n\n{more}")
    assert student.why_open("sample", "f") == ""
    assert student.look_again() == {"sample": {}}
    student.call("sample", "change", ())
    assert list(student.look_again()["sample"]) == ["f"]


def test_a_stream_in_a_partial_is_the_same_as_a_slice_and_as_a_whole(student):
    assert student.why_open("stream", "f") == ""


@pytest.mark.parametrize(("kept", "changed"), [("time.time()", []), ("np.ones(3)", ["f"])])
def test_a_log_of_numbers_that_nobody_reads_is_no_change(handin, kept, changed):
    """Arrays may be what is to be learnt by heart."""
    student = handin(
        f"import time\nimport numpy as np\n\nLOG = {{}}\n\n\ndef f(x):\n    LOG['x'] = {kept}\n    return x\n\n\n"
        "def change():\n    globals()\n    return f(4)\n\n\nif __name__ == '__main__':\n    print(LOG)\n"
    )
    assert student.why_open("sample", "f") == ""
    student.call("sample", "change", ())
    assert list(student.look_again()["sample"]) == changed


def test_single_reads_and_writes_are_seen_when_asked_for(student):
    seen = student.call("reads", "f", (np.arange(3),), full=True).seen
    assert (seen.reads, seen.writes) == (1, 1)
    seen = student.call("reads", "f", (np.arange(3),)).seen
    assert (seen.reads, seen.writes) == (0, 0)


@pytest.mark.parametrize("ask", ["ask_slices", "ask_plain", "ask_executor"])
def test_all_workers_share_one_time_of_grading(tmp_path, ask):
    limits = Limits(load_s=20, call_s=20, grading_s=1.5)
    text = "def f(x):\n    while True:\n        pass\n"
    with closing(open_text(tmp_path, "sample", text, GRADED, limits=limits)) as student:
        with pytest.raises(Inconclusive, match="all the time that a grading has"):
            getattr(student, ask)("sample", "f", (1,))
        with pytest.raises(Inconclusive, match="all the time that a grading has"):
            student.load("sample")


def test_the_time_of_the_other_workers_counts_once(student):
    student.begin_check()
    for _ in range(3):
        student.ask_slices("plain", "g", (1,))
    assert student.student_s == pytest.approx(student.sliced.student_s)


def test_answers_are_kept_without_their_values_and_say_how_much_was_seen(student):
    student.call("plain", "g", (np.arange(3),), full=True)
    student.call("plain", "g", (np.arange(3),))
    kept = student.answers("plain", "g")
    assert [answer.value for answer in kept] == [None, None]
    assert [answer.seen_fully for answer in kept] == [True, False]
    assert kept[0].seen.label == ("argument 0",)


def test_a_file_that_cannot_be_imported_is_no_solution_although_its_slices_could_run(student):
    with pytest.raises(StudentRaised, match="ValueError"):
        student.call("raises", "f", (1,))


def test_a_slice_that_cannot_run_is_open(student):
    with pytest.raises(StudentFault):
        student.call("second", "f", (1,))


def test_names_and_output_of_both(handin):
    student = handin(PLAIN + "\n\nprint('while it was imported')\n")
    student.call("sample", "f", (1,))
    assert {"helper", "LIMIT", "SIZES"} <= student.words_in("sample", "f")
    assert "while it was imported" in student.output


def test_all_workers_end(handin):
    student = handin(PLAIN)
    student.ask_plain("sample", "g", (1,))
    pids = set(student.pids)
    assert len(pids) == 3
    assert {*student.sliced.pids, *student.plain.pids} < pids
    student.close()
    assert not any(map(psutil.pid_exists, pids))


def test_what_a_slice_may_not_do_counts_as_the_whole_file_has_it_and_is_open(student):
    assert student.why_open("views", "f") == ""
    answer = student.call("views", "f", (np.arange(3),))
    assert (answer.value, answer.seen) == (3, None)
    assert student.why_open("views", "f").startswith("as a slice it raised, and as a whole it did not: ")
    assert student.call("views", "f", (np.arange(4),)).value == 4
    assert student.why_open("views", "g") == ""


def test_what_raises_in_both_is_the_slices_fault(student):
    with pytest.raises(StudentRaised, match="IndexError"):
        student.call("beyond", "f", (np.arange(3),))
    assert student.why_open("beyond", "f") == ""


ENDLESS_BESIDE_OBSERVERS = """

def f(x):
    try:
        x.view("S8")
    except (AttributeError, TypeError):
        while True:
            pass
    return x[2]
"""
SOON = Limits(load_s=20, call_s=2, grading_s=200)


def test_what_only_observers_make_too_slow_counts_as_the_whole_file_has_it_and_is_open(handin):
    student = handin(PLAIN + ENDLESS_BESIDE_OBSERVERS, limits=SOON)
    assert student.call("sample", "f", (np.arange(3),)).value == 2
    why = student.why_open("sample", "f")
    assert why.startswith("as a slice it took too long, and as a whole it did not: Stopped after ")
    assert student.doubts == [why]


def test_a_function_that_is_given_up_is_called_nowhere(handin):
    student = handin(PLAIN)
    student.give_up("sample", "f", StudentFault(Finding("It never ends.")))
    for ask in (student.call, student.ask_slices, student.ask_plain, student.ask_executor):
        with pytest.raises(StudentFault, match="It never ends"):
            ask("sample", "f", (1,))


def test_what_is_too_slow_and_wrong_as_a_whole_is_too_slow(handin):
    student = handin(PLAIN + ENDLESS_BESIDE_OBSERVERS.replace("x[2]", "x[7]"), limits=SOON)
    with pytest.raises(StudentTooSlow, match="Stopped after "):
        student.call("sample", "f", (np.arange(3),))
    assert student.why_open("sample", "f") == ""


def test_both_workers_start_before_they_are_needed(handin):
    student = handin(PLAIN)
    student.start()
    before = student.pids
    assert student.call("sample", "f", (4,)).value == 7
    assert student.pids == before


MISSPELT = "def create_batch(x):\n    return x\n\n\ndef max_cpu(x):\n    return x\n\n\ndef helper(x):\n    return x\n"


def test_a_function_that_may_be_meant_by_one_that_is_missing_is_named_and_for_a_ta(tmp_path):
    graded = (("sample", "create_batches"), ("sample", "max_cpu"), ("sample", "max_gpu"))
    student = open_text(tmp_path, "sample", MISSPELT, graded, limits=LIMITS)
    with pytest.raises(Inconclusive, match="has no function `create_batches`, but `create_batch`"):
        student.call("sample", "create_batches", (1,))
    with pytest.raises(StudentRaised, match="has no function `max_gpu`"):  # max_cpu is another one
        student.call("sample", "max_gpu", (1,))
    assert student.call("sample", "max_cpu", (1,)).value == 1
    student.close()
