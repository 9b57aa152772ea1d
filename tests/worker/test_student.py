"""Two workers for one file: what the whole file ends up with has to be what its slices are."""

import time
from contextlib import ExitStack, closing
from functools import partial

import numpy as np
import psutil
import pytest
from rows import check_rows
from sliced_handins import open_text, open_texts

from grader.authoring import Note
from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentTooSlow
from grader.model import Finding
from grader.worker.process import Limits

PLAIN = """
import numpy as np

LIMIT = 3
SIZES = [1, 2, 10**400]


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
    "its code, by another name": "held = f\nheld.__code__ = (lambda x: 7).__code__\n",
    "by setattr": "import sys\nsetattr(sys.modules[__name__], 'f', g)\n",
    "through globals": "globals()['f'] = g\n",
    "by exec": "exec('def f(x): return 7')\n",
    "by nothing": "del f\n",
    "its defaults, by another name": "held = f\nheld.__defaults__ = (3,)\n",
    "the code of what it calls, in a function": (
        "def change(held):\n    held.__code__ = (lambda x: 7).__code__\n\n\nchange(helper)\n"
    ),
    "a helper, through globals": "globals()['helper'] = g\n",
    "a constant, through globals": "globals()['LIMIT'] = 4\n",
    "a list, by another name": "held = SIZES\nheld[0] = 5\n",
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
    "    return run\n\nf = timed(f)\n",
    "a list, changed by its name": "SIZES.append(3)\n",
    "a list, changed in a loop over it": "for held in [SIZES]:\n    held[0] = 5\n",
    "a list, changed in a case": "match LIMIT:\n    case _:\n        SIZES[0] = 5\n",
    "a list, changed through two calls": "def put(n):\n    SIZES[0] = n\n\ndef put_all():\n    put(7)\n\nput_all()\n",
    "a constant, bound again": "LIMIT = 4\n",
    "a function, written anew": "def f(x):\n    return x - 1\n",
    "singledispatch": "import functools\n\n@functools.singledispatch\ndef f(x):\n    return x\n\n@f.register\n"
    "def _(x: int):\n    return x + 1\n",
    "partial": "import functools\n\ndef add(a, b):\n    return a + b\n\nf = functools.partial(add, 3)\n",
    "a cache": "import functools\n\n@functools.lru_cache\ndef f(x):\n    return helper(x)\n",
}


@pytest.fixture
def handin(tmp_path):
    with ExitStack() as stack:
        yield lambda text, limits=LIMITS: stack.enter_context(
            closing(open_text(tmp_path, "sample", text, GRADED, limits=limits))
        )


@pytest.fixture(scope="module")
def whole_table(tmp_path_factory):
    """Return a function that makes one hand-in of a table, with a module for each row; and those modules' names."""
    with ExitStack() as stack:

        def make(table):
            modules = {row: f"row_{place}" for place, row in enumerate(table)}
            texts = {modules[row]: text for row, text in table.items()}
            graded = [(module, name) for module in texts for name in ("f", "g")]
            opened = open_texts(tmp_path_factory.mktemp("table"), texts, graded, limits=LIMITS)
            return stack.enter_context(closing(opened)), modules

        yield make


def test_what_replaces_a_function_behind_its_name_leaves_it_open(whole_table):
    student, modules = whole_table({row: PLAIN + more for row, more in REPLACED.items()})

    def check(module):
        said = f"during the import, other lines change {module}.f or something that it uses"
        assert student.why_open(module, "f") == said

    check_rows(check, modules)


def test_what_replaces_a_function_of_numpy_leaves_open_who_calls_it(handin):
    use = "\n\ndef f(x):\n    return np.maximum(x, helper(x)) * SIZES[0]\n\n\n"
    more = "held = np\nheld.maximum, held.minimum = (lambda *given: given[0]), None\n"
    why = handin(PLAIN + use + more).why_open("sample", "f")
    assert why == "during the import, other lines change sample.f or something that it uses"


def test_what_stores_into_numpy_by_its_name_belongs_to_the_slice_which_cannot_run(handin):
    more = "np.maximum, np.minimum = (lambda *given: given[0]), None\n"
    why = handin(f"{PLAIN}\n\ndef f(x):\n    return np.maximum(x, helper(x))\n\n\n{more}").why_open("sample", "f")
    assert "module 'numpy' cannot be changed by a graded function" in why


