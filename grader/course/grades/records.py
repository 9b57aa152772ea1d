"""What a platform exports about its gradings: the records in it, wherever they stand.

    submission_metadata.yml    in Gradescope's export of submissions, zipped or not: every result, earlier ones included
    *.json                     results, one or many in a file
    evidence.json              of the grader itself

Where `submission_metadata.yml` is there, nothing else is read: all other files of an export are students' own.
Only a value under the key `grader_record` counts, of a document that was read as what it is: a text of a student that
looks like one is a text.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

from grader.errors import StaffError, UsageError, install_command
from grader.intake.archive import ZIP_ERRORS
from grader.model import Evidence, printable
from grader.reports.evidence import decode
from grader.reports.record import KEY, read_record

_ENDINGS = (".json", ".yml", ".yaml")
_EVIDENCE = "evidence.json"
_EXPORT = "submission_metadata.yml"
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
    """Return the names of JSON and YAML files; only Gradescope's own where it is there, not one that a student made."""
    found = sorted(name for name in names if PurePath(name).suffix in _ENDINGS)
    exports = [name for name in found if PurePath(name).name == _EXPORT]
    depth = min((name.count("/") for name in exports), default=0)
    return [name for name in exports if name.count("/") == depth] or found


def _records(name: str, raw: bytes) -> Iterator[Evidence]:
    path = PurePath(name)
    if path.name == _EVIDENCE:
        yield decode(raw)
    else:
        texts = _in_json(raw) if path.suffix == ".json" else _in_yaml(raw)
        yield from map(read_record, texts)


def _in_json(raw: bytes) -> Iterable[str]:
    found: list[str] = []

    def look(document: dict[str, Any]) -> None:
        if isinstance(text := document.get(KEY), str):
            found.append(text)

    json.loads(raw, object_hook=look)
    return found


def _in_yaml(raw: bytes) -> Iterator[str]:
    """Yield the values of `KEY` in YAML of any size and with any tags: it is parsed, and nothing of it is built.

    Raises:
        UsageError: the library is missing.
        ValueError: it is not YAML.
    """
    try:
        import yaml  # noqa: PLC0415 - belongs to the `staff` extra
    except ImportError as error:
        raise UsageError(f"reading YAML needs pyyaml: {install_command('staff')}") from error
    try:
        for key, value in _pairs(yaml.parse(raw, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))):
            if key == KEY:
                yield value
    except yaml.YAMLError as error:
        raise ValueError(error) from error


def _pairs(events: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Yield key and value wherever both are plain texts, from the events of a YAML parser."""
    keys: list[str | None] = [""]
    """For each open collection the key that waits for its value: none yet in a mapping, always empty in a list."""
    lists: list[bool] = [True]
    for event in events:
        kind = type(event).__name__
        if kind in {"MappingStartEvent", "SequenceStartEvent"}:
            lists.append(kind.startswith("Sequence"))
            keys.append("" if lists[-1] else None)
            continue
        if kind in {"MappingEndEvent", "SequenceEndEvent"}:
            lists.pop()
            keys.pop()
        elif kind not in {"ScalarEvent", "AliasEvent"}:
            continue
        value = event.value if kind == "ScalarEvent" else ""
        if lists[-1]:
            continue
        if (key := keys[-1]) is None:
            keys[-1] = value
        else:
            yield key, value
            keys[-1] = None
