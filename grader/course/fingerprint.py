"""What a grading depends on, part by part, so that a batch knows which old evidence still holds, and why another not.

The rubric is not among the parts: points are given anew from the same evidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import grader
from grader.assignment import Assignment
from grader.course.model import GradingOptions
from grader.intake.datasets import describe_dataset
from grader.machine import describe_versions

_PACKAGE = Path(grader.__file__).parent
_AFTERWARDS = ("bench", "commands", "course", "kit", "packages", "reports")
"""Packages whose code only reads finished evidence, so that a change in them changes no observation."""
WORDS = {
    "submission": "another file was handed in",
    "checks": "the assignment's checks or staff files changed",
    "grader": "the grader's own code changed",
    "environment": "another Python or library",
    "data": "another data set",
    "options": "other options",
    "only": "only some checks were run",
    "seed": "another seed",
}


def common_parts(assignment: Assignment, how: GradingOptions) -> dict[str, str]:
    """Return the parts that all hand-ins of a batch share."""
    sources = filter(_decides, _PACKAGE.rglob("*"))
    code = (file for file in sources if not _is_afterwards(file.relative_to(_PACKAGE).as_posix()))
    versions = describe_versions()
    return {
        "checks": digest_of(filter(_decides, assignment.own_files()), assignment.folder),
        "grader": digest_of(code, _PACKAGE),
        "environment": " ".join(f"{name} {version}" for name, version in sorted(versions.items())),
        "data": describe_dataset(how.folder)[0] if assignment.learns else "none",
        "options": f"device {how.device}, sandbox {how.sandbox}, explain {how.explain}, limit {how.limit_s:g} s",
        "only": " ".join(sorted(how.only)),
    }


def describe_changes(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return in a few words why evidence with the fingerprint `old` does not hold any more; empty if it does."""
    return " and ".join(WORDS.get(part, part) for part in new if old.get(part) != new[part])


def digest_of(files: Iterable[Path], root: Path) -> str:
    """Return a digest of the names and contents of `files`."""
    digest = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _decides(file: Path) -> bool:
    """Return whether a file decides what happens: code, and an assignment's sheet; the rubric does not."""
    return file.suffix in {".py", ".toml"} and file.name != "rubric.toml"


def _is_afterwards(name: str) -> bool:
    return name.startswith(("assignments/", *(f"{room}/" for room in _AFTERWARDS)))
