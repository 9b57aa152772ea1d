"""What the worker of slices does with a request: find a function in its slice, call it observed, say what was seen.

A slice is a module: its statements, the built-in names that it may use, and imports of allowed modules only.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import importlib
import importlib.abc
import importlib.util
import linecache
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.slices import policy
from grader.slices.idle import last_name
from grader.worker import wire
from grader.worker.launches import dispatcher_class, watch_launches
from grader.worker.sliced import arrays, facade, labels, objects, operations, owncode, withheld
from grader.worker.sliced.calllog import COMPILED, MIXED, MOST_TOLD, NOTHING, CallLog, current, most_frequent
from grader.worker.sliced.exact import exact
from grader.worker.sliced.facade import Makers, Modules
from grader.worker.sliced.freezing import freeze_all, guard, has_field, hide_protocols, of_own, set_label
from grader.worker.sliced.standard import STAND_INS, make_hint

if TYPE_CHECKING:
    from grader.worker.sliced.launches import Interference

_CONTAINERS = ("List", "Dict")
_HANDED_OUT = (
    *(facade.Function, objects.Grid, objects.Vectorized, objects.Generator, objects.Iteration, labels.Flat),
    dataclasses.Field,  # its name becomes part of a text that is executed
)
"""Classes whose objects a slice gets, beside those of CUDA."""


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
        match node.targets:
            case [ast.Attribute(attr=name, value=owner)] if policy.is_guarded(node):
                call = ast.Call(ast.Name(_LABEL, ast.Load()), [owner, ast.Constant(name), node.value], [])
                return ast.copy_location(ast.Expr(call), node)
        return node

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
        self._builtins |= {_SET: of_own(object.__setattr__), _LABEL: set_label, "hasattr": has_field}
        self._builtins |= {f"{_PLAIN} {name}": getattr(builtins, name) for name in policy.PLAIN_TYPES}
        self._builtins["super"] = _super_of(self._loaded)
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
        arrays.enter_import()
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
        if isinstance(fromlist, list):  # not a statement: C code of a library imports what it needs
            return builtins.__import__(name, globals_, locals_, fromlist, level=level)
        if level:
            raise ImportError("attempted relative import with no known parent package")  # Python's own words
        if not policy.is_module_allowed(name):
            current.log.refuse(f"import {name}")
            raise ImportError(f"a graded function cannot import {name}")
        return self._modules.get(name if fromlist else name.partition(".")[0])


def _super_of(modules: Mapping[str, ModuleType]) -> type:
    """Return `super` for slices' classes only: for a library's class it would reach methods that ours replace."""

    class Super(super):  # without `__init__`: Python's own reads the frame that calls it
        def __new__(cls, *args: Any) -> Any:
            if args and getattr(args[0], "__module__", "") not in modules:
                current.log.refuse("super of a class of a library")
                raise TypeError("a graded function cannot ask for what a class of a library inherits")
            return super().__new__(cls)

    return Super


class Slices:
    """The slices in a folder, ready to be called."""

    def __init__(self, folder: Path, device: str, *, observed: bool) -> None:
        self._folder, self._device, self._observed = folder, device, observed
        self.compiler: Any = None
        self.launches: Any = None
        for kind in _HANDED_OUT:
            guard(kind)
        guard(arrays.Observed, frozenset({"shape", "flat", "real", "imag"}))
        self._modules = modules = Modules(observed=observed, prepare_numba=self._prepare_numba)
        withheld.withhold_from_libraries(lambda kind: objects.numbers_of(modules.get("numpy"), kind))
        if observed:
            withheld.withhold(np.generic, objects.MAKING_ARRAYS, objects.of_scalars)
            withheld.observe_items(lambda array: operations.labelled(array, NOTHING))
        freeze_all("grader.worker", arrays.KINDS)
        self._loader = Loader(folder, modules, self._finish)
        sys.meta_path.insert(0, self._loader)

    def holds(self, module: str) -> bool:
        """Return whether a slice lies in a file of that name."""
        return Path(self._folder, f"{module}.py").is_file()

    def seen_so_far(self) -> wire.Seen:
        """Return what was seen of a call that raised."""
        return self._describe(current.log, None)

    @contextmanager
    def interfering(self, interference: Interference | None) -> Iterator[None]:
        """Let `interference` replace each launch in this block; without effect if no slice has imported Numba."""
        if self.launches is None:
            yield
            return
        self.launches.interference = interference
        try:
            yield
        finally:
            self.launches.interference = None

    def load(self, module: str) -> ModuleType:
        """Return the module of a slice, or a module of the staff whose functions call slices."""
        spec = None if self.holds(module) else importlib.util.find_spec(module)
        if spec is None:
            return self._loader.load(module)
        if spec.origin and b"numba" in Path(spec.origin).read_bytes():  # before the module sends anything to the device
            self._modules.get("numba.cuda")
        return importlib.import_module(module)

    def call(self, function: Callable[..., Any], args: Sequence[Any], *, full: bool) -> tuple[Any, wire.Seen]:
        """Call a function of a slice with observed arguments; return its value, as plain data, and what was seen."""
        current.log = log = CallLog(full=full)
        arrays.enter_call(full)
        if self.launches is not None:
            self.launches.begin_call()
        observed = list(args)
        for place, arg in enumerate(args):
            if self._observed and isinstance(arg, np.ndarray):
                observed[place] = operations.observe(arg, frozenset({f"argument {place}"}))
        began_s = time.process_time()
        value = function(*observed)
        log.computed_s = time.process_time() - began_s
        return exact(value), self._describe(log, value)

    @staticmethod
    def _label(log: CallLog, value: Any) -> frozenset[str]:
        """Return the label of an answer; if it equals something that compiled code made, return the label of that."""
        label = labels.label_of(value)
        if any(token.startswith((COMPILED, MIXED)) for token in label):
            return label
        for made, of_made, _ in log.made.values():
            if _hold_the_same(made, value):
                return of_made
        return label

    def seen_launches(self) -> tuple[wire.Launch, ...]:
        """Return the launches of the call that ended last, however it ended."""
        return tuple(self.launches.seen) if self.launches is not None else ()

    def _describe(self, log: CallLog, value: Any) -> wire.Seen:
        return wire.Seen(
            label=tuple(sorted(self._label(log, value)))[:MOST_TOLD],
            mixes=tuple(f"{times} × {what}" for what, times in most_frequent(log.mixes).items()),
            mixed=sum(log.mixes.values()),
            singles=most_frequent(log.singles),
            compiled=most_frequent(log.compiled),
            given_to_compiled=tuple(sorted(log.given_to_compiled))[:MOST_TOLD],
            leaks=log.leaks,
            told=log.told,
            reads=log.reads,
            writes=log.writes,
            waited_s=log.waited_s,
            computed_s=log.computed_s,
            refused=tuple(log.refused),
        )

    def _finish(self, scope: dict[str, Any]) -> None:
        if self.compiler is not None:
            self.compiler.refresh(scope)

    def _prepare_numba(self) -> Makers:
        """Import Numba, and CUDA with it, before anything of the submission; watch launches and device memory."""
        if self._device == "cpu":
            importlib.import_module("grader.cuda_cpu").install()
        else:
            importlib.import_module("numba.cuda")
        from grader.worker.sliced import compiled, containers, devices, launches, signatures  # noqa: PLC0415 - Numba only where a slice imports it

        has_neighbours = "mpi4py" in sys.modules  # behind the arrays of an MPI rank lie those of other ranks
        self.compiler = compiled.Compiler(within_arrays=self._observed or has_neighbours)
        self.compiler.names = self._kernel_name
        self.launches = launches.Launches(self.compiler)
        typed = [getattr(importlib.import_module("numba.typed"), name) for name in _CONTAINERS]
        containers.watch(typed, observed=self._observed)
        watch_launches()
        if self._observed:
            self.launches.watch(dispatcher_class())
            devices.watch_arrays(launches.array_class())
            devices.watch_scenarios(importlib.import_module("numba.cuda"))
        for kind in (signatures.NumbaType, *launches.classes_of_cuda()):
            guard(kind, takes_marks=issubclass(dispatcher_class(), kind))
        withheld.withhold_from_cuda()
        freeze_all("grader.", arrays.KINDS)
        of_numba = ("numba", "numba.types", "numba.extending")
        return {
            **dict.fromkeys(of_numba, self.compiler.make_numba),
            "numba.cuda": self.compiler.make_cuda,
            "numba.cuda.cudadrv.devicearray": lambda _name, _real: make_hint(launches.array_class()),
        }

    def _kernel_name(self, kernel: Any) -> str:
        """Return the name of a kernel in its module, or the name of its function if the module has none."""
        own = str(getattr(kernel, "__name__", "?"))
        for scope in self._loader.scopes():
            names = [policy.as_written(name) for name, value in scope.items() if value is kernel]
            if names:
                return own if own in names else names[0]
        return own


def _hold_the_same(made: Any, value: Any) -> bool:
    try:
        return bool(np.array_equal(np.array(list(made)), labels.unwrap(exact(value))))
    except (TypeError, ValueError):
        return False


_slices: list[Slices] = []


def open_slices(folder: Path, device: str, *, observed: bool) -> Slices:
    """Make the slices of this worker; there is one folder of them."""
    _slices[:] = [Slices(folder, device, observed=observed)]
    current.load = _slices[0].load
    return _slices[0]


def the_slices() -> Slices:
    """Return the slices of this worker."""
    return _slices[0]


def find_slices(module: str) -> Slices | None:
    """Return the slices of this worker if one lies in a file of that name."""
    return _slices[0] if _slices[0].holds(module) else None
