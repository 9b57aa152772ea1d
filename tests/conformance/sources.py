"""Where numba-cuda's tests find the modules that they import."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, Final

SHIPPED: Final = (
    *("numba.cuda.tests", "numba.cuda.testing", "numba.cuda.kernels.transpose"),
    *("numba.cuda.libdevice", "numba.cuda.libdevicefuncs"),
)
"""Modules that are loaded from the installed package as they are."""
COPIED_FROM: Final = {
    "numba.cuda.core": "numba.core",
    "numba.cuda.cpython": "numba.cpython",
    "numba.cuda.datamodel": "numba.core.datamodel",
    "numba.cuda.flags": "numba.core.compiler",
    "numba.cuda.misc": "numba.misc",
    "numba.cuda.np": "numba.np",
    "numba.cuda.typeconv": "numba.core.typeconv",
    "numba.cuda.typing": "numba.core.typing",
    "numba.cuda.utils": "numba.core.utils",
    "numba.cuda.cgutils": "numba.core.cgutils",
}
"""Parts of Numba that numba-cuda keeps a copy of; the executor uses Numba's own."""


class _Replace(Loader):
    def __init__(self, target: str) -> None:
        self._target = target

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the empty module that is replaced at once to Python."""

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = importlib.import_module(self._target)


class SuiteFinder(MetaPathFinder):
    """Finds ``numba.cuda.*`` for the tests: shipped files and copied parts."""

    def __init__(self, package: Path) -> None:
        self._package = package

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        """Return how to load such a module; None for every other name, so that the executor answers."""
        if fullname.startswith(SHIPPED):
            return self._find_file(fullname)
        for copy, original in COPIED_FROM.items():
            if fullname == copy or fullname.startswith(copy + "."):
                return ModuleSpec(fullname, _Replace(original + fullname.removeprefix(copy)))
        return None

    def _find_file(self, fullname: str) -> ModuleSpec | None:
        place = self._package.joinpath(*fullname.split(".")[2:])
        if place.is_dir():
            return importlib.util.spec_from_file_location(
                fullname, place / "__init__.py", submodule_search_locations=[str(place)]
            )
        return importlib.util.spec_from_file_location(fullname, place.with_suffix(".py"))


def find_package() -> Path:
    """Return the folder of numba-cuda's ``numba.cuda``.

    Raises:
        ModuleNotFoundError: when numba-cuda is not installed.
    """
    spec = importlib.util.find_spec("numba_cuda")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("numba-cuda is not installed: say `make conformance`")
    return Path(next(iter(spec.submodule_search_locations))) / "numba" / "cuda"
