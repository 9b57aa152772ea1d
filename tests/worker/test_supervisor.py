"""The supervisor's own means, in this process: looking at a tree, and removing a folder whatever is in it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.worker import supervisor


def test_a_folder_is_removed_with_links_closed_parts_and_odd_names(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    folder = tmp_path / "scratch"
    (folder / "a/b").mkdir(parents=True)
    (folder / "a/b/file").write_text("x")
    (folder / ".moved-1").write_text("a name that the removal uses itself")
    (folder / ".moved-2").mkdir()
    (folder / "\n\udcff").write_text("x")
    (folder / "link").symlink_to(outside)
    (folder / "dangling").symlink_to("nowhere")
    (folder / "a").chmod(0o000)
    supervisor.remove_tree(str(folder))
    assert not folder.exists()
    assert (outside / "kept").exists()


def test_a_folder_deeper_than_any_path_is_removed(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        for _ in range(60):
            Path("deep" * 50).mkdir()
            os.chdir("deep" * 50)
    finally:
        os.fchdir(here)
        os.close(here)
    supervisor.remove_tree(str(folder))
    assert not folder.exists()


def test_a_folder_that_is_not_there_is_no_error(tmp_path):
    supervisor.remove_tree(str(tmp_path / "gone"))


@pytest.fixture
def tree():
    """A child with a child."""
    program = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(30)'])"
    with subprocess.Popen([sys.executable, "-c", program]) as child:
        deadline = time.monotonic() + 10
        while len(supervisor._descendants(child.pid)) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        yield child
        for pid in [*supervisor._descendants(child.pid), child.pid]:
            os.kill(pid, 9)


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_both_ways_to_list_a_tree_agree(tree):
    assert len(supervisor._below(tree.pid)) == 1
    assert sorted(supervisor._below(tree.pid)) == sorted(supervisor._descendants(tree.pid))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_memory_is_that_of_the_process_and_shared_pages_count_less():
    own = os.getpid()
    assert supervisor._resident_bytes(own) > 10 << 20
    assert 0 < supervisor._proportional_bytes(own) <= supervisor._resident_bytes(own) * 1.1
    assert supervisor._resident_bytes(2**22 + 1) == 0, "a process that is gone"


def test_a_watch_names_what_is_exceeded(tmp_path):
    (tmp_path / "file").write_bytes(b"x" * 100_000)
    assert supervisor._exceeds(str(tmp_path), 50_000)
    assert not supervisor._exceeds(str(tmp_path), 500_000)
