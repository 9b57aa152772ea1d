"""Run an mpi4py program on some ranks and say what they called; where they come to a halt, who waits where, and why.

    python -m grader.mpi -n 4 program.py [arguments]

Exit code 0: all ranks came to an end. 1: they did not, or their calls do not fit each other. 2: wrong usage, or no
ranks can be started here.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from grader.mpi import coordinator
from grader.mpi.coordinator import Result
from grader.worker.launcher import Settings

_MOST_LINES = 20
_NO_LIMIT_S = 1e9
_WIDTH, _LEFT, _LANE = 1000, 60, 34  # sizes of the diagram, in pixels


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parse(arguments)
    path = options.program.resolve()
    if not path.is_file():
        print(f"there is no file {options.program}: name a Python program", file=sys.stderr)
        return 2
    try:
        result = coordinator.run(
            Settings(path.parent, path.parent, device=""),
            options.ranks,
            ("grader.mpi.rank", "run_program"),
            (str(path), options.arguments),
            is_sealed=False,
            limit_s=options.limit or _NO_LIMIT_S,
            halt_after_s=options.halt_after,
        )
    except KeyboardInterrupt:
        print("All ranks were ended.", file=sys.stderr)
        return 130
    finally:
        coordinator.end_pools()
    if result.problem == "not started":
        print(f"{result.text}; mpi4py and mpich are needed: pip install mpi4py mpich", file=sys.stderr)
        return 2
    if options.diagram:
        options.diagram.write_text(draw_calls(result.calls, options.ranks), "utf-8")
    print("\n".join(_describe(result, options.ranks)), file=sys.stderr)
    return 1 if result.problem else 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.mpi", description=__doc__.partition("\n")[0])
    parser.add_argument("-n", dest="ranks", type=int, default=4, metavar="P", help="number of ranks (default: 4)")
    parser.add_argument("--limit", type=float, default=0, metavar="S", help="end after S seconds (default: never)")
    text = "call it a halt when a rank computes S seconds while others wait (default: 60)"
    parser.add_argument("--halt-after", type=float, default=60, metavar="S", help=text)
    parser.add_argument("--diagram", type=Path, metavar="FILE.svg", help="draw the calls as ranks × time")
    parser.add_argument("program", type=Path, help="a Python file that uses MPI.COMM_WORLD")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program is given")
    return parser.parse_args(arguments)


def _describe(result: Result, ranks: int) -> list[str]:
    calls = result.calls
    lines = [""]
    for rank, (kind, text, location, _) in result.raised.items():
        lines.append(f"Rank {rank} raised {kind}: {text}{f' ({location})' if location else ''}")
    if result.text:
        lines.append(result.text)
    lines += [f"{count} calls of {name}, not followed" for name, count in result.unfollowed.items()]
    if not result.problem:
        lines.append(f"All {ranks} ranks came to an end after {result.seconds:.2f} s.")
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
    ends = [done_s if done_s >= 0 else at_s for done_s, at_s in zip(calls["done_s"], calls["at_s"], strict=True)]
    zero_s = min(calls["at_s"], default=0.0)
    whole_s = max(ends, default=0.0) - zero_s or 1.0

    def x_of(at_s: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - 20) * (at_s - zero_s) / whole_s, 1)

    def y_of(rank: int) -> int:
        return _LANE * rank + _LANE // 2

    size = f'width="{_WIDTH}" height="{_LANE * ranks + 30}" font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    parts += [f'<text x="4" y="{y_of(rank) + 4}">rank {rank}</text>' for rank in range(ranks)]
    for at, (rank, name, line) in enumerate(zip(calls["rank"], calls["name"], calls["line"], strict=True)):
        is_stuck = calls["done_s"][at] < 0 and name[:1] not in "Ii"
        x = x_of(calls["at_s"][at])
        width = max((_WIDTH - 20 if is_stuck else x_of(ends[at])) - x, 2)
        look = f'width="{width:.1f}" height="16" fill="{"#cc3311" if is_stuck else "#4477aa"}"'
        title = f"<title>{escape(f'{name} {line}')}{', which did not end' if is_stuck else ''}</title>"
        parts.append(f'<rect x="{x}" y="{y_of(rank) - 8}" {look}>{title}</rect>')
        if (sent := calls["sent_by"][at]) >= 0:
            first = f'x1="{x_of(calls["at_s"][sent])}" y1="{y_of(calls["rank"][sent])}"'
            parts.append(f'<line {first} x2="{x_of(ends[at])}" y2="{y_of(rank)}" stroke="#222"/>')
    return "\n".join([*parts, f'<text x="{_LEFT}" y="{_LANE * ranks + 22}">0 to {1000 * whole_s:.3g} ms</text></svg>'])


if __name__ == "__main__":
    sys.exit(main())
