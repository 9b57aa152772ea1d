"""Reports on the disk: whole or not there, and never half of an old one."""

import errno
import os

import pytest
from sample_reports import mixed, template

from grader.errors import GraderError, UsageError
from grader.reports import files
from grader.reports.evidence import decode


def test_every_format_and_the_evidence_are_written(report, tmp_path):
    written = files.write_reports(report, tmp_path / "out" / "hw1")
    names = ["report.html", "staff.html", "junit.xml", "results.json", "evidence.json"]
    assert [path.name for path in written] == names
    assert sorted(path.name for path in (tmp_path / "out" / "hw1").iterdir()) == sorted(path.name for path in written)
    assert all(path.stat().st_size for path in written)


def test_a_selection_of_formats_comes_with_the_evidence_and_a_second_report_replaces_the_first(tmp_path):
    written = files.write_reports(mixed(), tmp_path, ["json", "json"])
    assert [path.name for path in written] == ["results.json", "evidence.json"]
    assert decode(written[-1].read_bytes()).submission == mixed().evidence.submission
    files.write_reports(template(), tmp_path)
    files.write_reports(mixed(), tmp_path)
    assert mixed().score_text in (tmp_path / "report.html").read_text()


def test_an_unknown_format_and_an_output_folder_that_is_a_file_are_wrong_usage(tmp_path):
    with pytest.raises(UsageError, match="'pdf': use html, staff, junit, json"):
        files.write_reports(mixed(), tmp_path / "out", ["html", "pdf"])
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").write_text("not a folder")
    with pytest.raises(UsageError, match="--out"):
        files.write_reports(mixed(), tmp_path / "out")


def test_a_renderer_that_fails_leaves_the_old_reports_whole(tmp_path, monkeypatch):
    files.write_reports(template(), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def explode(_):
        raise RuntimeError

    monkeypatch.setitem(files.FORMATS, "json", ("results.json", explode))
    with pytest.raises(RuntimeError):
        files.write_reports(mixed(), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_full_disk_leaves_the_old_file_whole_and_no_rest(tmp_path, monkeypatch):
    path = files.write_atomically(tmp_path / "results.json", b"old")

    def no_space(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(GraderError, match="No space left"):
        files.write_atomically(path, b"new")
    assert [found.read_bytes() for found in tmp_path.iterdir()] == [b"old"]


def test_files_have_the_rights_that_the_user_asked_for(tmp_path):
    before = os.umask(0o027)
    try:
        path = files.write_atomically(tmp_path / "results.json", b"{}")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
