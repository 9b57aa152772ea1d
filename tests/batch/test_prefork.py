"""What a forked grading finds ready."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASK = """
import os, sys
from pathlib import Path
from grader.assignment import load_assignment
from grader.batch.model import GradingOptions
from grader.batch.prefork import warm_up

warm_up(load_assignment("hw1"), GradingOptions(data="digits", device="cpu", sandbox="limits"))
before = set(sys.modules)
if (child := os.fork()) == 0:
    import numpy as np
    import scipy.linalg
    from grader.grading import Options, grade

    np.ones((600, 600)) @ np.ones((600, 600))
    scipy.linalg.lu_factor(np.ones((300, 300)) + np.eye(300))
    report = grade(Path(sys.argv[1]), load_assignment("hw1"), Options(device="cpu", sandbox="limits", only=("report",)))
    print(len(os.listdir("/proc/self/task")), "threads")
    print(*sorted(name for name in set(sys.modules) - before if "test_" in name or name.startswith("_pytest")))
    sys.stdout.flush()
    os._exit(0)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_a_forked_grading_has_one_thread_and_imports_neither_pytest_nor_checks(tmp_path):
    (tmp_path / "utils.py").write_text("")
    environment = {name: text for name, text in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = [sys.executable, "-c", ASK, str(tmp_path)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == ["1 threads", ""], said.stderr
