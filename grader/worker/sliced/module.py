"""A slice as a module: its statements, the built-in names that it may use, and imports of allowed modules only."""

from __future__ import annotations

import builtins
import importlib.abc
import linecache
import sys
from collections.abc import Callable, Mapping
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.slices import policy
from grader.worker.sliced import arrays
from grader.worker.sliced.calllog import CallLog, current, open_log
from grader.worker.sliced.facade import Modules
from grader.worker.sliced.numbertypes import type_of


class Loader(MetaPathFinder, importlib.abc.Loader):
    """Imports slices from a folder, each file once; for the staff's modules, too, which import what was handed in."""

    def __init__(self, folder: Path, modules: Modules, finish: Callable[[dict[str, Any]], None]) -> None:
        self._folder, self._modules, self._finish = folder, modules, finish
        self._loaded: dict[str, ModuleType] = {}
        self._builtins = {name: getattr(builtins, name) for name in policy.BUILTINS if hasattr(builtins, name)}
        self._builtins |= {"__import__": self._import, "__build_class__": builtins.__build_class__}
        self._builtins["super"] = _super_of(self._loaded)
        self._builtins["type"] = lambda value: type_of(modules.get("numpy"), value)
        current.folder = str(folder)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return where a slice lies; None for all other modules."""
        del path, target
        return ModuleSpec(fullname, self) if (self._folder / f"{fullname}.py").is_file() else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of a slice."""
        return self.load(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it was executed when it was made."""

    def scopes(self) -> list[dict[str, Any]]:
        """Return the names of each slice that has been imported."""
        return [vars(module) for module in self._loaded.values()]

    def load(self, name: str) -> ModuleType:
        """Return the module of a slice.

        Raises:
            ModuleNotFoundError: no slice lies in a file of that name.
        """
        if name in self._loaded:
            return self._loaded[name]
        path = self._folder / f"{name}.py"
        if not path.is_file():
            raise ModuleNotFoundError(f"no slice of {name}.py is closed")
        module = ModuleType(name)
        vars(module).update(__builtins__=self._builtins, __file__=str(path))
        self._loaded[name] = sys.modules[name] = module
        open_log(CallLog(full=False))
        arrays.enter_import()
        try:
            linecache.checkcache(str(path))
            exec(compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True), vars(module))  # noqa: S102 - a closed slice, in the worker
            self._finish(vars(module))
        except BaseException:
            del sys.modules[name], self._loaded[name]
            raise
        return module

    def _import(
        self, name: str, globals_: Any = None, locals_: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        if level == 0 and (self._folder / f"{name}.py").is_file():
            return self.load(name)
        if isinstance(fromlist, list):  # not a statement: C code of a library imports what it needs itself
            return builtins.__import__(name, globals_, locals_, fromlist, level=level)
        if level or not policy.is_module_allowed(name):
            current.log.refuse(f"import {name}")
            raise ImportError(f"a slice cannot import {name}")
        return self._modules.get(name if fromlist else name.partition(".")[0])


def _super_of(modules: Mapping[str, ModuleType]) -> type:
    """Return `super` for classes of slices only: those of libraries would show what ours cover."""

    class Super(super):  # without `__init__`: Python's own reads the frame that calls it
        def __new__(cls, *args: Any) -> Any:
            if args and getattr(args[0], "__module__", "") not in modules:
                current.log.refuse("super of a class of a library")
                raise TypeError("a slice cannot ask for what a class of a library inherits")
            return super().__new__(cls)

    return Super
