"""Imports slices: compiles each with its private names replaced and with guards, and executes it.

A slice is a module: its statements, the built-in names that it may use, and imports of allowed modules only.
"""

import ast
import builtins
import importlib.abc
import linecache
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from grader.slices import policy
from grader.slices.idle import last_name
from grader.worker.sliced import arrays, objects, owncode
from grader.worker.sliced.calllog import CallLog, current, refuse
from grader.worker.sliced.facade import Modules
from grader.worker.sliced.freezing import has_field, hide_protocols, of_own, set_label
from grader.worker.sliced.standard import STAND_INS, make_hint

_TYPE, _SET, _LABEL, _PLAIN = "the type of", "a field of an own object", "a name of its own", "the plain"
"""Built-in names, or the start of such names, that no slice can write, because they contain spaces."""


class _Guarding(ast.NodeTransformer):
    """Replaces expressions by which a slice could reach others' objects with guarded functions of the grader.

    `x.__class__` becomes our `type(x)`, `object.__setattr__` our `setattr`, and `x.__name__ = …` a call of `set_label`.
    A pattern that takes an object apart by position gets Python's type of that name, whatever the slice calls so.
    """

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if not policy.is_guarded(node):
            return node
        ask, put = (ast.Name(name, ast.Load()) for name in (_TYPE, _SET))
        return ast.copy_location(ast.Call(ask, [node.value], []) if node.attr == "__class__" else put, node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if not policy.is_guarded(node):
            return node
        labels = [target for target in node.targets if isinstance(target, ast.Attribute)]
        parts = [part for target in labels for part in (target.value, ast.Constant(target.attr))]
        return ast.copy_location(ast.Expr(ast.Call(ast.Name(_LABEL, ast.Load()), [node.value, *parts], [])), node)

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        self.generic_visit(node)
        if node.patterns:
            node.cls = ast.copy_location(ast.Name(f"{_PLAIN} {last_name(node.cls)}", ast.Load()), node.cls)
        return node


def _compile(path: Path) -> CodeType:
    """Return the code of a slice with its private names replaced, and with guards."""
    text = path.read_text("utf-8")
    written = compile(text, str(path), "exec", dont_inherit=True)
    tree = ast.parse(text)
    is_guarded = any(isinstance(node, ast.MatchClass) or policy.is_guarded(node) for node in ast.walk(tree))
    if not (_rename(tree) or is_guarded):
        return written  # compiling a text allows deeper expressions than a tree
    tree = ast.fix_missing_locations(_Guarding().visit(tree)) if is_guarded else tree
    code = _name_as_written(compile(tree, str(path), "exec", dont_inherit=True))
    owncode.remember_written(code, written)
    return code


def _rename(tree: ast.AST) -> bool:
    """Replace all private names in a tree, of variables, fields and all else; return whether there are any.

    Texts stay, except those in `__slots__`.
    """
    nodes, has_private = [*ast.walk(tree)], False
    lists = [node for node in nodes if isinstance(node, ast.Assign) and last_name(node.targets[0]) == "__slots__"]
    in_lists = {part for node in lists for part in ast.walk(node)}
    for node in nodes:
        for field, value in ast.iter_fields(node) if node in in_lists or not isinstance(node, ast.Constant) else ():
            other = _renamed(value)
            has_private |= other != value
            setattr(node, field, other)
    return has_private


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [*map(_renamed, value)]
    return policy.in_slice(value) if isinstance(value, str) else value


def _name_as_written(code: CodeType) -> CodeType:
    """Return code whose functions have the names of the hand-in, because messages name kernels."""
    constants = tuple(_name_as_written(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    name, qualified = policy.as_written(code.co_name), policy.as_written(code.co_qualname)
    return code.replace(co_consts=constants, co_name=name, co_qualname=qualified)


def _build_class(body: Any, name: str, /, *bases: Any, **options: Any) -> Any:
    """Do what a class statement does; the class gets the name that it has in the hand-in."""
    made = builtins.__build_class__(body, name, *bases, **options)
    if isinstance(made, type):
        made.__name__, made.__qualname__ = map(policy.as_written, (made.__name__, made.__qualname__))
        hide_protocols(made)
    return made


class Loader(MetaPathFinder, importlib.abc.Loader):
    """Imports slices from a folder, each file once, also for the staff's modules, which import handed-in files."""

    def __init__(self, folder: Path, modules: Modules, finish: Callable[[dict[str, Any]], None]) -> None:
        self._folder, self._modules, self._finish = folder, modules, finish
        self._loaded: dict[str, ModuleType] = {}
        self._builtins = {name: getattr(builtins, name) for name in policy.BUILTINS if hasattr(builtins, name)}
        self._builtins |= {"__import__": self._import, "__build_class__": _build_class}
        self._builtins |= {function.__name__: of_own(function) for function in (getattr, setattr)}
        self._builtins |= {_SET: of_own(object.__setattr__), "hasattr": has_field}
        self._builtins |= {f"{_PLAIN} {name}": getattr(builtins, name) for name in policy.PLAIN_TYPES}
        self._builtins |= {"super": _super_of(self._loaded), _LABEL: set_label}
        self._builtins |= {name: hint for (module, name), hint in STAND_INS.items() if module == "builtins"}
        self._builtins["type"] = self._builtins[_TYPE] = make_hint(type, partial(objects.type_of, modules.get("numpy")))
        current.folder = str(folder)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return where a slice lies; None for all other modules."""
        del path, target
        return ModuleSpec(fullname, self) if (self._folder / f"{fullname}.py").is_file() else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of a slice."""
        return self.load(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: `create_module` has executed the module."""

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
        current.log = CallLog(full=False)
        arrays.entered.clear()  # an import makes arrays of class `Observed`
        try:
            linecache.checkcache(str(path))
            exec(_compile(path), vars(module))  # noqa: S102 - a closed slice, in the worker
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
        if isinstance(fromlist, list):  # a call, no statement: C code of a library imports what it needs
            return builtins.__import__(name, globals_, locals_, fromlist, level=level)
        if level:
            raise ImportError("attempted relative import with no known parent package")  # Python's own words
        if not policy.is_module_allowed(name):
            refuse(f"import {name}", f"import {name}", ImportError)
        return self._modules.get(name if fromlist else name.partition(".")[0])


def _super_of(modules: Mapping[str, ModuleType]) -> type:
    """Return `super` for slices' classes only: for a library's class it would reach methods that ours replace."""

    class Super(super):  # without `__init__`: Python's own reads the frame that calls it
        def __new__(cls, *args: Any) -> Any:
            if args and getattr(args[0], "__module__", "") not in modules:
                refuse("super of a class of a library", "ask for what a class of a library inherits")
            return super().__new__(cls)

    return Super
