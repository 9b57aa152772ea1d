"""Intake: what is refused, what is accepted with a warning, and that nothing is written before all is known."""

import os
import random
import shutil
import stat
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from malformed import zips
from rows import each

from grader.course.platforms.entries import read_entries
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import MAX_TEXT, read_submission
from grader.intake.selection import MAX_FILE_BYTES, find_near

FILES = zips.FILES


def read(tmp_path, data, name="hw1.zip"):
    path = tmp_path / name
    path.write_bytes(data)
    return read_submission(path, tmp_path / "into", FILES)


def written(tmp_path):
    return {path.name: path.read_bytes() for path in (tmp_path / "into").iterdir()}


def accept(tmp_path, members, method=zipfile.ZIP_DEFLATED):
    """Read a zip whose four files are right; return the warnings as one text."""
    submission = read(tmp_path, zips.pack(members, method))
    assert (submission.missing, written(tmp_path)) == ((), zips.CONTENTS)
    return "\n".join(submission.warnings)


@each("build, fragment", zips.REFUSED)
def test_a_malformed_zip_is_refused_in_one_sentence_and_nothing_is_written(tmp_path, build, fragment):
    with pytest.raises(SubmissionRefused) as caught:
        read(tmp_path, build())
    sentence = str(caught.value)
    assert fragment in sentence
    assert len(sentence) < 1000
    assert sentence.isprintable()
    assert [path.name for path in tmp_path.iterdir()] == ["hw1.zip"]


def test_a_submission_tells_names_sizes_and_digests_and_the_same_bytes_give_the_same(tmp_path):
    data = zips.pack([*reversed(zips.right()), ("b", b""), ("a", b"")])
    for name in ("1", "2"):
        (tmp_path / name).mkdir()
    submission = read(tmp_path / "1", data)
    assert (submission, submission.name) == (read(tmp_path / "2", data), "hw1")
    assert [file.name for file in submission.files] == list(FILES)
    assert submission.files[0].size_bytes == len(zips.CONTENTS["utils.py"])
    assert len(submission.sha256) == len(submission.files[0].sha256) == 64


def test_files_are_written_as_plain_files_with_mode_0644(tmp_path):
    accept(tmp_path, [zips.member(name, stat.S_IFREG | 0o4777, data) for name, data in zips.right()])
    assert {path.lstat().st_mode for path in (tmp_path / "into").iterdir()} == {stat.S_IFREG | 0o644}


def test_a_missing_file_is_listed_and_the_others_are_written(tmp_path):
    assert read(tmp_path, zips.pack(zips.right()[:2])).missing == ("matmul_functions.py", "hw1.pdf")
    assert sorted(written(tmp_path)) == ["max_functions.py", "utils.py"]


HARMLESS = [
    (zips.right("hw1/"), "lie in the folder 'hw1'"),
    (zips.right("a/b/c/hw1/"), "lie in the folder 'a/b/c/hw1'"),
    (zips.right("./"), ""),
    (zips.right("hw1//"), "lie in the folder 'hw1'"),
    ([("hw1/", b""), *zips.right("hw1/")], "lie in the folder 'hw1'"),
    ([*zips.right(), ("__MACOSX/._utils.py", b"x")], "'__MACOSX'"),
    ([*zips.right("hw1/"), ("__MACOSX/hw1/._utils.py", b"x")], "'__MACOSX'"),
    ([*zips.right(), ("._utils.py", b"x")], "'._utils.py'"),
    ([*zips.right(), (".DS_Store", b"x")], "'.DS_Store'"),
    ([*zips.right(), ("Icon\r", b"")], "ignored what the computer added"),
    ([*zips.right(), ("__pycache__/utils.cpython-311.pyc", b"x")], "'__pycache__'"),
    ([*zips.right(), (".idea/workspace.xml", b"x")], "'.idea'"),
    ([*zips.right(), ("venv/lib/utils.py", b"x")], "'venv'"),
    ([*zips.right(), zips.member("venv/bin/python", stat.S_IFLNK | 0o777, b"/usr/bin/python")], "'venv'"),
    ([*zips.right(), ("main.py", b"x")], "ignored 1 extra file: 'main.py'"),
    ([*zips.right(), *((f"{n}.txt", b"") for n in range(9))], "ignored 9 extra files"),
    ([*zips.right(), ("nested.zip", zips.pack(zips.right()))], "'nested.zip'"),
    ([*zips.right(), ("aux.py", b"x"), ("con", b"")], "'aux.py', 'con'"),
    ([*zips.right(), ("דוח.pdf", b"x")], "'דוח.pdf'"),
    ([*zips.right(), ("old/utils.py", b"wrong")], "'old/utils.py'"),
    ([zips.right()[0], *zips.right("old/", utils=b"wrong")], "'old/utils.py'"),
    ([("a/utils.py", b"wrong"), *zips.right("final/"), ("old/utils.py", b"wrong")], "'old/utils.py'"),
    ([*zips.right()[:3], ("report/hw1.pdf", zips.CONTENTS["hw1.pdf"])], "'report'"),
    ([("Utils.PY", zips.CONTENTS["utils.py"]), *zips.right()[1:]], "'Utils.PY' was taken as utils.py"),
    ([*zips.right(), ("a.txt", b""), ("A.txt", b"")], "ignored 2 extra files"),
    ([*zips.right(), ("\u202egpj.py", b"")], "'\N{REPLACEMENT CHARACTER}gpj.py'"),
]
"""Members of a zip, and a part of the warning."""