def test_three_reasons_are_told_of_those_that_open_a_slice(handin):
    uses = "\n    ".join(f"x = {name}(x)" for name in ("vars", "eval", "globals", "open", "compile"))
    why = handin(f"def f(x):\n    {uses}\n    return x\n").why_open("sample", "f")
    assert why == "sample.py:2 uses vars; sample.py:5 uses open; sample.py:4 uses globals; and 2 more"


def test_a_wrong_value_of_slices_is_open_where_the_whole_file_is_right(handin):
    run, values = handin(PLAIN).run("sample", "f", (4,)), []

    def compare(wrong, value):
        values.append(value)
        if len(values) in wrong:
            raise StudentFault(Finding("It is wrong."))

    with pytest.raises(Inconclusive, match=r"It is wrong\. But the whole file is right"):
        run.compared(partial(compare, {1}), Note())
    for wrong in ({4, 5}, {6, 8}):  # the whole file is wrong, too, when it is first called, or called again
        with pytest.raises(StudentFault, match=r"It is wrong\.$"):
            run.compared(partial(compare, wrong), Note())
    assert values == [7] * 8


def test_a_check_judges_only_what_it_has_called_itself(handin):
    student = handin(PLAIN)
    student.run("sample", "g", (1,))
    assert [*student.called] == [("sample", "g")]
    student.judged.add(("sample", "g"))
    student.begin_check()
    assert (student.called, student.judged) == ({}, set())


def test_what_calls_have_changed_by_then_is_no_difference(tmp_path):
    counter = "COUNT = 0\n\n\ndef f(x):\n    global COUNT\n    COUNT += 1\n    return COUNT\n"
    texts = {"first": counter, "second": "import first\n\n\ndef g(x):\n    return first.f(x)\n"}
    with closing(open_texts(tmp_path, texts, [("first", "f"), ("second", "g")], limits=LIMITS)) as student:
        assert student.run("second", "g", (1,)).value == 1
        assert [student.why_open(*function) for function in (("first", "f"), ("second", "g"))] == ["", ""]


def test_a_global_that_only_an_attribute_is_called_by_is_no_difference(handin):
    assert handin("import math\n\npi = 3\n\n\ndef f(x):\n    return math.pi * x\n").why_open("sample", "f") == ""


def test_what_replaces_the_code_of_a_function_by_its_name_is_read(whole_table):
    table = {name: f"{PLAIN}\n\n{name}.__code__ = (lambda x: 7).__code__\n" for name in ("f", "helper")}
    student, modules = whole_table(table)
    for module in modules.values():
        assert "sets .__code__ of an object" in student.why_open(module, "f")
        assert student.run(module, "f", (1,)).value == 7


def test_what_is_what_it_says_is_closed_and_what_replaces_a_function_by_name_is_part_of_its_slice(whole_table):
    student, modules = whole_table({row: f"{PLAIN}\n\n{more}" for row, more in (EQUAL | BOUND_AGAIN).items()})

    def check(module, is_equal):
        assert student.why_open(module, "f") == ""
        assert not is_equal or student.run(module, "f", (4,)).value == 7

    check_rows(check, {row: (module, row in EQUAL) for row, module in modules.items()})


def test_what_an_earlier_call_kept_is_no_difference(handin):
    student = handin("KEPT = {}\n\n\ndef f(x):\n    return KEPT.setdefault(x, x)\n")
    assert student.ask_slices("sample", "f", (3,)).value == 3  # as a module does that imports this one
    assert student.why_open("sample", "f") == ""


def test_what_differs_runs_as_the_whole_file_has_it(handin):
    student = handin(PLAIN + "\n\nglobals()['f'] = g\n")
    answer = student.run("sample", "f", (4,))
    assert answer.value == 4
    assert answer.doubt.startswith("`f` could not be followed: during the import, other lines change")
    assert student.seen_of("sample", "f") == []
    assert student.run("sample", "g", (np.arange(3),)).held_against.work.label == ("argument 0",)


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
    "crashes": "import os\n\n\ndef f(once):\n    if not os.path.exists(once):\n"
    "        open(once, 'w').close()\n        os.abort()\n    return 'again'\n\n\ndef g(x):\n    return x\n",
    "beyond": f"{PLAIN}\n\ndef f(x):\n    return x[7]\n",
}
"""What one hand-in can hold, because nobody asks about more than one of its modules."""


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    graded = [(module, name) for module in ALONE for name in ("f", "g")]
    with closing(open_texts(tmp_path_factory.mktemp("alone"), ALONE, graded, limits=LIMITS)) as opened:
        yield opened


