"""A worker's own user id meets the folders that root makes for it."""

import os

import pytest

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
