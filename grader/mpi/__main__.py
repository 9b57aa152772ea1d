"""Run an mpi4py program on some ranks and say what they called; where they come to a halt, who waits where, and why.

    python -m grader.mpi -n 4 program.py [arguments]

Exit code 0: all ranks came to an end. 1: they did not, or their calls do not fit each other. 2: wrong usage, or no
ranks can be started here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from grader.mpi import coordinator
from grader.mpi.coordinator import Result

_MOST_LINES = 20
_NO_LIMIT_S = 1e9
_WIDTH, _LEFT, _LANE = 1000, 60, 34
"""Of the diagram, in pixels."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parse(arguments)
    path = options.program.resolve()
    if not path.is_file():
        print(f"there is no file {options.program}: name a Python program", file=sys.stderr)
        return 2
    try:
        found = coordinator.run(
            coordinator.Program(path.parent, path.parent, is_sealed=False),
            options.ranks,
            ("grader.mpi.rank", "run_program"),
            (str(path), options.arguments),
            limit_s=options.limit or _NO_LIMIT_S,
            patience_s=options.patience,
        )
    except KeyboardInterrupt:
        print("All ranks were ended.", file=sys.stderr)
        return 130
    finally:
        coordinator.end_pools()
    if options.diagram:
        options.diagram.write_text(draw_calls(found.calls, options.ranks), "utf-8")
    if found.problem == "not started":
        print(f"{found.text}; mpi4py and mpich are needed: pip install mpi4py mpich", file=sys.stderr)
        return 2
    print("\n".join(_describe(found, options.ranks)), file=sys.stderr)
    return 1 if found.problem else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.mpi", description=__doc__.partition("\n")[0])
    parser.add_argument("-n", dest="ranks", type=int, default=4, metavar="P", help="number of ranks (default: 4)")
    parser.add_argument("--limit", type=float, default=0, metavar="S", help="end after S seconds (default: never)")
    text = "call it a halt when a rank computes S seconds while others wait (default: 60)"
    parser.add_argument("--patience", type=float, default=60, metavar="S", help=text)
    parser.add_argument("--diagram", type=Path, metavar="FILE.svg", help="draw the calls as ranks × time")
    parser.add_argument("program", type=Path, help="a Python file that uses MPI.COMM_WORLD")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    return parser.parse_args(arguments)


def _describe(found: Result, ranks: int) -> list[str]:
    """Return what came of a run, line by line."""
    calls = found.calls
    lines = [""]
    for rank, (kind, text, location, _) in found.raised.items():
        lines.append(f"Rank {rank} raised {kind}: {text}{f' ({location})' if location else ''}")
    if found.text:
        lines.append(found.text)
    lines += [f"{count} calls of {name}, not followed" for name, count in found.unfollowed.items()]
    if not found.problem:
        lines.append(f"All {ranks} ranks came to an end after {found.seconds:.2f} s.")
    groups, sizes = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for name, line, size in zip(calls["name"], calls["line"], calls["size_bytes"], strict=True):
        groups[line, name] += 1
        sizes[line, name] += int(size)
    lines.append(f"{'calls':>8} {'bytes':>14}  what")
    for (line, name), count in groups.most_common(_MOST_LINES):
        lines.append(f"{count:8} {sizes[line, name]:14}  {name} ({line or 'a library'})")
    return lines


def draw_calls(calls: Mapping[str, Sequence[Any]], ranks: int) -> str:
    """Return an SVG of ranks × time: a bar for each call, red for one that did not end, and a line for each message."""
    columns = zip(*(calls[key] for key in ("rank", "name", "line", "at_s", "done_s", "sent_by")), strict=True)
    rows = [dict(zip(("rank", "name", "line", "at_s", "done_s", "sent_by"), row, strict=True)) for row in columns]
    zero_s = min((row["at_s"] for row in rows), default=0.0)
    end_s = max((max(row["at_s"], row["done_s"]) for row in rows), default=0.0) - zero_s or 1.0
    height = _LANE * ranks + 30

    def x_of(at_s: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - 20) * (at_s - zero_s) / end_s, 1)

    def y_of(rank: int) -> int:
        return _LANE * rank + _LANE // 2

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif">']
    parts += [f'<text x="4" y="{y_of(rank) + 4}" font-size="12">rank {rank}</text>' for rank in range(ranks)]
    for row in rows:
        has_ended = row["done_s"] >= 0 or row["name"][:1] in "Ii"
        x, until = x_of(row["at_s"]), x_of(row["done_s"]) if row["done_s"] >= 0 else _WIDTH - 20
        width = max(until - x, 2) if row["done_s"] >= 0 or not has_ended else 2
        place, colour = (
            f'x="{x}" y="{y_of(row["rank"]) - 8}" width="{width:.1f}"',
            "#4477aa" if has_ended else "#cc3311",
        )
        title = escape(f"{row['name']} {row['line']}{'' if has_ended else ', which did not end'}")
        parts.append(f'<rect {place} height="16" fill="{colour}"><title>{title}</title></rect>')
    for row in rows:
        if row["sent_by"] >= 0 and row["done_s"] >= 0:
            sent = rows[row["sent_by"]]
            first = f'x1="{x_of(sent["at_s"])}" y1="{y_of(sent["rank"])}"'
            parts.append(f'<line {first} x2="{x_of(row["done_s"])}" y2="{y_of(row["rank"])}" stroke="#222"/>')
    parts.append(f'<text x="{_LEFT}" y="{height - 8}" font-size="12">0 to {1000 * end_s:.3g} ms</text></svg>')
    return "\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())
