"""A container image of one's own: a Containerfile for Podman and Docker, and a definition for Apptainer.

The command in both is `grader`. Formats: https://docs.docker.com/reference/dockerfile/ and
https://apptainer.org/docs/user/latest/definition_files.html
"""

from __future__ import annotations

from pathlib import Path

from grader.packages.parts import Parts, write_parts, write_templates


def fill(folder: Path, parts: Parts) -> None:
    """Write the files of the image, and how to build it, into the empty `folder`."""
    write_parts(folder, parts)
    write_templates(folder, "container", parts)
