"""The command line as people meet it: exit codes, files, and one clear sentence for what cannot be."""

import errno
import io
import json
import os
import re
import subprocess
import sys
import zipfile

import handins
import pytest
from malformed import zips
from rows import each
from subprocesses import ended

from grader import __main__ as cli
from grader.__main__ import run
from grader.commands import HELP, USAGE, run_safely


def grader(*arguments, env=None):
    return ended([sys.executable, "-m", "grader", *map(str, arguments)], timeout=120, env=env)


@pytest.fixture
def inside(capsys):
    """Return a function that does in this process what `grader` does in one of its own."""

    def run_inside(*arguments):
        capsys.readouterr()
        try:
            code = run([*map(str, arguments)])
        except SystemExit as end:
            code = end.code
        told = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, told.out, told.err)

    return run_inside


@pytest.fixture
def grade(inside, tmp_path):
    """Grade with few checks, on the embedded data, into `tmp_path / "out"`; by default in this process."""
    path = tmp_path / "hw1_012345678.zip"
    path.write_bytes(handins.packed(handins.reference_files()))

    where = ("--out", tmp_path / "out", "--data", "digits", "--device", "cpu", "--seed", 7)
    return lambda *words, submission=path, by=inside: by("grade", submission, *where, *words)


def written(tmp_path):
    return sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file())


def assert_one_sentence(done, *words):
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert all(word in done.stderr + done.stdout for word in words)


def passed(tmp_path):
    outcomes = json.loads((tmp_path / "out/hw1_012345678/results.json").read_text())["extra_data"]["outcome"]
    return {check for check, outcome in outcomes.items() if outcome == "passed"}


def test_a_grading_writes_every_report_and_exits_with_0(grade, tmp_path):
    done = grade("--only", "utils", by=grader)
    assert done.returncode == 0, done.stderr
    names = ["evidence.json", "junit.xml", "report.html", "results.json", "staff.html"]
    assert written(tmp_path) == [f"hw1_012345678/{name}" for name in names]
    assert "utils.sigmoid" in done.stdout
    assert "report.html" in done.stdout


def test_only_runs_what_was_asked_for_and_leaves_the_rest_open(grade, tmp_path):
    assert grade("--only", "utils.sigmoid", "--only", "report").returncode == 0
    assert passed(tmp_path) == {"utils.sigmoid", "report.pdf"}
    told = json.loads((tmp_path / "out/hw1_012345678/results.json").read_text())["extra_data"]
    assert (told["outcome"]["max.cpu.correct"], told["provisional"]) == ("not_measured", True)


def test_the_report_on_another_file_of_the_same_name_stays(grade, tmp_path):
    for number in (1, 2, 2):
        path = tmp_path / str(number) / "hw1.zip"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(handins.packed({"utils.py": b"# %d\n" % number}))
        done = grade("--only", "submission", submission=path)
        assert done.returncode == 0, done.stderr
    first, second = sorted((tmp_path / "out").iterdir())
    assert first.name == "hw1"
    assert second.name.startswith("hw1-")
    assert "hw1 holds the report on another file" in done.stderr
    digests = [json.loads((folder / "evidence.json").read_text())["submission"]["sha256"] for folder in (first, second)]
    assert digests[0] != digests[1]


FILES, OPEN_WITHOUT_A_GPU = "submission.files", "max.gpu.speedup"


@pytest.mark.parametrize(("only", "points", "code"), [(FILES, 0, 0), (FILES, 0.5, 1), (OPEN_WITHOUT_A_GPU, 0.5, 1)])
def test_a_score_below_fail_under_exits_with_1_and_still_reports(grade, tmp_path, only, points, code):
    assert grade("--only", only, "--fail-under", points).returncode == code
    assert "hw1_012345678/report.html" in written(tmp_path)


def test_a_path_that_does_not_exist_and_an_incomplete_data_folder_exit_with_2(grade, tmp_path):
    done = grade(submission=tmp_path / "hw2.zip")
    assert_one_sentence(done, "hw2.zip")
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"")
    assert_one_sentence(grade("--data", tmp_path), "t10k-images-idx3-ubyte")


def test_a_dangerous_zip_exits_with_2_and_a_report_that_says_why(grade, tmp_path):
    buffer = io.BytesIO(handins.packed(handins.reference_files()))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("../../evil.py", "print('out of the folder')")
    path = tmp_path / "hw1.zip"
    path.write_bytes(buffer.getvalue())
    assert_one_sentence(grade(submission=path), "evil.py")
    assert "evil.py" in (tmp_path / "out/hw1/report.html").read_text("utf-8")
    assert json.loads((tmp_path / "out/hw1/results.json").read_text())["score"] == 0
    assert not list(tmp_path.parent.rglob("evil.py"))


def test_a_file_that_is_no_zip_exits_with_2_and_a_report(grade, tmp_path):
    path = tmp_path / "hw1.zip"
    path.write_bytes(b"%PDF-1.4 this is the report, not the zip")
    assert_one_sentence(grade(submission=path), "PDF")
    assert "hw1/report.html" in written(tmp_path)


@each(
    "arguments, words",
    *((("--only", "max.gpu.corect"), ["max.gpu.corect"]), (("--seed", "-1"), ["-1"])),
    (("--assignment", "hw9"), ["hw9", "hw1"]),
    *((("--device", "tpu"), ["tpu"]), (("--rubric", "nowhere.toml"), ["nowhere.toml"])),
)
def test_an_impossible_option_exits_with_2_and_names_its_value(grade, tmp_path, arguments, words):
    assert_one_sentence(grade(*arguments), *words)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["grade x", "batch x", "package gradescope", "selftest", "doctor", "check", "zip"])
