"""WorkerClient code is called, watched, stopped and replaced; only the guilty call pays."""

import re
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import psutil
import pytest
from rows import each

from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentStopped, WorkerError
from grader.worker.client import Staff, WorkerClient
from grader.worker.process import Limits
from grader.worker.runs import receive_answer


def test_a_call_returns_plain_data_which_later_calls_leave_as_it_is(submit):
    utils = submit("def double(x): return [2 * x, None]").utils
    doubled, nothing = utils.double(np.arange(3))
    utils.double(np.full(3, 8))
    assert doubled.tolist() == [0, 2, 4]
    assert nothing is None


def test_a_worker_that_does_not_start_is_replaced_by_the_next_call(starter):
    text = "def one(): return 1"
    starts = [starter(text), *(starter(text, limits=Limits(start_s=0.001)) for _ in range(2))]

    def start():
        return starts.pop()()

    with closing(WorkerClient(start, Limits())) as student:
        for _ in range(2):  # the second is a fresh one
            with pytest.raises(WorkerError, match="the worker did not start"):
                student.utils.one()
            assert student.output == "", "what it printed can still be asked for"
        assert student.utils.one() == 1


def test_a_lower_limit_of_the_machine_than_ours_stays():
    program = """if True:
        import resource
        from grader.worker import child, launcher
        resource.setrlimit(resource.RLIMIT_CPU, (50, 50))
        child.set_limits(launcher.Settings("", "", limits=launcher.Limits(cpu_s=100)))
        print(resource.getrlimit(resource.RLIMIT_CPU))"""
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "(50, 50)\n"


RAISED = {
    "function, line and text": (
        "def f(x):\n    raise ValueError(f'no {x}')",
        ("`f` raised ValueError: no 5$", "utils.py:2", "raise ValueError(f'no {x}')"),
    ),
    "without the folder of the grading": (
        "import os\ndef f(x): raise OSError(f'{__file__}:7, {os.path.relpath(__file__)}:8')",
        ("`f` raised OSError: utils.py:7, utils.py:8$", "", ""),
    ),
    "a syntax error": ("def f(:\n    pass", ("Importing utils.py raised SyntaxError", "utils.py:1", "")),
    "without Numba's own stages": (
        "from numba import njit\n@njit\ndef f(x):\n    return absent + x",
        ("`f` raised TypingError: name 'absent' is not defined", "", ""),
    ),
}


@each("text, said", RAISED)
def test_an_exception_says_what_is_wrong_and_where(submit, text, said):
    with pytest.raises(StudentRaised) as raised:
        submit(text).utils.f(5)
    finding, (message, location, line) = raised.value.finding, said
    assert re.match(message, finding.message)
    assert "During: Pass" not in finding.message
    assert finding.location == (location or finding.location)
    assert line in finding.line


SLY = "class Sly(Exception):\n    def __str__(self): raise SystemExit\n"
ENDINGS = {
    "its text raises": (StudentRaised, "no text", f"{SLY}def f(): raise Sly"),
    "sys.exit": (StudentRaised, "SystemExit", "import sys\ndef f(): sys.exit(0)"),
    "a usual package is not here": (Inconclusive, "utils.py imports seaborn", "import seaborn\ndef f(): return 1"),
    "nobody has a module": (StudentRaised, "No module named 'nunpy'", "import nunpy\ndef f(): return 1"),
    "too large": (StudentRaised, "do not fit", "import numpy\ndef f(): return numpy.broadcast_to(1.0, (1 << 30,))"),
}


@each("error, words, text", ENDINGS)
def test_whose_fault_an_ending_is_and_what_is_said_of_it(submit, error, words, text):
    with pytest.raises(error, match=words):
        submit(text, spare=("main.py", "nump.py")).utils.f()


