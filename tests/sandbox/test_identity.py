"""A worker's own user id meets the folders that root makes for it."""

import os
import shutil
import sys

import pytest
from subprocesses import ended

from grader.sandbox.identity import let_through


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes folders that another user has to pass")
def test_roots_temporary_folder_can_be_passed_and_not_listed(tmp_path):
    tmp_path.chmod(0o700)
    let_through(str(tmp_path))
    assert tmp_path.stat().st_mode & 0o777 == 0o711


def test_an_ordinary_users_folder_stays_as_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    tmp_path.chmod(0o700)
    let_through(str(tmp_path))
    assert tmp_path.stat().st_mode & 0o777 == 0o700


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
