"""Another user than root: a worker's own id, and this folder once more as an ordinary user."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rows import each
from subprocesses import ended

import grader
from grader.sandbox.identity import let_through


@each("user_id, mode", [(0, 0o711), (1000, 0o700)])
def test_roots_temporary_folder_can_be_passed_not_listed_and_a_users_stays(tmp_path, monkeypatch, user_id, mode):
    monkeypatch.setattr(os, "geteuid", lambda: user_id)
    tmp_path.chmod(0o700)
    let_through(str(tmp_path))
    assert tmp_path.stat().st_mode & 0o777 == mode


WITHOUT_CAPABILITIES = """
from grader.sandbox import levels
choice = levels.choose_launcher("auto", "cpu")
print(choice.launcher.level, choice.launcher.identity.drops, choice.note)
"""


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root has capabilities to lose")
def test_root_without_capabilities_stays_root_and_says_so():
    command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", sys.executable, "-c", WITHOUT_CAPABILITIES]
    done = ended(command)
    if "UsageError" in done.stderr:
        pytest.skip("no level works here without capabilities")
    level, drops, note = done.stdout.split(maxsplit=2)
    assert level in {"full", "landlock"}
    assert drops == "False"
    assert "Submissions run under root's user id, without its rights" in note


USER = 20001
DROPPED = ["--reuid", str(USER), "--regid", str(USER), "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]


def find_python():
    """Return an interpreter of this version that everybody may run; skip if there is none."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for folder in ("/usr/bin", "/usr/local/bin"):
        path = Path(folder, version)
        if path.exists() and all(parent.stat().st_mode & 1 for parent in path.resolve().parents):
            return path
    pytest.skip(f"no {version} that an ordinary user may run")
    return None


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user runs the tests beside this one already")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv, of util-linux")
@pytest.mark.parametrize("part", ["test_attacks.py", "test_limits.py", "test_survivors.py", "test_levels.py"])
def test_the_same_holds_for_an_ordinary_user(part):
    folder = Path(f"/tmp/grader-ordinary-{os.getpid()}-{part}")
    folder.mkdir(mode=0o755)
    try:
        subprocess.run([find_python(), "-m", "venv", "--without-pip", folder / "env"], check=True)
        site = next(folder.glob("env/lib/python*/site-packages"))
        libraries, project = Path(np.__file__).parents[1], Path(grader.__file__).parents[1]
        (site / "shared.pth").write_text(f"{libraries}\n{project}\n")
        (folder / "home").mkdir()
        for path in (folder, folder / "home"):
            os.chown(path, USER, USER)
        environment = ["env", "-i", f"HOME={folder}/home", "PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"]
        tests = [folder / "env/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={folder}/base"]
        done = ended(["setpriv", *DROPPED, *environment, *tests, Path(__file__).with_name(part)], cwd=project)
    finally:
        shutil.rmtree(folder)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) > 5