@each("members, fragment", HARMLESS)
def test_harmless_disorder_is_accepted_with_a_warning(tmp_path, members, fragment):
    assert fragment in accept(Path(tempfile.mkdtemp(dir=tmp_path)), members)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_a_right_zip_packed_by_a_usual_method_is_accepted_without_a_warning(tmp_path, method):
    assert accept(tmp_path, zips.right(), method) == ""


def test_backslashes_as_separators_are_read_as_folders(tmp_path):
    submission = read(tmp_path, zips.pack(zips.right("hw1/")).replace(b"hw1/", b"hw1\\"))
    assert written(tmp_path) == zips.CONTENTS
    assert any("backslashes" in warning for warning in submission.warnings)


def test_windows_line_ends_are_kept_and_empty_files_mentioned(tmp_path):
    submission = read(tmp_path, zips.pack(zips.right(utils=b"x = 1\r\ny = 2\r\n", max_functions=b" \n", hw1=b"")))
    assert written(tmp_path)["utils.py"] == b"x = 1\r\ny = 2\r\n"
    assert (submission.missing, submission.warnings) == ((), ("empty: 'max_functions.py', 'hw1.pdf'",))


@pytest.mark.parametrize("name", ["hw1.pdf.pdf", "my report.pdf"])
def test_a_nearly_right_name_and_the_only_pdf_are_suggested_and_one_of_two_is_not(tmp_path, name):
    one = [*zips.right()[:3], (name, b"x")]
    submission = read(tmp_path, zips.pack(one))
    assert submission.missing == ("hw1.pdf",)
    assert f"hw1.pdf is missing, but there is '{name}': is it meant?" in submission.warnings
    (tmp_path / "two").mkdir()
    two = [*one[:3], ("my report.pdf", b"x"), ("lecture.pdf", b"x")]
    assert not any("is it meant" in text for text in read(tmp_path / "two", zips.pack(two)).warnings)


def test_python_files_that_were_not_unpacked_are_remembered_by_name(tmp_path):
    extra = [(name, b"") for name in ("main.py", "sub/helpers.py", "utils.PY", "notes.txt", "__MACOSX/a.py")]
    submission = read(tmp_path, zips.pack([member for member in zips.right() if member[0] != "utils.py"] + extra))
    assert submission.spare == ("main.py", "sub/helpers.py")


STORED = zips.pack([*zips.right(), ("extra.bin", b"x" * 50)], zipfile.ZIP_STORED)
WHOLE = {
    "damage in an extra file": STORED.replace(b"xxxx", b"xxyx", 1),
    "beside a small file of nothing but zeros": zips.pack([*zips.right(), ("zeros.bin", bytes(1 << 20))]),
    "behind a self extractor": b"MZ" + bytes(500) + zips.pack(zips.right()),
    "a name in an old code page": zips.pack([*zips.right(), ("xy.txt", b"")]).replace(b"xy.txt", b"\x8e\xff.txt"),
}


