"""The platforms for which packages can be made, the functions that fill each package, and its final form.

gradescope    autograder.zip: Gradescope unpacks it to /autograder/source, runs setup.sh once as root while it builds
              the image, and run_autograder for each submission.
              https://gradescope-autograders.readthedocs.io/en/latest/specs/
container     a Containerfile for Podman and Docker, and a definition for Apptainer; the command in both is `grader`.
              https://docs.docker.com/reference/dockerfile/, https://apptainer.org/docs/user/latest/definition_files.html
colab         one notebook for students with the kit in it; it grades nothing. Colab's additions to the format:
              https://github.com/googlecolab/colabtools; https://nbformat.readthedocs.io/en/latest/format_description.html
github        template/: students' files and kit as a template repository for GitHub Classroom, with a workflow that
              grades each push; classroom50/: autograder.py and the package for CS50's classroom50. Students can read
              both, so the grader in them has only the files of the kit, the sandbox and the reports.
              https://github.com/classroom-resources/autograding-grading-reporter,
              https://github.com/foundation50/classroom50/wiki/Advanced-Autograding
prairielearn  questions/<assignment>/ and serverFilesCourse/<assignment>-grader/, to be copied into a course's folder.
              https://docs.prairielearn.com/externalGrading/, https://docs.prairielearn.com/question/
autolab       <assignment>.tar, whose first entry is the assessment's folder, with problems, a Makefile, and the package
              in autograde.tar; a Dockerfile beside it. https://docs.autolabproject.com/lab/
"""

import base64
import io
import json
import math
import shutil
import tarfile
import tempfile
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from grader.intake.archive import pack
from grader.kit.handout import Wheel, build_wheel, collect, handout_files, list_needs
from grader.kit.inside.autolab import problem_name
from grader.kit.parts import Parts, write, write_parts, write_templates
from grader.kit.settings import load_settings
from grader.model import Rubric
from grader.sandbox import gpudriver


@dataclass(frozen=True, slots=True)
class Platform:
    """One platform's package."""

    form: Literal["zip", "folder"]
    name: str  # the file's or folder's name, without its ending; `{assignment}` stands for the assignment's name
    next_step: str  # one sentence for staff that says where the package goes
    fill: Callable[[Path, Parts], None] | None = None
    """Writes the package's files into an empty folder; None if the shared parts and the platform's texts are enough."""
    grades: bool = True  # whether it grades; if not, options for wheels, sandbox, Python and CUDA are refused
    shows_finals: bool = False  # whether it can show a batch's results, each only to its own student


_ABOUT = {
    "accelerator": "GPU",  # Colab uses a GPU if one is available
    "colab": {"provenance": []},
    "kernelspec": {"display_name": "Python 3", "name": "python3"},
    "language_info": {"name": "python"},
}