@each(
    "body, how",
    *(("import os; os.kill(os.getpid(), 11)", "SIGSEGV"), ("import os; os.abort()", "SIGABRT")),
    *(("import os; os._exit(3)", "exit code 3"), ("import ctypes; ctypes.string_at(0)", "SIGSEGV")),
)
def test_a_crash_in_a_fresh_worker_is_named_and_the_next_call_works(submit, body, how):
    student = submit(f"""
        def crash():
            print("so far", flush=True)
            {body}
        def fine(): return 1
    """)
    with pytest.raises(StudentStopped, match=how):
        student.utils.crash()
    assert student.output.count("so far") == 1, "what was printed stays, and a fresh worker is not asked again"
    assert not student.doubts
    assert student.utils.fine() == 1


def test_what_the_system_kills_is_tried_again_and_never_the_students_fault(submit, tmp_path):
    student = submit(f"""
        import os, pathlib
        once = pathlib.Path({str(tmp_path / "once")!r})
        def killed(): os.kill(os.getpid(), 9)
        def killed_once():
            if not once.exists():
                once.touch()
                os.kill(os.getpid(), 9)
            return 1
    """)
    said = "The system killed the process in the middle of `killed`, as it does when memory"
    with pytest.raises(WorkerError, match=said):
        student.utils.killed()
    assert student.utils.killed_once() == 1
    assert "It did not when the call was repeated" in student.doubts[-1]


def test_a_repeated_call_is_timed_when_its_function_is_compiled(submit, tmp_path):
    student = submit(f"""
        import os, pathlib
        crashed = pathlib.Path({str(tmp_path / "crashed")!r})
        calls = []
        def fine(): return 1
        def crash_once():
            if not crashed.exists():
                crashed.touch()
                os.abort()
            calls.append(1)
            return len(calls)
    """)
    student.utils.fine()
    answer = student.call("utils", "crash_once", (), timed=True)
    assert answer.value == 2, "the first call in the new worker compiles"
    assert answer.returned_s > 0


@each(
    "text, said, afterwards",
    ("def hang():\n    while True: pass", "Stopped: `hang` ran longer than 1 s", "not called again"),
    ("while True: pass", "the import of utils.py", None),
)
def test_a_hang_is_stopped_and_after_two_strikes_not_tried_again(submit, text, said, afterwards):
    student = submit(text, limits=Limits(load_s=0.5 if said.endswith(".py") else 3, call_s=1))
    for _ in range(2):
        with pytest.raises(StudentStopped, match=said):
            student.utils.hang()
    before_s = student.student_s
    with pytest.raises(StudentStopped, match=afterwards):
        student.utils.hang()
    assert student.student_s == before_s, "the third time, nothing ran"


def test_what_was_stopped_is_not_called_again_where_that_is_not_worth_its_time(submit):
    student = submit("def hang():\n    while True: pass", limits=Limits(load_s=3, call_s=0.5))
    for said in ("ran longer than", "was not called again"):
        with pytest.raises(StudentStopped, match=said):
            student.utils.hang()
        student.allowance.calls_again = False


def test_a_missing_function_and_a_missing_file_are_named(submit):
    student = submit("x = 5", missing=("max_functions.py",))
    with pytest.raises(StudentFault, match="utils.py has no function `sigmoid`"):
        student.utils.sigmoid(1)
    with pytest.raises(StudentFault, match="max_functions.py is missing"):
        student.max_functions.max_cpu(1, 2)
    with pytest.raises(StudentFault, match="utils.py has no function `x`"):
        student.utils.x()


@pytest.mark.parametrize("spare", ["helpers.py", "hw1/helpers/first.py"])
def test_a_module_of_the_students_own_that_was_not_unpacked_is_for_a_person(submit, spare):
    student = submit("def late(): import helpers.first", spare=("main.py", spare))
    with pytest.raises(Inconclusive, match=f"utils.py imports helpers.*{spare}.*A TA decides"):
        student.utils.late()


def test_overwritten_arguments_are_noticed_also_inside_lists(submit):
    student = submit("def spoil(array, arrays): arrays[1][0] = 9")
    mine = np.zeros(3)
    answer = student.call("utils", "spoil", (mine, [np.ones(2), np.ones(2)]), watch_inputs=True)
    assert (answer.inputs_changed, mine.tolist()) == ((1,), [0, 0, 0])
    unknown = np.array([np.nan, 1.0])
    answer = student.call("utils", "spoil", (unknown, [unknown, np.ones(2)]), watch_inputs=True)
    assert answer.inputs_changed == (1,), "NaN is no other number than before"


