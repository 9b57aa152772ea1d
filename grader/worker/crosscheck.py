"""Whether the slice of a function is what the whole file ends up with: what is graded is what can be read.

A graded function, and what it names, are compared right after the import, before anything is called: what a call leaves
behind is no difference.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from grader.errors import Inconclusive, StudentFault
from grader.slices.cutting import Slices
from grader.worker.client import WorkerClient

_OWN_CODE = "grader.worker.sliced.owncode"
_MOST_SHOWN = 3
_DIFFERS = "what {}.{} is after the import is not what is written under that name"


class CrossCheck:
    """The slices of a submission beside its whole files, which run in two workers."""

    def __init__(self, slices: Slices, whole: WorkerClient, sliced: WorkerClient) -> None:
        self._slices, self._whole, self._sliced = slices, whole, sliced
        self._has_compared = False
        self._differences: dict[str, dict[str, str]] = {}
        """Module -> function -> how the file's differs from its slice."""

    def why_open(self, module: str, function: str) -> str:
        """Return why the points of a function are for a TA: what opens its slice, or how the file differs from it.

        Empty for a slice that is closed and what the whole file ends up with.
        """
        piece = self._slices.of(module, function)
        if not piece.is_closed:
            return "; ".join(str(opening) for opening in piece.openings[:_MOST_SHOWN])
        self.compare_all()
        if module not in self._differences:
            self._differences[module] = self._compare(module)
        return self._differences[module].get(function, "")

    def note(self, module: str, function: str, words: str) -> None:
        """Let a function be open from now on: its file was seen to do something else than its slice."""
        self._differences.setdefault(module, {})[function] = words

    def compare_all(self) -> None:
        """Compare all modules, once."""
        for module in self._slices.modules() if not self._has_compared else ():
            self._has_compared = True
            with suppress(StudentFault, Inconclusive):  # told to whoever asks for something in there
                self._differences[module] = self._compare(module)

    def _compare(self, module: str) -> dict[str, str]:
        """Return function -> how the whole file's function differs from its slice, for those whose own code does."""
        names = [name for name in self._slices.functions(module) if self._slices.of(module, name).is_closed]
        if not names:
            return {}
        try:
            as_sliced = self._sliced.call(_OWN_CODE, "describe", (module, names, True)).value
        except StudentFault as fault:
            return dict.fromkeys(names, f"{module}.py cannot run as a slice: {fault.finding.message}")
        as_whole = self._whole.call(_OWN_CODE, "describe", (module, names, False)).value
        pairs = ((name, _digest_of(as_whole, name), _digest_of(as_sliced, name)) for name in names)
        return {name: _DIFFERS.format(module, name) for name, whole, sliced in pairs if whole != sliced or not whole}


def _digest_of(described: Any, name: str) -> str:
    """Return what a worker said of a function; whatever it said, it is a text."""
    return str(described.get(name, "")) if isinstance(described, dict) else ""