def test_an_open_slice_says_what_opens_it_and_the_whole_files_answer_observed_or_not(student):
    assert "open.py:5 uses os.getpid" in student.why_open("open", "f")
    assert student.run("open", "f", (1,)).value > 0
    assert student.why_open("open", "g") == ""
    assert not student.are_closed([("open", "f"), ("open", "g")])
    assert student.are_closed([("open", "g")])
    student.begin_check()
    for uses in ([("open", "g"), ("open", "f")], [("open", "f")]):
        assert student.run_unobserved(uses, "open", "f", (1,)).value > 0
    assert student.doubts == [], "nobody tried it as a slice"


def test_a_stream_in_a_partial_is_the_same_as_a_slice_and_as_a_whole(student):
    assert student.why_open("stream", "f") == ""


def test_single_reads_and_writes_are_seen_when_asked_for(student):
    for full, count in ((True, 1), (False, 0)):
        seen = student.run("reads", "f", (np.arange(3),), full=full).held_against
        assert (seen.fully, seen.work.reads, seen.work.writes) == (full, count, count)


@pytest.mark.parametrize("ask", ["ask_slices", "ask_plain", "ask_executor"])
def test_all_workers_share_one_time_of_grading(tmp_path, ask):
    limits = Limits(load_s=20, call_s=20, grading_s=1.5)
    text = "def f(x):\n    while True:\n        pass\n"
    with closing(open_text(tmp_path, "sample", text, GRADED, limits=limits)) as student:
        for call in (partial(getattr(student, ask), "sample", "f", (1,)), partial(student.load, "sample")):
            with pytest.raises(Inconclusive, match="all the time of a grading"):
                call()


def test_the_time_of_all_workers_counts_once(student):
    student.begin_check()
    began_s = time.perf_counter()
    for _ in range(3):
        student.ask_slices("plain", "g", (1,))
    assert 0 < student.student_s <= time.perf_counter() - began_s


def test_what_was_seen_of_each_call_is_kept(student):
    for full in (True, False):
        student.run("plain", "g", (np.arange(3),), full=full)
    kept = student.seen_of("plain", "g")
    assert [seen.fully for seen in kept] == [True, False]
    assert kept[0].work.label == ("argument 0",)


def test_what_cannot_be_imported_or_run_as_a_slice_or_raises_in_both_is_the_students(student):
    with pytest.raises(StudentRaised, match="ValueError"):
        student.run("raises", "f", (1,))
    with pytest.raises(StudentFault):
        student.run("second", "f", (1,))
    with pytest.raises(StudentRaised, match="IndexError"):
        student.run("beyond", "f", (np.arange(3),))
    assert student.why_open("beyond", "f") == ""


def test_names_and_output_of_both(handin):
    student = handin(PLAIN + "\n\nprint('while it was imported')\n")
    student.run("sample", "f", (1,))
    assert {"LIMIT", "SIZES"} <= student.words_in("sample", "f")
    assert "while it was imported" in student.output


STRIDED = """
    from numba import njit
    from numpy.lib.stride_tricks import as_strided

    @njit
    def f(A):
        return as_strided(A, A.shape[::-1], A.strides[::-1]).copy()
"""


def test_machine_code_that_may_reach_beyond_arrays_is_for_a_person(handin):
    student, right = handin(STRIDED), [[0, 3], [1, 4], [2, 5]]
    for ask in (student.ask_plain, student.run):
        assert ask("sample", "f", (np.arange(6.0).reshape(2, 3),)).value.tolist() == right
    assert "with its whole file it did not" in student.why_open("sample", "f")


@pytest.mark.parametrize("entry", ["A[k - 4 * (k < 0)]", "A.flat[k]", "A[1:3].flat[k]"])
def test_machine_code_of_slices_reads_and_writes_nothing_beyond_arrays(handin, entry):
    student = handin(f"from numba import njit\n\n@njit\ndef f(A, k):\n    {entry} += 1\n    return A\n")
    assert student.ask_slices("sample", "f", (np.zeros(4), 1)).value.sum() == 1
    for index in (4, -1, -5):
        with pytest.raises(StudentRaised, match="index is out of bounds"):
            student.ask_slices("sample", "f", (np.zeros(4), index))


