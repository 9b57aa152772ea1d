"""Tables written into pages of docs/generated/, between `<!-- name -->` and `<!-- end -->`, and benchmarks' figures."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

FIGURES = Path(__file__).parents[2] / "out/bench"


def write_figures(name: str, figures: Mapping[str, object]) -> None:
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")


def write_tables(page: Path, tables: Mapping[str, Iterable[str]]) -> None:
    """Put the lines of each table, by its name, between its marks in `page`.

    Raises:
        LookupError: the page has no marks of that name.
    """
    text = page.read_text("utf-8")
    for name, lines in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n?<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            raise LookupError(f"{page} has no place for the table {name!r}")
        text = pattern.sub(lambda found, lines=lines: found[1] + "\n".join(lines) + "\n<!-- end -->", text)
    page.write_text(text, "utf-8")


def named(data: Path) -> tuple[str, ...]:
    """Return the option that names a folder with MNIST to the grader; none where it is not there."""
    return ("--data", str(data.absolute())) if data.is_dir() else ()
