"""Autolab: an assessment to import, `<assignment>.tar`, and a Dockerfile for the image that grades it.

    <assignment>/<assignment>.yml       problems, one for each part of the rubric that has points
    <assignment>/autograde-Makefile     unpacks autograde.tar beside the hand-in, and runs its driver
    <assignment>/autograde.tar          the package, in a folder `autograde`

Files: https://docs.autolabproject.com/lab/; Autolab takes an archive whose first entry is the assessment's folder.
"""

from __future__ import annotations

import io
import math
import tarfile
import tempfile
from itertools import groupby
from pathlib import Path

from grader.model import Rubric
from grader.packages.inside.autolab import problem_name
from grader.packages.parts import Parts, write_parts, write_templates

TIMEOUT_S = 900


def fill(folder: Path, parts: Parts) -> None:
    """Write the archive, and what staff need beside it, into the empty `folder`."""
    more = {"problems": list_problems(parts.assignment.rubric), "timeout_s": TIMEOUT_S}
    write_templates(folder, "autolab/beside", parts, more)
    with tempfile.TemporaryDirectory(prefix="grader-autolab-") as temporary:
        lab = Path(temporary, "lab")
        driver = Path(temporary, "autograde")
        write_parts(driver, parts)
        write_templates(driver, "autolab/autograde", parts, more)
        write_templates(lab, "autolab/lab", parts, more)
        (lab / "assessment.yml").rename(lab / f"{parts.assignment.name}.yml")
        (lab / "autograde.tar").write_bytes(_pack(driver, "autograde"))
        (folder / f"{parts.assignment.name}.tar").write_bytes(_pack(lab, parts.assignment.name))


def list_problems(rubric: Rubric) -> dict[str, float]:
    """Return Autolab's problems: name -> the most points that it gives."""
    rows = sorted(rubric.criteria, key=lambda row: [each.part for each in rubric.criteria].index(row.part))
    parts = {name: math.fsum(row.points for row in rows) for name, rows in groupby(rows, lambda row: row.part)}
    return {problem_name(name): points for name, points in parts.items() if points}


def _pack(folder: Path, name: str) -> bytes:
    """Return a tar archive of `folder`, whose first entry is the folder itself, called `name`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(folder, name, filter=_without_owner)
    return buffer.getvalue()


def _without_owner(info: tarfile.TarInfo) -> tarfile.TarInfo:
    info.uid = info.gid = 0
    info.uname = info.gname = "root"
    info.mtime = 0
    return info
