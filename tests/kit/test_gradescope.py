"""Gradescope's package: its layout, and the whole of it in a container like Gradescope's."""

import json
import re
import shutil
import subprocess
import venv
import zipfile
from dataclasses import replace
from pathlib import Path

import numba
import pytest
import replica
from gradescope_results import METADATA, read_result

from grader.kit.platforms import make_package

pytestmark = pytest.mark.timeout(1500)  # a Debian is unpacked, and everything installed in it

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
REFERENCE, TEMPLATE = ROOT / "reference/hw1", ROOT / "student_template/hw1"
FILES = ("utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf")


def unpack(package, home):
    """Lay out what Gradescope lays out before it runs setup.sh; its own unpacking keeps no modes."""
    for name in ("source", "submission", "results"):
        (home / name).mkdir(parents=True)
    with zipfile.ZipFile(package) as archive:
        archive.extractall(home / "source")
    shutil.copy(home / "source/run_autograder", home)
    (home / "run_autograder").chmod(0o755)


def hand_in(home, *files):
    """Lay `files` in the place of what was handed in before."""
    shutil.rmtree(home / "submission")
    (home / "submission").mkdir()
    for file in files:
        shutil.copy(file, home / "submission")
    (home / "results/results.json").unlink(missing_ok=True)
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))


def test_what_gradescope_looks_for_lies_in_the_root_and_can_be_executed(parts, tmp_path):
    made = make_package("gradescope", parts, tmp_path)
    assert made.name == "autograder.zip"
    with zipfile.ZipFile(made) as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert {"setup.sh", "run_autograder", "install.sh", "settings.json", "constraints.txt"} <= set(modes)
    assert all(modes[name] & 0o111 for name in ("setup.sh", "run_autograder", "install.sh"))


@pytest.mark.wide
def test_the_wheel_alone_grades(parts, tmp_path):
    """Beside this environment's libraries and without a container: nothing that the grader needs is left out of it."""
    home = tmp_path / "autograder"
    unpack(make_package("gradescope", parts, tmp_path), home)
    hand_in(home, *(REFERENCE / name for name in FILES))
    venv.create(tmp_path / "installed", symlinks=True)
    site = next((tmp_path / "installed").glob("lib/python*/site-packages"))
    with zipfile.ZipFile(home / "source" / parts.wheel.name) as wheel:
        wheel.extractall(site)
    (site / "libraries.pth").write_text(f"{Path(numba.__file__).parents[1]}\n")
    program = "from grader.kit.inside import gradescope as g; from pathlib import Path"
    program = f"{program}; g.run(Path({str(home)!r})); print(g.__file__)"
    words = [tmp_path / "installed/bin/python", "-I", "-c", program]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith(str(site))
    assert read_result(home)["extra_data"]["score_range"] == [83, 100]


@pytest.fixture(scope="module")
def gradescope(parts, wheelhouse, container, tmp_path_factory):
    """A container in which setup.sh ran once, without network."""
    made = container("gradescope")
    package = make_package("gradescope", replace(parts, wheelhouse=wheelhouse), tmp_path_factory.mktemp("package"))
    unpack(package, made.root / "autograder")
    done = made.run("bash", "/autograder/source/setup.sh")
    assert done.returncode == 0, done.stderr
    assert "sandbox level landlock  tried, works" in done.stdout
    assert "no MNIST in the package" in done.stdout
    assert not re.search("srun|chromium|Slurm|make data", done.stdout), done.stdout
    return made


def graded(made, *files, **how):
    """Return what run_autograder printed, and its result; None if there is none."""
    home = made.root / "autograder"
    hand_in(home, *files)
    done = made.run("/autograder/run_autograder", folder="/autograder", **how)
    return done, read_result(home) if (home / "results/results.json").is_file() else None


@pytest.mark.slow
def test_the_reference_gets_83_to_100(gradescope):
    done, result = graded(gradescope, *(REFERENCE / name for name in FILES))
    assert done.returncode == 0, done.stderr
    assert (result["score"], result["extra_data"]["score_range"]) == (83, [83, 100])
    assert result["extra_data"]["sandbox"] == "landlock"
    assert "15 h 22 min after the due date" in result["output"]
    assert "An earlier submission has a higher score, 90" in result["output"]


@pytest.mark.slow
def test_the_template_gets_nothing(gradescope):
    _done, result = graded(gradescope, *TEMPLATE.glob("*.py"))
    assert (result["score"], result["extra_data"]["score_range"]) == (0, [0, 0])


@pytest.mark.slow
def test_a_hostile_hand_in_leaves_no_trace(gradescope):
    home = gradescope.root / "autograder"
    graded(gradescope, *TEMPLATE.glob("*.py"))  # what Python and Jinja keep of a first run is no trace of a hand-in
    hand_in(home, HERE / "hostile.py", *(REFERENCE / name for name in FILES[1:]))
    (home / "submission/hostile.py").rename(home / "submission/utils.py")
    before = gradescope.list_files("/autograder/results")
    done = gradescope.run("/autograder/run_autograder", folder="/autograder")
    assert gradescope.list_files("/autograder/results") == before
    assert [path.name for path in (home / "results").iterdir()] == ["results.json"]
    result = read_result(home)
    assert "written by the submission" not in json.dumps(result)
    said = {test["name"]: test["output"] for test in result["tests"]}["utils.sigmoid"]
    assert "READ: []" in said, said + done.stderr
    assert result["extra_data"]["outcome"]["max.gpu.correct"] == "passed"


@pytest.mark.slow
def test_a_refused_file_is_readable_and_costs_no_point(gradescope, tmp_path):
    archive = tmp_path / "hw1.rar"
    archive.write_bytes(b"Rar!\x1a\x07\x00 and so on")
    _done, result = graded(gradescope, archive)
    assert "RAR archive, not a zip" in result["output"]
    assert result["extra_data"]["score_range"] == [0, 100]


@pytest.mark.slow
def test_where_no_sandbox_works_staff_are_told_and_nobody_gets_a_zero(gradescope, tmp_path):
    """Until staff choose `limits` on purpose."""
    old = replica.profile_without_landlock(tmp_path / "seccomp.json")
    done, result = graded(gradescope, *(REFERENCE / name for name in FILES), seccomp=old)
    assert result is None
    assert done.returncode != 0
    assert "--sandbox=limits" in done.stdout + done.stderr
    settings = gradescope.root / "autograder/source/settings.json"
    chosen = settings.read_text()
    settings.write_text(chosen.replace('"auto"', '"limits"'))
    done, result = graded(gradescope, *(REFERENCE / name for name in FILES), seccomp=old)
    settings.write_text(chosen)
    assert (result["extra_data"]["sandbox"], result["score"]) == ("limits", 83)
