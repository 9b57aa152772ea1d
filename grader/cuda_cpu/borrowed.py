"""Parts of ``numba.cuda`` that are plain Python on top of kernels: Numba's own files, run against this executor.

Random numbers, reductions and ufuncs are written with ``@cuda.jit`` functions, so that Numba's own source gives the
numbers that a GPU gives.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

_PREFIX: Final = "numba.cuda."
_BORROWED: Final = ("random", "kernels", "kernels.reduction", "vectorizers", "deviceufunc")


class BorrowingFinder(MetaPathFinder):
    """Finds the borrowed modules in Numba's folder and refuses the others by name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module of ``numba.cuda`` lies; None for modules of others."""
        if not fullname.startswith(_PREFIX):
            return None
        name = fullname.removeprefix(_PREFIX)
        if name not in _BORROWED:
            raise ModuleNotFoundError(
                f"{fullname} is not part of the CUDA executor for the CPU: it needs a real GPU and its driver",
                name=fullname,
            )
        import numba

        file = Path(numba.__file__).parent.joinpath("cuda", *name.split("."))
        if file.is_dir():
            return importlib.util.spec_from_loader(fullname, None, is_package=True)
        return importlib.util.spec_from_file_location(fullname, file.with_suffix(".py"))


def install_finder() -> None:
    """Put the finder before Python's own, once."""
    if not any(isinstance(finder, BorrowingFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, BorrowingFinder())