@each("data", WHOLE)
def test_what_lies_around_the_files_does_not_cost_the_submission(tmp_path, data):
    assert read(Path(tempfile.mkdtemp(dir=tmp_path)), data).missing == ()


@pytest.mark.skipif(not shutil.which("zip"), reason="needs zip")
def test_no_part_of_a_split_archive_is_graded_as_if_it_were_the_whole(tmp_path):
    files = {**zips.CONTENTS, "hw1.pdf": random.Random(1).randbytes(150_000)}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    subprocess.run(["zip", "-q", "-s", "64k", "hw1.zip", *files], cwd=tmp_path, check=True)
    assert sorted(path.name for path in tmp_path.glob("hw1.z*")) == ["hw1.z01", "hw1.z02", "hw1.zip"]
    with pytest.raises(SubmissionRefused, match=r"'hw1.zip' is only the last of 3 parts of .*: make one zip"):
        read_submission(tmp_path / "hw1.zip", tmp_path / "into", FILES)
    for name in ("hw1.z01", "hw1.z02"):
        with pytest.raises(SubmissionRefused, match=f"'{name}' is only a part of a split archive: make one zip"):
            read_submission(tmp_path / name, tmp_path / "into", FILES)
    assert not (tmp_path / "into").exists()
    with pytest.raises(UsageError, match=r"hw1.zip is only the last of 3 parts .*: join them"):
        read_entries(tmp_path / "hw1.zip")


@pytest.mark.parametrize("name", ["hw1.zip.001", "hw1.7z.002", "hw1.part2.rar", "hw1.r00"])
def test_a_part_by_its_name_is_said_to_be_one(tmp_path, name):
    half = zips.pack(zips.CONTENTS.items())[:500]
    with pytest.raises(SubmissionRefused, match=f"'{name}' is only a part of a split archive"):
        read(tmp_path, half, name)