@pytest.mark.parametrize(("folder", "why"), [("mnits", "no folder 'mnits'"), ("empty", "'empty' does not hold MNIST")])
def test_a_named_folder_without_mnist_is_wrong_usage_everywhere(tmp_path, monkeypatch, capsys, command, folder, why):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        run([*command.split(), "--data", folder])
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_the_reports_on_digits_say_so_at_their_top(grade, tmp_path):
    assert grade("--only", "train").returncode == 0
    for page in ("report.html", "staff.html"):
        header = (tmp_path / "out/hw1_012345678" / page).read_text("utf-8").partition("</header>")[0]
        assert "Data set: scikit-learn&#39;s handwritten digits, not MNIST." in header


@each("name", [*HELP])
def test_a_wrong_option_is_one_line_and_says_where_help_is(capsys, name):
    with pytest.raises(SystemExit, match="2"):
        run([name, "--no-such-option"])
    told = capsys.readouterr().err
    assert told.startswith(f"grader {name}: ")
    assert told.endswith(f"(see `grader {name} --help`)\n")
    assert told.count("\n") == 1


@pytest.mark.parametrize("arguments", [("--help",), ("grade", "--help"), ("--version",)])
def test_help_is_there_without_a_submission(arguments):
    done = grader(*arguments)
    assert done.returncode == 0
    assert re.search(r"grade|\d", done.stdout)


def test_no_command_exits_with_2_and_shows_how():
    done = grader()
    assert done.returncode == 2
    assert done.stderr == "grader: the following arguments are required: COMMAND (see `grader --help`)\n"


def test_too_little_memory_is_one_sentence_and_not_a_traceback(capsys):
    def fails(error):
        def command():
            raise error

        return command

    for error in (MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")):
        assert run_safely("grader", fails(error)) == 3
        assert capsys.readouterr().err.startswith("grader: there is too little memory here: grading takes up to 8 GB")
    for number in (errno.ENOSPC, errno.EDQUOT):
        assert run_safely("grader", fails(OSError(number, "No space left", "/tmp/full/x"))) == 3
        where, _, step = capsys.readouterr().err.partition(": free some, ")
        assert where == "grader: there is no space left on the disk of /tmp/full/x"
        assert step == "or name another temporary folder by TMPDIR=dir\n"
    assert run_safely("grader", fails(OSError(errno.EIO, "Input/output error"))) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_full_temporary_folder_is_one_sentence(grade, tmp_path, monkeypatch):
    full = tmp_path / "full"
    full.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", full]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can make a disk that is full")
    monkeypatch.setenv("TMPDIR", str(full))
    try:
        done = grade("--only", "submission.files", "--sandbox", "limits", by=grader)
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1].startswith("grader: there is no space left in ")
        assert "Traceback" not in done.stderr
        assert not list(full.iterdir())
    finally:
        subprocess.run(["umount", full], check=True)


def test_names_of_any_letters_work_where_the_language_has_only_ascii(tmp_path):
    path = tmp_path / "תרגיל.zip"
    path.write_bytes(handins.packed(handins.reference_files()))
    poor = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONUTF8"))}
    poor |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    options = ("--only", "submission.files", "--sandbox", "limits", "--data", "digits", "--device", "cpu")
    done = grader("grade", path, "--out", tmp_path / "ש", *options, env=poor)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ש/תרגיל/report.html").is_file()


@pytest.mark.parametrize("command", ["grade", "batch"])
@pytest.mark.parametrize(
    ("out", "code", "says"),
    [
        ("file", 2, "file is a file): choose another folder"),
        ("link", 2, "link is a link that leads nowhere): choose another folder"),
        ("link/deeper", 2, "link is a link that leads nowhere)"),
        ("/proc/nowhere", 2, "Files cannot be written into /proc/nowhere"),
        ("full", 3, "There is no space for files in"),
    ],
)
def test_an_output_folder_that_cannot_be_written_is_refused_before_any_work(
    tmp_path, monkeypatch, capsys, command, out, code, says
):
    def no_space(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("grader.grading.grade", None)
    monkeypatch.setattr("grader.commands.batch.prepare", None)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/hw1.zip").write_bytes(handins.packed(handins.reference_files()))
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    if out == "full":
        monkeypatch.setattr("os.fsync", no_space)
    source = {"grade": "in/hw1.zip", "batch": "in"}[command]
    monkeypatch.chdir(tmp_path)
    assert run([command, source, "--out", out, "--sandbox", "limits", "--data", "digits"]) == code
    told = capsys.readouterr().err
    assert says in told
    assert (told.count("\n"), sorted(path.name for path in tmp_path.iterdir())) == (1, ["file", "in", "link"])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.wide if place % 6 else []) for place, name in enumerate(zips.REFUSED)]
)
def test_a_malformed_zip_gives_a_report_that_says_why(tmp_path, capsys, name):
    build, fragment = zips.REFUSED[name]
    (tmp_path / "hw1.zip").write_bytes(build())
    where = ["--out", str(tmp_path / "out"), "--device", "cpu", "--sandbox", "limits"]
    code = cli.run(["grade", str(tmp_path / "hw1.zip"), *where])
    printed = "".join(capsys.readouterr())
    assert code == USAGE
    assert "Traceback" not in printed
    assert {path.name for path in tmp_path.iterdir()} == {"hw1.zip", "out"}
    assert {path.name for path in (tmp_path / "out" / "hw1").iterdir()} == {
        *("evidence.json", "junit.xml", "report.html", "results.json", "staff.html")
    }
    results = json.loads((tmp_path / "out/hw1/results.json").read_text())
    assert results["score"] == 0
    assert fragment in json.loads((tmp_path / "out/hw1/evidence.json").read_text())["refusal"]
    assert results["extra_data"]["flags"], "a person looks at what no program may open"
