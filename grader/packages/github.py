"""GitHub: a template repository for GitHub Classroom, and the grader of an assignment for CS50's classroom50.

    template/                                   students' files and kit, to be pushed as a template repository
    template/.gitignore                         keeps back what `make` writes: GitHub refuses files above 100 MB
    template/.github/workflows/classroom.yml    grades each push, in the student's own repository
    template/.github/grader/                    the package
    classroom50/                                for classroom50's configuration: autograder.py, and the package

Workflow: https://github.com/classroom-resources/autograding-grading-reporter names what GitHub Classroom expects of it.
autograder.py and its bundle: https://github.com/foundation50/classroom50/wiki/Advanced-Autograding

Students can read both, so the grader in them is made of what the student kit holds, and of what confines and reports:
what an assignment hides from students stays with the staff.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

from grader import __version__
from grader.kit.handout import collect
from grader.kit.settings import load_settings
from grader.kit.wheel import Wheel, build_wheel
from grader.packages.handedout import handed_out
from grader.packages.parts import Parts, write, write_parts, write_templates

FURTHER = (
    *("__main__.py", "cli.py", "grading.py", "commands/inside.py", "packages/__init__.py", "packages/inside/*.py"),
    *("sandbox/*.py", "reports/*.py", "reports/templates/*.html", "reports/templates/*.css", "reports/templates/*.svg"),
)
"""Files of the grader that a grading needs beside those of the kit, as patterns."""


def fill(folder: Path, parts: Parts) -> None:
    """Write both into the empty `folder`.

    Raises:
        StaffError: the rubric has hidden checks, which would stand in students' repositories.
    """
    shown = replace(parts, wheel=make_open_wheel(parts))
    template = folder / "template"
    for name, content in handed_out(parts.assignment).items():
        write(template / name, content)
    write_parts(template / ".github/grader", shown)
    write_templates(template / ".github/workflows", "github/workflow", shown)
    write_templates(template, "github/repository", shown)
    bundle = folder / "classroom50" / parts.assignment.name
    small = replace(shown, data=(), wheelhouse=None)  # the runner fetches at most 10 MB
    write_parts(bundle / "grader", small)
    write_templates(bundle, "github/bundle", small)
    write_templates(folder, "github/beside", shown)


def make_open_wheel(parts: Parts) -> Wheel:
    """Return the wheel of a grader that students may read.

    Raises:
        StaffError: the rubric has hidden checks.
    """
    settings = load_settings(parts.assignment)
    found = collect(replace(settings, adds=(*settings.adds, *FURTHER)))
    files = {f"grader/{name}": data for name, data in found.items()}
    summary = f"Grades {parts.assignment.name}, without what students may not see"
    return build_wheel("gpu_grader", __version__, summary, _needs(parts.wheel), files, {"grader": "grader.cli:main"})


def _needs(wheel: Wheel) -> list[str]:
    """Return what a wheel requires."""
    archive = zipfile.ZipFile(io.BytesIO(wheel.data))
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    lines = archive.read(metadata).decode().splitlines()
    return [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
