"""The platforms that a package can be made for, and how a filled folder becomes the file that is handed over."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from grader.packages import container, gradescope
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
