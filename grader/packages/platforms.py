"""The platforms that a package can be made for, and how a filled folder becomes the file that is handed over."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.packages import autolab, colab, container, github, gradescope, prairielearn
from grader.packages.parts import Parts


@dataclass(frozen=True, slots=True)
class Platform:
    """One platform's package."""

    fill: Callable[[Path, Parts], None]
    """Writes the package's files into an empty folder."""
    form: Literal["zip", "tar", "folder"]
    name: str
    """The file's or folder's name, without its ending; `{assignment}` stands for the assignment's."""
    next_step: str
    """One sentence: where the package goes."""
    grades: bool = True
    """Whether it grades; without, it takes no wheels, no data and no choice of sandbox, Python or CUDA."""
    shows_finals: bool = False
    """Whether it shows a batch's results, and keeps each from all other students."""


PLATFORMS = {
    "container": Platform(
        container.fill,
        "folder",
        "{assignment}",
        "In that folder: podman build -t grader . or, on a cluster, apptainer build grader.sif grader.def",
    ),
    "gradescope": Platform(
        gradescope.fill,
        "zip",
        "autograder",
        "On Gradescope: the assignment's Configure Autograder, zip file upload. docs/platforms.md has the settings.",
        shows_finals=True,
    ),
    "colab": Platform(
        colab.fill,
        "folder",
        "{assignment}-colab",
        "Students open the notebook in Colab: put it on the course's page, into Drive, or into a repository.",
        grades=False,
    ),
    "github": Platform(
        github.fill,
        "folder",
        "{assignment}-github",
        "README.md in it says what goes to GitHub Classroom, and what to classroom50.",
    ),
    "prairielearn": Platform(
        prairielearn.fill,
        "zip",
        "{assignment}-prairielearn",
        "Unpack it in the folder of your course; README.md in it has the steps.",
    ),
    "autolab": Platform(
        autolab.fill,
        "folder",
        "{assignment}-autolab",
        "On Autolab: Install Assessment, Import from Tarball. README.md in it says how to make the image.",
    ),
}


def make_package(platform: str, parts: Parts, out: Path) -> Path:
    """Make the package of one of `PLATFORMS` below `out`, in place of an older one, and return where it is.

    Raises:
        OSError: the folder cannot be written.
    """
    made = PLATFORMS[platform]
    name = made.name.format(assignment=parts.assignment.name)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".package-", dir=out) as temporary:
        folder = Path(temporary, name)
        folder.mkdir()
        made.fill(folder, parts)
        if made.form == "folder":
            shutil.rmtree(out / name, ignore_errors=True)
            return folder.rename(out / name)
        packed = Path(shutil.make_archive(str(Path(temporary, f"{name}-packed")), made.form, folder))
        return packed.rename(out / f"{name}.{made.form}")
