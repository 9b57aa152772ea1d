"""`grader data`: fetch MNIST once, verified."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.commands import OK
from grader.intake.datasets import download_mnist


def add(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand's options."""
    parser.description = "Fetch MNIST, verified."
    parser.add_argument("folder", nargs="?", type=Path, default=Path("data"), help="where to put it (default: data)")
    parser.set_defaults(command=_data)


def _data(options: argparse.Namespace) -> int:
    sys.stderr.write(f"Fetching MNIST into {options.folder} …\n")
    fetched = download_mnist(options.folder)
    sys.stdout.write(f"MNIST is in {options.folder} ({len(fetched)} files fetched, all verified).\n")
    return OK
