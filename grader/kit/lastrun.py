"""What passed the last time: a check whose code did not change is answered from a file in the student's folder.

Only what passed is kept, so that a failure is always looked at again. A key stands for everything that an answer
depends on: the code of the files that a check judges and of what they import, this kit, Python, Numba, the device and
the data. Comments and the layout of the code do not count. The course
itself grades without the file.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

from grader.errors import GraderError
from grader.intake.disk import digest_of, write_atomically
from grader.model import Observation, Outcome, Result

FILE = ".last-check.json"
_PACKAGE = Path(__file__).parents[1]


class _Answer(msgspec.Struct):
    key: str
    observation: Observation


def read_answers(folder: Path, keys: Mapping[str, str]) -> dict[str, Observation]:
    """Return the kept observations whose key is still the one in `keys`; a file that cannot be read holds none."""
    try:
        answers = msgspec.json.decode((folder / FILE).read_bytes(), type=dict[str, _Answer])
    except (OSError, msgspec.MsgspecError):
        return {}
    return {
        check: answer.observation
        for check, answer in answers.items()
        if keys.get(check) == answer.key and answer.observation.outcome is Outcome.PASSED
    }


def keep_answers(folder: Path, results: Iterable[Result], keys: Mapping[str, str]) -> None:
    """Keep what passed; a folder that cannot be written to only makes the next run slower."""
    answers = {
        result.criterion.id: _Answer(keys[result.criterion.id], result.observation)
        for result in results
        if result.outcome is Outcome.PASSED and result.criterion.id in keys
    }
    with suppress(GraderError):
        write_atomically(folder / FILE, msgspec.json.format(msgspec.json.encode(answers), indent=1))


def make_key(files: Sequence[str], contents: Mapping[str, bytes], circumstances: Mapping[str, str]) -> str:
    """Return the SHA-256 of the code in `files`, of this kit and of the `circumstances`, as hexadecimal digits."""
    digest = hashlib.sha256(json.dumps(dict(circumstances), sort_keys=True).encode())
    digest.update(digest_of_code(_PACKAGE).encode())
    for name in files:
        digest.update(f"\0{name}\0{name in contents}\0".encode())
        digest.update(_meaning(name, contents.get(name, b"")))
    return digest.hexdigest()


def _meaning(name: str, data: bytes) -> bytes:
    """Return what of a file decides how it behaves: the syntax tree of Python, the bytes of everything else."""
    if not name.endswith(".py"):
        return data
    try:
        return ast.dump(ast.parse(data)).encode("utf-8", "backslashreplace")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return data


@cache
def digest_of_code(folder: Path) -> str:
    """Return a digest of a folder's code: another kit, or another assignment, may see other things."""
    return digest_of((path for path in folder.rglob("*") if path.suffix in {".py", ".toml"}), folder)