def test_both_workers_start_before_they_are_needed_and_all_end(handin):
    student = handin(PLAIN)
    student.start()
    before = student.pids
    assert (student.run("sample", "f", (4,)).value, student.pids) == (7, before)
    student.ask_plain("sample", "g", (1,))
    pids = set(student.pids)
    assert len(pids) == 3, "whole, slices and plain"
    student.close()
    assert not any(map(psutil.pid_exists, pids))


def test_what_a_slice_may_not_do_counts_as_the_whole_file_has_it_and_is_open(student):
    assert student.why_open("views", "f") == ""
    answer = student.run("views", "f", (np.arange(3),))
    assert (answer.value, answer.is_observed) == (3, False)
    assert student.why_open("views", "f").startswith("alone it raised, and with its whole file it did not: ")
    assert (student.run("views", "f", (np.arange(4),)).value, student.why_open("views", "g")) == (4, "")


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
    assert student.run("sample", "f", (np.arange(3),)).value == 2
    why = student.why_open("sample", "f")
    assert why.startswith("alone it took too long, and with its whole file it did not: Stopped: ")
    assert student.doubts == [why]


def test_what_is_too_slow_as_a_slice_has_a_third_of_its_limit_as_a_whole(student):
    def as_slices():
        raise StudentTooSlow(Finding("Stopped."))

    given_s = []
    for limit_s in (6.0, None):
        student.try_slices((), as_slices, given_s.append, limit_s)
    assert given_s == [2.0, LIMITS.call_s / 3]


def test_what_a_worker_doubts_is_a_doubt_of_the_check_until_the_next_one(student, tmp_path):
    student.begin_check()
    assert student.ask_whole("crashes", "g", (1,)).value == 1
    assert student.ask_whole("crashes", "f", (str(tmp_path / "once"),)).value == "again"
    for _ in range(2):
        assert ["SIGABRT" in doubt for doubt in student.doubts] == [True], "a fresh worker did not repeat it"
        student.begin_time()
    student.begin_check()
    assert student.doubts == []


def test_a_function_that_is_given_up_is_called_nowhere(handin):
    student = handin(PLAIN)
    student.give_up("sample", "f", StudentFault(Finding("It never ends.")))
    for ask in (student.run, student.ask_whole, student.ask_slices, student.ask_plain, student.ask_executor):
        with pytest.raises(StudentFault, match="It never ends"):
            ask("sample", "f", (1,))
    assert student.run("sample", "g", (1,)).value == 1


def test_what_is_too_slow_and_wrong_as_a_whole_is_too_slow(handin):
    student = handin(PLAIN + ENDLESS_BESIDE_OBSERVERS.replace("x[2]", "x[7]"), limits=SOON)
    with pytest.raises(StudentTooSlow, match="ran longer than "):
        student.run("sample", "f", (np.arange(3),))
    assert student.why_open("sample", "f") == ""


MISSPELT = "def create_batch(x):\n    return x\n\n\ndef max_cpu(x):\n    return x\n\n\ndef helper(x):\n    return x\n"


def test_a_function_that_may_be_meant_by_one_that_is_missing_is_named_and_for_a_ta(tmp_path):
    graded = (("sample", "create_batches"), ("sample", "max_cpu"), ("sample", "max_gpu"))
    student = open_text(tmp_path, "sample", MISSPELT, graded, limits=LIMITS)
    with pytest.raises(Inconclusive, match="has no `create_batches`, but `create_batch`"):
        student.run("sample", "create_batches", (1,))
    with pytest.raises(StudentRaised, match="has no function `max_gpu`"):  # max_cpu is another one
        student.run("sample", "max_gpu", (1,))
    assert student.run("sample", "max_cpu", (1,)).value == 1
    student.close()


def test_a_missing_file_can_be_imported_by_others_and_is_missing_itself(tmp_path):
    text = "from other import helper\n\ndef f(x):\n    return x + 1\n\ndef g(x):\n    return helper(x)\n"
    graded = (*GRADED, ("other", "helper"))
    with closing(open_texts(tmp_path, {"sample": text}, graded, limits=LIMITS, missing=("other.py",))) as student:
        assert student.sample.f(2) == 3
        assert student.are_closed(GRADED)
        with pytest.raises(StudentRaised, match="ImportError: other.py is missing"):
            student.sample.g(2)
        with pytest.raises(StudentFault, match=r"other.py is missing from the submission\."):
            student.other.helper(2)
