"""A wheel, written by hand: a zip of Python files with three texts beside them. The same files give the same bytes.

The format is PEP 427's, with the core metadata of the Python Packaging User Guide. No build tool is needed, and
nothing enters the wheel that was not put into it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata

from packaging.markers import Marker
from packaging.requirements import Requirement

from grader.intake.packing import pack

PROJECT = "gpu-grader"
REQUIRES_PYTHON = ">=3.11"
_FOR_AN_EXTRA = re.compile(r'(?:(?P<others>.+) and )?extra == "(?P<extra>[^"]*)"')
"""The condition of a requirement, as `packaging` writes it; setuptools puts the extra last."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel's file name and its bytes."""

    name: str
    data: bytes


def list_needs() -> Iterator[tuple[str, Requirement]]:
    """Yield each requirement of this project, and the extra that it is for, which is no condition of it any more.

    The extra is empty for what is always required. Other conditions, such as a version of Python, stay.
    """
    for line in metadata.requires(PROJECT) or []:
        need = Requirement(line)
        found = _FOR_AN_EXTRA.fullmatch(str(need.marker or ""))
        if found:
            need.marker = Marker(found["others"]) if found["others"] else None
        yield found["extra"] if found else "", need


def build_wheel(
    project: str,
    version: str,
    summary: str,
    needs: Iterable[str],
    files: Mapping[str, bytes],
    scripts: Mapping[str, str] | None = None,
) -> Wheel:
    """Return the wheel of pure Python `files`.

    Args:
        project: Its name as it stands in file names: with `_` in place of `-`.
        version: Its version.
        summary: One line on it.
        needs: What it requires, a requirement each.
        files: Path in the wheel -> content.
        scripts: Command -> `module:function` that is called for it.
    """
    folder = f"{project}-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {project}",
        f"Version: {version}",
        f"Summary: {summary}",
        f"Requires-Python: {REQUIRES_PYTHON}",
        *(f"Requires-Dist: {need}" for need in needs),
    ]
    kind = ["Wheel-Version: 1.0", "Generator: gpu-grader", "Root-Is-Purelib: true", "Tag: py3-none-any"]
    contents = dict(sorted(files.items())) | {
        f"{folder}/METADATA": _text(metadata),
        f"{folder}/WHEEL": _text(kind),
    }
    if scripts:
        commands = [f"{name} = {function}" for name, function in scripts.items()]
        contents[f"{folder}/entry_points.txt"] = _text(["[console_scripts]", *commands])
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in contents.items()]
    contents[f"{folder}/RECORD"] = _text([*record, f"{folder}/RECORD,,"])
    return Wheel(f"{project}-{version}-py3-none-any.whl", pack(contents.items(), zipfile.ZIP_STORED))


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
