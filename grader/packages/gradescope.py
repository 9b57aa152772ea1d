"""Gradescope: `autograder.zip` with `setup.sh` and `run_autograder` in its root.

Gradescope unpacks it to /autograder/source, runs setup.sh once as root while it builds the image, and run_autograder
for each submission: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from __future__ import annotations

from pathlib import Path

from grader.packages.parts import Parts, write_parts, write_templates


def fill(folder: Path, parts: Parts) -> None:
    """Write the files of `autograder.zip` into the empty `folder`."""
    write_parts(folder, parts)
    write_templates(folder, "gradescope", parts)
