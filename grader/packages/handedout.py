"""What students get anyway, for packages that students open: the files of the handout."""

from __future__ import annotations

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.assignment import Assignment
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings


def handed_out(assignment: Assignment) -> dict[str, bytes]:
    """Return name -> content of every file in the handout, without the folder that they lie in there.

    Raises:
        StaffError: the rubric has hidden checks, or `kit.toml` is wrong.
    """
    with TemporaryDirectory(prefix="grader-handout-") as temporary:
        made = make_handout(load_settings(assignment), assignment.template, Path(temporary))
        with zipfile.ZipFile(made.path) as archive:
            return {name.removeprefix(f"{assignment.name}/"): archive.read(name) for name in archive.namelist()}
