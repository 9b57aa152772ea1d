"""Which branch led a rank to a line that the other ranks do not reach."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path


def find_branch(folder: Path, line: str, others: Iterable[str]) -> int:
    """Return the line of the `if` that separates `line` from all `others`, each `file:line`; 0 if there is none."""
    name, _, number = line.rpartition(":")
    places = [other.rpartition(":") for other in others]
    try:
        tree = ast.parse((folder / name).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return 0
    numbers = [int(place) for file, _, place in places if file == name and place.isdigit()]
    found = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and number.isdigit():
            for branch in (node.body, node.orelse):
                if _holds(branch, int(number)) and not any(_holds(branch, other) for other in numbers):
                    found = max(found, node.lineno)
    return found


def _holds(branch: Sequence[ast.stmt], line: int) -> bool:
    return any(part.lineno <= line <= (part.end_lineno or part.lineno) for part in branch)
