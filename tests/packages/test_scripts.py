"""What is written for shells and builders of images is what their linters accept."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.packages.platforms import PLATFORMS

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
        folder = tmp_path / platform
        folder.mkdir()
        PLATFORMS[platform].fill(folder, chosen)
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