def test_prints_are_kept_and_capped_and_cost_nothing(submit):
    student = submit("""
        import sys
        def chat(): print("hello"); print("on stderr", file=sys.stderr); return 1
        def flood():
            for _ in range(100_000): print("x" * 100)
            return 2
    """)
    assert student.utils.chat() == 1
    assert "hello" in student.output
    assert "on stderr" in student.output
    assert student.utils.flood() == 2
    assert len(student.output) <= 8000


def test_each_check_has_what_was_printed_since_it_began_free_of_terminal_escapes(submit):
    student = submit("def chat(word): print(word)")
    for word in ("first", "second"):
        student.begin_check()
        student.utils.chat(word)
        assert student.output == f"{word}\n"
    student = submit(r'def paint(): print("\x1b[31mred\x1b[0m \u202etxet")')
    student.utils.paint()
    assert "\x1b" not in student.output
    assert "\u202e" not in student.output


def test_a_reply_that_nobody_asked_for_is_the_students_failure(submit):
    student = submit("""
        import os, socket, stat
        def forge():
            for fd in range(3, 400):
                try:
                    if stat.S_ISSOCK(os.fstat(fd).st_mode):
                        socket.socket(fileno=os.dup(fd)).sendall((9).to_bytes(4, "big") + b"forgery!!")
                except OSError:
                    pass
            return 1
    """)
    with pytest.raises(StudentStopped, match="could not be read"):
        student.utils.forge()


def test_nothing_of_the_process_tree_survives(submit, tmp_path):
    marks = tmp_path / "pids"
    student = submit(f"""
        import os, time
        def daemonise():
            for _ in range(3):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        open({str(marks)!r}, "a").write(f"{{os.getpid()}}\\n")
                        time.sleep(1000)
                    os._exit(0)
            while not os.path.exists({str(marks)!r}) or open({str(marks)!r}).read().count("\\n") < 3:
                time.sleep(0.01)
            return 1
    """)
    assert student.utils.daemonise() == 1
    pids = [int(line) for line in marks.read_text().split()]
    assert len(pids) == 3
    assert all(map(psutil.pid_exists, pids))
    student.close()
    assert not any(map(psutil.pid_exists, pids))


def test_the_scratch_folder_is_gone_afterwards(submit):
    write = "def write():\n    pathlib.Path('file').write_text('x')\n    return os.getcwd()"
    student = submit(f"import os, pathlib\n{write}")
    folder = Path(student.utils.write())
    assert folder.exists()
    student.close()
    assert not folder.exists()


def test_the_environment_is_an_allow_list(submit, monkeypatch):
    monkeypatch.setenv("GRADER_SECRET", "42")
    assert "GRADER_SECRET" not in submit("import os\ndef names(): return sorted(os.environ)").utils.names()


def test_whoever_imports_numba_cuda_gets_the_executor(submit):
    source = 'import importlib\ndef runs(): return importlib.import_module("num" + "ba.cuda").implementation'
    assert submit(source).utils.runs() == "CPU executor"


def test_the_clock_starts_before_the_worker_can(starter):
    with closing(starter("import time\ndef nap(): time.sleep(0.2)")()) as worker:
        sent = worker.send("utils", "nap", ())
        time.sleep(0.5)
        assert receive_answer(worker, sent, 5).wall_s > 0.5, "the parent was late; the student may not gain by that"


def test_what_goes_wrong_in_the_staffs_own_code_is_ours(starter):
    with closing(Staff(starter("def broken(): return 1 / 0\ndef fine(): return 1"), Limits())) as staff:
        with pytest.raises(WorkerError, match="staff's own utils.broken failed.*ZeroDivisionError"):
            staff.utils.broken()
        assert staff.utils.fine() == 1


def test_a_worker_has_a_user_and_a_home(submit):
    who = "def who(): return [getpass.getuser(), pathlib.Path.home().is_dir()]"
    assert submit(f"import getpass, pathlib\n{who}").utils.who() == ["student", True]
