"""What a platform exports about its gradings: the records in it, wherever they stand.

    the platform's own file    in its export, zipped or not, such as Gradescope's submission_metadata.yml
    *.json                     results, one or many in a file
    evidence.json              of the grader itself

Where a platform's own file is there, nothing else is read: all other files of an export are students' own.
Only a value under the key `grader_record` counts, of a document that was read as what it is: a text of a student that
looks like one is a text.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

from grader.course.platforms import PLATFORMS
from grader.errors import StaffError, UsageError
from grader.intake.archive import ZIP_ERRORS
from grader.model import Evidence, printable
from grader.reports.evidence import decode
from grader.reports.record import KEY, read_record

_EVIDENCE = "evidence.json"
_EXPORTS = {platform.export: platform for platform in PLATFORMS.values() if platform.export}
_ENDINGS = {".json", *(PurePath(export).suffix for export in _EXPORTS)}
_PROBLEM_LIMIT = 200


def find_records(source: Path) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Return the gradings that are recorded in a file, a folder or a zip, and sentences on what could not be read.

    Raises:
        UsageError: there is no such file or folder, or nothing in it holds a record.
    """
    found: list[Evidence] = []
    problems: list[str] = []
    try:
        for name, raw in _documents(source):
            try:
                found += _records(name, raw)
            except (StaffError, ValueError, RecursionError) as error:
                problems.append(printable(f"{name}: {error}", _PROBLEM_LIMIT))
    except (*ZIP_ERRORS, RuntimeError, NotImplementedError) as error:  # RuntimeError: encrypted
        raise UsageError(f"{source} cannot be read ({error}): name what the platform exported") from error
    if not found:
        why = f" ({problems[0]})" if problems else ""
        raise UsageError(f"{source} holds no record of a grading{why}: name the platform's export, with its results")
    return tuple(found), tuple(problems)


def _documents(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of each file in `source` that staff or the platform wrote."""
    if source.is_dir():
        files = (path for path in source.rglob("*") if path.suffix in _ENDINGS and path.is_file())
        for name in _choose(path.relative_to(source).as_posix() for path in files):
            yield name, (source / name).read_bytes()
    elif zipfile.is_zipfile(source):
        with zipfile.ZipFile(source) as archive:
            for name in _choose(archive.namelist()):
                yield name, archive.read(name)
    else:
        yield source.name, source.read_bytes()


def _choose(names: Iterable[str]) -> list[str]:
    """Return the names of JSON and YAML files; only a platform's own export where there is one."""
    found = sorted(name for name in names if PurePath(name).suffix in _ENDINGS)
    exports = [name for name in found if PurePath(name).name in _EXPORTS]
    depth = min((name.count("/") for name in exports), default=0)
    return [name for name in exports if name.count("/") == depth] or found


def _records(name: str, raw: bytes) -> Iterator[Evidence]:
    path = PurePath(name)
    if path.name == _EVIDENCE:
        yield decode(raw)
    else:
        written = [platform for export, platform in _EXPORTS.items() if PurePath(export).suffix == path.suffix]
        yield from map(read_record, written[0].records(raw) if written else _in_json(raw))


def _in_json(raw: bytes) -> Iterable[str]:
    found: list[str] = []

    def look(document: dict[str, Any]) -> None:
        if isinstance(text := document.get(KEY), str):
            found.append(text)

    json.loads(raw, object_hook=look)
    return found