def make_notebook(parts: Parts) -> str:
    """Return the notebook as JSON text: a cell for each file of `templates/colab/`, in the order of their names.

    Its setup uses the network, which Colab always has.

    Raises:
        StaffError: the rubric has hidden checks, which a kit would show.
    """
    files, _wheel = handout_files(load_settings(parts.assignment), parts.assignment.template)
    files["kit/gpudriver.py"] = Path(gpudriver.__file__).read_bytes()
    kit = pack((f"{parts.assignment.name}/{name}", files[name]) for name in sorted(files))
    gpus: dict[str, list[str]] = {}
    for extra, need in list_needs():  # the requirements of each extra of `gpudriver.Driver`
        if extra.startswith("gpu"):
            gpus.setdefault(extra, []).append(str(need))
    more = {"kit": base64.b64encode(kit).decode(), "gpus": gpus}
    with tempfile.TemporaryDirectory(prefix="grader-colab-") as temporary:
        write_templates(Path(temporary), "colab", parts, more)
        cells = [_cell(path) for path in sorted(Path(temporary).iterdir())]
    document = {"cells": cells, "metadata": _ABOUT, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cell(path: Path) -> dict[str, Any]:
    """Return the cell for a file: a `.md` file becomes a text cell, any other a code cell that is shown as a form."""
    shared = {"id": path.stem, "source": path.read_text("utf-8").rstrip("\n").splitlines(keepends=True)}
    if path.suffix == ".md":
        return {"cell_type": "markdown", "metadata": {}, **shared}
    return {"cell_type": "code", "metadata": {"cellView": "form"}, "execution_count": None, "outputs": [], **shared}


FURTHER = (
    *("__main__.py", "grading.py", "kit/inside/*.py"),
    *("sandbox/*.py", "reports/*.py", "reports/templates/*.html", "reports/templates/*.css", "reports/templates/*.svg"),
)
"""Files of the grader that a grading needs in addition to the kit's, as patterns."""


def fill_github(folder: Path, parts: Parts) -> None:
    """Write `template/` and `classroom50/` into the empty `folder`.

    Raises:
        StaffError: the rubric has hidden checks, which students could read in their repositories.
    """
    shown, template = replace(parts, wheel=make_open_wheel(parts)), folder / "template"
    files, _wheel = handout_files(load_settings(parts.assignment), parts.assignment.template)
    for name, content in files.items():
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
    """Return the wheel of a grader whose code students may read; `StaffError` if the rubric has hidden checks."""
    settings = load_settings(parts.assignment)
    collected = collect(replace(settings, adds=(*settings.adds, *FURTHER)))
    files = {f"grader/{name}": data for name, data in collected.items()}
    summary = f"Grades {parts.assignment.name}, without what students may not see"
    return build_wheel("gpu_grader", summary, parts.wheel.needs, files, {"grader": "grader.__main__:main"})


PRAIRIELEARN_TIMEOUT_S = 600  # the longest that PrairieLearn allows
_NAMESPACE = uuid.UUID("6e9bd6f1-6d0c-4c0c-9b5b-9a0a3a3f4d51")


def fill_prairielearn(folder: Path, parts: Parts) -> None:
    """Write the part of a course's folder into the empty `folder`."""
    name = parts.assignment.name
    # It looks like a UUID v4, and is the same each time the package is made.
    identifier = str(uuid.UUID(bytes=uuid.uuid5(_NAMESPACE, name).bytes, version=4))
    more = {"uuid": identifier, "timeout_s": PRAIRIELEARN_TIMEOUT_S, "files": ", ".join(parts.assignment.files)}
    write_templates(folder, "prairielearn/course", parts, more)
    write_templates(folder / "questions" / name, "prairielearn/question", parts, more)
    grader = folder / "serverFilesCourse" / f"{name}-grader"
    write_parts(grader, parts)
    write_templates(grader, "prairielearn/grader", parts, more)


AUTOLAB_TIMEOUT_S = 900


def fill_autolab(folder: Path, parts: Parts) -> None:
    """Write the archive, and the files that staff need with it, into the empty `folder`."""
    more = {"problems": list_problems(parts.assignment.rubric), "timeout_s": AUTOLAB_TIMEOUT_S}
    write_templates(folder, "autolab/beside", parts, more)
    with tempfile.TemporaryDirectory(prefix="grader-autolab-") as temporary:
        lab, driver = Path(temporary, "lab"), Path(temporary, "autograde")
        write_parts(driver, parts)
        write_templates(driver, "autolab/autograde", parts, more)
        write_templates(lab, "autolab/lab", parts, more)
        (lab / "assessment.yml").rename(lab / f"{parts.assignment.name}.yml")
        (lab / "autograde.tar").write_bytes(_pack_tar(driver, "autograde"))
        (folder / f"{parts.assignment.name}.tar").write_bytes(_pack_tar(lab, parts.assignment.name))


def list_problems(rubric: Rubric) -> dict[str, float]:
    """Return Autolab's problems: name -> maximum points."""
    rows = sorted(rubric.criteria, key=lambda row: [each.part for each in rubric.criteria].index(row.part))
    parts = {name: math.fsum(row.points for row in rows) for name, rows in groupby(rows, lambda row: row.part)}
    return {problem_name(name): points for name, points in parts.items() if points}


def _pack_tar(folder: Path, name: str) -> bytes:
    """Return a tar archive of `folder`; its first entry is the folder itself, under the name `name`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(folder, name, filter=_without_owner)
    return buffer.getvalue()


def _without_owner(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = "root"
    info.mtime = 0
    return info


PLATFORMS = {
    "container": Platform(
        "folder",
        "{assignment}",
        "In that folder: podman build -t grader . or, on a cluster, apptainer build grader.sif grader.def",
    ),
    "gradescope": Platform(
        "zip",
        "autograder",
        "On Gradescope: the assignment's Configure Autograder, zip file upload. docs/platforms.md has the settings.",
        shows_finals=True,
    ),
    "colab": Platform(
        "folder",
        "{assignment}-colab",
        "Students open the notebook in Colab: put it on the course's page, into Drive, or into a repository.",
        lambda folder, parts: write(folder / f"{parts.assignment.name}.ipynb", make_notebook(parts).encode()),
        grades=False,
    ),
    "github": Platform(
        "folder",
        "{assignment}-github",
        "README.md in it says what goes to GitHub Classroom, and what to classroom50.",
        fill_github,
    ),
    "prairielearn": Platform(
        "zip",
        "{assignment}-prairielearn",
        "Unpack it in the folder of your course; README.md in it has the steps.",
        fill_prairielearn,
    ),
    "autolab": Platform(
        "folder",
        "{assignment}-autolab",
        "On Autolab: Install Assessment, Import from Tarball. README.md in it says how to make the image.",
        fill_autolab,
    ),
}


def make_package(platform: str, parts: Parts, out: Path) -> Path:
    """Make the package of one of `PLATFORMS` in `out`, replace an older one, and return its path.

    Raises:
        OSError: the folder cannot be written.
    """
    made = PLATFORMS[platform]
    name = made.name.format(assignment=parts.assignment.name)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".package-", dir=out) as temporary:
        folder = Path(temporary, name)
        folder.mkdir()
        if made.fill:
            made.fill(folder, parts)
        else:
            write_parts(folder, parts)
            write_templates(folder, platform, parts)
        if made.form == "folder":
            shutil.rmtree(out / name, ignore_errors=True)
            return folder.rename(out / name)
        packed = Path(shutil.make_archive(str(Path(temporary, f"{name}-packed")), made.form, folder))
        return packed.rename(out / f"{name}.{made.form}")
