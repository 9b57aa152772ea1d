"""Record what workers answer to the checks of the recorded cases, or write what the checks then come to.

python tests/replay record [CASE CHECK,CHECK ...]   all of them again, or only these, which may be new
python tests/replay expect
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from outcomes.cases import all_cases  # found by the line above

from replay.arrays import Arrays  # likewise
from replay.playing import record  # likewise
from replay.store import RECORDED, Recording, read_recording, write_expected, write_recording  # likewise


def record_some(wanted: dict[str, tuple[str, ...]]) -> None:
    """Ask workers again, for some cases with the checks that are to run; the others stay as they are."""
    old = read_recording() if RECORDED.is_file() else Recording()
    known, arrays = {case.id: case for case in all_cases()}, dict(old.arrays)
    cases = {name: (name, only, exchanges) for name, only, exchanges in old.cases}
    for name, only in sorted((wanted or {name: only for name, only, _ in old.cases}).items()):
        sys.stderr.write(f"{name}\n")
        exchanges, _report = record(replace(known[name], only=only), Arrays(arrays))
        cases[name] = (name, only, exchanges)
    used = {used for _, _, exchanges in cases.values() for used in names_in(exchanges)}
    write_recording(Recording([cases[name] for name in sorted(cases)], sorted((n, arrays[n]) for n in used)))


def names_in(data: Any) -> Iterator[bytes]:
    """Yield the names of the arrays that answers hold and that are recorded beside them."""
    match data:
        case ["array", "recorded", bytes(name)]:
            yield name
        case list() | tuple():
            for item in data:
                yield from names_in(item)


def main(words: list[str]) -> int:
    """Run the program, and return the exit code."""
    match words:
        case ["record", *more] if len(more) % 2 == 0:
            pairs = zip(more[::2], more[1::2], strict=True)
            record_some({name: tuple(checks.split(",")) for name, checks in pairs})
        case ["expect"]:
            pass
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    write_expected(dict(read_recording().replayed()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