@pytest.mark.parametrize("comment", [b"", b"PK", b"x" * 65535])
def test_a_comment_at_its_end_makes_no_archive_a_part(tmp_path, comment):
    data = zips.pack(zips.CONTENTS.items())
    assert data.endswith(b"\0\0"), "the length of its comment"
    assert not read(tmp_path, data[:-2] + len(comment).to_bytes(2, "little") + comment).missing


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=12),
    cut=st.integers(0, 40),
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2]),
)
def test_mutated_bytes_are_read_or_refused_and_never_a_traceback(tmp_path_factory, changes, cut, method):
    data = bytearray(zips.pack(zips.right("hw1/"), method))
    for where, value in changes:
        data[where % len(data)] = value
    folder = tmp_path_factory.mktemp("mutated")
    try:
        files = read(folder, bytes(data[: len(data) - cut])).files
    except SubmissionRefused:
        assert not (folder / "into").exists()
    else:
        assert set(written(folder)) == {file.name for file in files}


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path):
        folder = tmp_path / "homework"
        folder.mkdir()
        for name, data in zips.CONTENTS.items():
            (folder / name).write_bytes(data)
        return folder

    def read(self, tmp_path, folder):
        return read_submission(folder, tmp_path / "into", FILES)

    def test_a_folder_is_read_like_a_zip_and_further_files_in_it_are_worth_no_warning(self, tmp_path, folder):
        (folder / "network.py").write_text("pass")
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / "utils.pyc").write_bytes(b"0")
        submission = self.read(tmp_path, folder)
        assert (submission.name, submission.warnings) == ("homework", ())
        assert written(tmp_path) == zips.CONTENTS

    def test_its_digest_tells_a_byte_and_no_extra_file_and_its_name_is_its_own(self, tmp_path, folder, monkeypatch):
        before = self.read(tmp_path, folder).sha256
        (folder / "notes.txt").write_text("x")
        assert read_submission(folder, tmp_path / "second", FILES).sha256 == before
        (folder / "utils.py").write_text("x")
        assert read_submission(folder, tmp_path / "third", FILES).sha256 != before
        monkeypatch.chdir(folder)
        assert read_submission(Path(), tmp_path / "fourth", FILES).name == "homework"

    def test_an_empty_folder_is_refused(self, tmp_path):
        (tmp_path / "homework").mkdir()
        with pytest.raises(SubmissionRefused, match="is empty"):
            self.read(tmp_path, tmp_path / "homework")

    def test_a_link_that_stays_inside_is_followed(self, tmp_path, folder):
        (folder / "sub").mkdir()
        (folder / "utils.py").rename(folder / "sub" / "mine.py")
        (folder / "utils.py").symlink_to("sub/mine.py")
        self.read(tmp_path, folder)
        assert written(tmp_path) == zips.CONTENTS

    @pytest.mark.parametrize(
        ("target", "why"),
        [
            *(("/etc/passwd", "link that leads out"), ("../secret.py", "link that leads out")),
            *(("nothing.py", r"utils\.py|nothing\.py"), ("utils.py", r"utils\.py|nothing\.py")),
            ("data.bin", r"utils\.py.* is larger than 64 MiB"),
        ],
    )
    def test_a_link_to_what_is_no_file_inside_is_refused(self, tmp_path, folder, target, why):
        (tmp_path / "secret.py").write_text("x")
        with (folder / "data.bin").open("wb") as file:
            file.truncate(MAX_FILE_BYTES + 1)
        (folder / "utils.py").unlink()
        (folder / "utils.py").symlink_to(target)
        with pytest.raises(SubmissionRefused, match=why):
            self.read(tmp_path, folder)
        assert not (tmp_path / "into").exists()

    def test_a_linked_folder_is_not_entered(self, tmp_path, folder):
        (folder / "hw1.pdf").unlink()
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "hw1.pdf").write_text("secret")
        (folder / "report").symlink_to(outside)
        assert self.read(tmp_path, folder).missing == ("hw1.pdf",)

    @pytest.mark.parametrize("name", ["utils.py", "extra"])
    def test_a_pipe_is_refused_and_not_waited_for(self, tmp_path, folder, name):
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)
        with pytest.raises(SubmissionRefused, match="device, pipe or socket"):
            self.read(tmp_path, folder)


@each(
    "path, why",
    {
        "missing": ("absent/hw1.zip", "No such file"),
        "device": ("/dev/zero", "neither a file nor a folder"),
        "long": ("n" * 5000, "File name too long"),
        "nul": ("a\0b", "the name is not valid"),
    },
)
def test_a_path_that_is_no_file_is_a_usage_error(tmp_path, path, why):
    with pytest.raises(UsageError, match=why):
        read_submission(Path(path), tmp_path / "into", FILES)


def test_a_used_folder_is_not_written_into(tmp_path):
    (tmp_path / "into").mkdir()
    (tmp_path / "into/utils.py").write_text("of another student")
    with pytest.raises(UsageError, match="is not empty"):
        read(tmp_path, zips.pack(zips.right()))


def test_the_text_of_code_is_kept_for_reports_and_that_of_a_pdf_is_not(tmp_path):
    source = b"\xef\xbb\xbfdef f():\r\n    return '\x1b[31m\xff'\r\n" + b"#" * 200_000
    (tmp_path / "hw1").mkdir()
    (tmp_path / "hw1/utils.py").write_bytes(source)
    (tmp_path / "hw1/hw1.pdf").write_bytes(b"%PDF-1.4")
    code, pdf = read_submission(tmp_path / "hw1", tmp_path / "files", ("utils.py", "hw1.pdf")).files
    assert code.text.startswith("def f():\n    return '\ufffd[31m\ufffd'\n#")
    assert (len(code.text), pdf.text) == (MAX_TEXT, "")


def test_no_python_file_is_meant_by_a_report_and_a_report_under_another_name_is():
    assert find_near("distributed.pdf", ["distributedcheck.py"]) == ""
    assert find_near("distributed.pdf", ["distributedcheck.py", "report.pdf"]) == "report.pdf"
    assert find_near("utils.py", ["util.py", "utils.pdf"]) == "util.py"
    assert find_near("layers.py", ["layerscheck.py"]) == ""  # the kit's, which lies in each student's folder
