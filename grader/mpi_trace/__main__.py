"""Run an mpi4py program on some ranks and say what they called; where they come to a halt, who waits where, and why.

    python -m grader.mpi_trace -n 4 program.py [arguments]

Exit code 0: all ranks came to an end. 1: they did not, or their calls do not fit each other. 2: wrong usage, or no
ranks can be started here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from grader.ranks import conductor
from grader.worker.launcher import Settings

_MOST_LINES = 20
_NO_LIMIT_S = 1e9


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parse(arguments)
    path = options.program.resolve()
    if not path.is_file():
        print(f"there is no file {options.program}: name a Python program", file=sys.stderr)
        return 2
    told = conductor.run(
        Settings(path.parent, path.parent),
        (options.ranks, options.ranks),
        ("grader.mpi_trace.program", "run_program"),
        (str(path), options.arguments),
        limit_s=options.limit or _NO_LIMIT_S,
        patience_s=options.patience,
        is_sealed=False,
    )
    conductor.end_teams()
    if told["problem"] == "not started":
        print(f"{told['text']}; mpi4py and mpich are needed: pip install mpi4py mpich", file=sys.stderr)
        return 2
    print("\n".join(_describe(told, options.ranks)), file=sys.stderr)
    return 1 if told["problem"] else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.mpi_trace", description=__doc__.partition("\n")[0])
    parser.add_argument("-n", dest="ranks", type=int, default=4, metavar="P", help="number of ranks (default: 4)")
    parser.add_argument("--limit", type=float, default=0, metavar="S", help="end after S seconds (default: never)")
    text = "call it a halt when a rank computes S seconds while others wait (default: 60)"
    parser.add_argument("--patience", type=float, default=60, metavar="S", help=text)
    parser.add_argument("program", type=Path, help="a Python file that uses MPI.COMM_WORLD")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    return parser.parse_args(arguments)


def _describe(told: dict[str, Any], ranks: int) -> list[str]:
    """Return what came of a run, line by line."""
    calls = told["calls"]
    lines = [""]
    for rank, (kind, text, location, _) in told["raised"].items():
        lines.append(f"Rank {rank} raised {kind}: {text}{f' ({location})' if location else ''}")
    if told["text"]:
        lines.append(told["text"])
    lines += [f"{count} calls of {name}, not followed" for name, count in told["unfollowed"].items()]
    if not told["problem"]:
        lines.append(f"All {ranks} ranks came to an end after {told['seconds']:.2f} s.")
    groups, sizes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for name, line, size in zip(calls["name"], calls["line"], calls["size_bytes"], strict=True):
        groups[line, name] += 1
        sizes[line, name] += int(size)
    lines.append(f"{'calls':>8} {'bytes':>14}  what")
    for (line, name), count in groups.most_common(_MOST_LINES):
        lines.append(f"{count:8} {sizes[line, name]:14}  {name} ({line or 'a library'})")
    return lines


if __name__ == "__main__":
    sys.exit(main())
