"""How a student calls the kit, which CHECKED_BY says: `make`, `colab`, or nothing for a command line.

Advice names what is typed or clicked there, and nothing else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from grader.intake.datasets import HOW_TO_GET_MNIST


@dataclass(frozen=True, slots=True)
class Caller:
    """The words for one way to call the kit."""

    alone: str
    """What comes before the id of a check, to see it alone."""
    get_mnist: str = HOW_TO_GET_MNIST
    """A sentence on how MNIST is to be had; empty where it is not."""
    page: str = "The same with your code beside it: open {page} in a browser."
    """A sentence on where the report is to be seen; `{page}` stands for its path."""


BY_STAFF = Caller("grader check --only ")


def find_caller(command: str) -> Caller:
    """Return the words for this call; `command` is what a command line calls the kit by."""
    by = os.environ.get("CHECKED_BY")
    if by == "make":
        return Caller("make check ONLY=")
    if by == "colab":
        return Caller("run Check with only = ", "", "Check shows the same with your code beside it.")
    return Caller(f"{command} --only ", f"For MNIST, run `{command} data` once, or name its folder with --data.")
