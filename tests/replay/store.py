"""The two files of a recording: what workers answered, and what the checks then come to."""

import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from outcomes.cases import Case, all_cases

from replay.arrays import Arrays
from replay.playing import Exchanges, replay, sentences

FOLDER = Path(__file__).parent
RECORDED, EXPECTED = FOLDER / "recorded.msgpack.xz", FOLDER / "expected.txt"


@dataclass
class Recording:
    """What is recorded of all cases."""

    cases: list[tuple[str, tuple[str, ...], Exchanges]] = field(default_factory=list)
    """Id of the case, the checks that ran, and what workers were asked and answered."""
    arrays: list[tuple[bytes, list[Any]]] = field(default_factory=list)

    def replayed(self) -> Iterator[tuple[str, list[str]]]:
        """Yield id and lines of each case, as its checks judge what is recorded."""
        known, arrays = {case.id: case for case in all_cases()}, dict(self.arrays)
        for name, only, exchanges in self.cases:
            yield name, replayed(known[name], only, exchanges, arrays)


def replayed(case: Case, only: tuple[str, ...], exchanges: Exchanges, arrays: dict[bytes, list[Any]]) -> list[str]:
    """Return the lines of one case."""
    return sentences(case.id, replay(replace(case, only=only), Arrays(arrays), exchanges))


def read_recording(path: Path = RECORDED) -> Recording:
    """Return what `write_recording` wrote."""
    return msgspec.msgpack.decode(lzma.decompress(path.read_bytes()), type=Recording)


def write_recording(recording: Recording, path: Path = RECORDED) -> None:
    """Write a recording."""
    path.write_bytes(lzma.compress(msgspec.msgpack.encode(recording), preset=9))


def read_expected(path: Path = EXPECTED) -> dict[str, list[str]]:
    """Return case -> its lines, the name first."""
    blocks = re.split(r"\n(?! )", path.read_text("utf-8").rstrip("\n"))
    return {block.partition("\n")[0]: block.split("\n") for block in blocks}


def write_expected(lines: dict[str, list[str]], path: Path = EXPECTED) -> None:
    """Write the lines of all cases."""
    path.write_text("".join(f"{line}\n" for name in sorted(lines) for line in lines[name]), "utf-8")
