"""Values of options that several subcommands read."""

from __future__ import annotations

import argparse


def natural(text: str) -> int:
    """Return the number that `text` stands for; argparse refuses one that is not whole, or below 0."""
    if not text.isdecimal():
        msg = f"{text!r} is not a whole number of 0 or more"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
