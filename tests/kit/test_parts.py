"""What every package holds, and what it must not; and that linters accept its scripts."""

import io
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from rows import some

from grader.assignment import load_assignment
from grader.errors import UsageError
from grader.kit.handout import list_needs
from grader.kit.parts import fetch_wheels, gather, make_wheel, write_parts
from grader.kit.platforms import PLATFORMS, make_package

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def parts():
    return gather(load_assignment("hw1"))


def test_the_wheel_has_everything_that_an_installation_has_with_one_assignment(parts):
    """What setuptools would install of this tree, by pyproject.toml, and no template forgotten."""
    names = set(zipfile.ZipFile(io.BytesIO(parts.wheel.data)).namelist())
    assert {"grader/__main__.py", "grader/assignments/__init__.py", "grader/assignments/hw1/rubric.toml"} <= names
    assert not [name for name in names if name.startswith("grader/assignments/layers") or "__pycache__" in name]
    for path in some((ROOT / "grader").rglob("*")):
        own = path.relative_to(ROOT).as_posix()
        if path.is_file() and "__pycache__" not in own and not own.startswith("grader/assignments/"):
            assert own in names


def test_ranks_need_mpi_a_gpu_its_libraries_where_asked_for_and_a_condition_beside_the_extra_stays(monkeypatch):
    more = requirements(make_wheel(load_assignment("distributed"))) - requirements(make_wheel(load_assignment("hw1")))
    assert more == {"mpi4py>=4", "mpich>=5"}
    plain, cuda = (requirements(make_wheel(load_assignment("hw1"), release)) for release in ("", "12"))
    assert {need.partition("==")[0] for need in cuda - plain} == {
        "numba-cuda[cu12]",
        *("cuda-bindings", "cuda-core", "cuda-toolkit"),
    }
    lines = [
        "numpy>=2.1",
        'tomli; python_version < "3.11"',
        'mpi4py>=4; extra == "mpi"',
        'numba-cuda[cu12]==1; python_version < "3.13" and extra == "gpu12"',
        'numba-cuda[cu12]==2; (python_version == "3.13" or python_version == "3.14") and extra == "gpu12"',
    ]
    monkeypatch.setattr(metadata, "requires", lambda _project: lines)
    old = 'numba-cuda[cu12]==1; python_version < "3.13"'
    assert [(extra, str(need)) for extra, need in list_needs()] == [
        *(("", "numpy>=2.1"), ("", 'tomli; python_version < "3.11"'), ("mpi", "mpi4py>=4"), ("gpu12", old)),
        ("gpu12", 'numba-cuda[cu12]==2; python_version == "3.13" or python_version == "3.14"'),
    ]
    assert old in requirements(make_wheel(load_assignment("hw1"), "12"))


def test_versions_are_pinned_and_no_file_of_the_reference_is_in_the_wheel(parts):
    lines = parts.constraints.splitlines()
    assert [line for line in lines if line.startswith("numba==")]
    assert not [line for line in lines if line.startswith("gpu-grader")]
    archive = zipfile.ZipFile(io.BytesIO(parts.wheel.data))
    held = {archive.read(name) for name in archive.namelist()}
    staff = {path.read_bytes() for path in (ROOT / "grader/assignments/hw1/staff").iterdir() if path.is_file()}
    solution = {path.read_bytes() for path in (ROOT / "reference/hw1").iterdir() if path.is_file()}
    assert len(solution) > 5
    assert not (solution - staff) & held


def test_damaged_data_and_a_python_that_is_too_old_are_refused_while_packing(tmp_path):
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"no images")
    with pytest.raises(UsageError, match="lacks"):
        gather(load_assignment("hw1"), data=tmp_path)
    with pytest.raises(UsageError, match=r"3\.10"):
        gather(load_assignment("hw1"), python="3.10")


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_a_package_is_made_twice_in_one_place(parts, platform, tmp_path):
    first = make_package(platform, parts, tmp_path)
    assert make_package(platform, parts, tmp_path) == first
    assert [path.name for path in tmp_path.iterdir()] == [first.name]


def test_wheels_go_along_where_chosen_and_that_they_cannot_be_fetched_is_one_sentence(parts, tmp_path, monkeypatch):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "pip-1-py3-none-any.whl").touch()
    write_parts(tmp_path / "made", replace(parts, wheelhouse=wheels))
    assert (tmp_path / "made/wheelhouse/pip-1-py3-none-any.whl").is_file()
    assert "--no-index" in (tmp_path / "made/install.sh").read_text()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(UsageError, match="ERROR: Cannot install .* leave out --wheelhouse"):
        fetch_wheels(parts, tmp_path / "fetched")
    assert not list((tmp_path / "fetched").iterdir())


def requirements(wheel):
    text = zipfile.ZipFile(io.BytesIO(wheel.data)).read("gpu_grader-0.1.0.dist-info/METADATA").decode()
    return {line.removeprefix("Requires-Dist: ") for line in text.splitlines() if line.startswith("Requires-Dist")}


PROGRAMS = Path(sys.executable).parent
IMAGES = ("Containerfile", "Dockerfile")


def lint(program, *files):
    done = subprocess.run([PROGRAMS / program, *files], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.fixture(params=["registry", "wheelhouse"])
def filled(request, parts, tmp_path):
    """Return a function that fills a platform's package, with wheels and without."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    chosen = replace(parts, wheelhouse=wheels) if request.param == "wheelhouse" else parts

    def fill(platform):
        folder = made = make_package(platform, chosen, tmp_path / platform)
        if made.is_file():
            folder = tmp_path / f"{platform}-unpacked"
            shutil.unpack_archive(made, folder)
        return [path for path in folder.rglob("*") if path.is_file()]

    return fill


@pytest.mark.parametrize("platform", sorted(PLATFORMS))
def test_shell_scripts_and_images(filled, platform):
    files = filled(platform)
    scripts = [path for path in files if path.read_bytes().startswith((b"#!/bin/sh", b"#!/bin/bash"))]
    assert not scripts or not lint("shellcheck", *scripts)
    images = [path for path in files if path.name in IMAGES]
    assert not images or not lint("hadolint", *images)


def test_the_linters_see_what_is_wrong(tmp_path):
    (tmp_path / "wrong.sh").write_text("#!/bin/sh\nrm -rf $1/*\n")
    (tmp_path / "Dockerfile").write_text("FROM debian\nRUN cd /tmp\n")
    assert "SC2115" in lint("shellcheck", tmp_path / "wrong.sh")
    assert "DL3006" in lint("hadolint", tmp_path / "Dockerfile")
