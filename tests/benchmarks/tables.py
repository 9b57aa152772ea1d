"""What benchmarks share: their options, their figures, and tables in pages of docs/generated/, between marks."""

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).parents[2] / "out/bench"
DATA = (Path("data"), "folder with MNIST")


def parse_options(description: str | None, **wanted: Any) -> argparse.Namespace:
    """Return the options of a command line; `wanted` are name -> default, or a pair of default and help."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in wanted.items():
        default, words = value if isinstance(value, tuple) else (value, "")
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument(f"--{name.replace('_', '-')}", help=f"{words} (default: {default})", **kind)
    return parser.parse_args()


def write_figures(name: str, figures: Mapping[str, object]) -> None:
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")


def write_tables(page: Path, tables: Mapping[str, Iterable[str]]) -> None:
    """Put the lines of each table, by its name, between `<!-- name -->` and `<!-- end -->` in `page`.

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
