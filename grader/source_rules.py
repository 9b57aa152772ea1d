"""The sheet's rules that can be checked by reading: no library doing the work, loops, no delays, njit.

Nothing of the source is executed. A remark that is *certain* can cost points; a suspicious one is a reason for a TA
to look, and costs none. Own functions that the examined one calls are read as part of it.
"""

from __future__ import annotations

import ast
import importlib.util
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from grader.model import Finding, printable
from grader.source import libraries
from grader.source.expressions import Remark, TooComplicated
from grader.source.reach import find_reaching
from grader.source.values import FunctionNode, Kind, Scope, Value, array
from grader.source.walk import Walk

__all__ = [
    "Reading",
    "Remark",
    "Source",
    "delays",
    "find_function",
    "library_work",
    "loop_depth",
    "njit_missing",
    "reaching",
    "read_function",
    "read_source",
]

MAX_SOURCE_BYTES = 256 << 10
MATRIX_LOOPS = 2
"""Loops inside each other that it takes to visit every element of a matrix."""
_TRICKS = frozenset({"__code__", "__globals__", "__closure__", "__builtins__", "settrace", "setprofile"})
_DYNAMIC = frozenset({"exec", "eval", "globals", "setattr"})
_SWITCHES = ("DISABLE_JIT", "NUMBA_DISABLE_JIT")
_MATRIX = array(2)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that could be parsed."""

    name: str
    text: str
    tree: ast.Module


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that was seen when one function was read."""

    remarks: tuple[Remark, ...]
    loop_depth: int
    """Plain loops inside each other, counted along calls; comprehensions, `while`, `map` and recursion count too."""
    compiler: str
    """Dotted path of what the function was compiled with, `numba.njit`; empty if nothing."""
    options: tuple[tuple[str, bool], ...]
    compiled_depths: tuple[int, ...]
    """For each call to a function compiled by njit: in how many loops of plain Python it stands."""
    plain_depth: int
    """Like `loop_depth`, of the loops that plain Python runs."""


def read_source(name: str, data: bytes) -> Source | Finding:
    """Return the parsed file, or the finding that says why it cannot be read; no exception for any content."""
    hint = "Open the file in an editor and run it once."
    if len(data) > MAX_SOURCE_BYTES:
        return Finding(
            f"{name} is too long to be read.", "at most 256 KiB", f"{len(data)} bytes", "Hand in source only."
        )
    try:
        decoded = importlib.util.decode_source(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's hints about the student's style are none of the grader's output
            return Source(name, decoded, ast.parse(decoded))
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        shown = printable((error.text or "").strip(), 160)
        message = f"{name} is not valid Python: {printable(error.msg, 160)}."
        return Finding(message, got=shown, hint=hint, location=name + line)
    except (UnicodeError, LookupError, ValueError) as error:
        return Finding(f"{name} is no readable text: {printable(str(error), 160)}.", hint=hint, location=name)
    except (RecursionError, MemoryError):
        return Finding(f"{name} is nested too deeply to be read.", hint="Split long expressions.", location=name)


def find_function(tree: ast.Module, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the last definition of `name` at the top level, which is the one that an import gives, or None."""
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return next((node for node in reversed(found) if node.name == name), None)


def reaching(source: Source, beside: Collection[str] = ()) -> tuple[Remark, ...]:
    """Return where a file can reach what observes it; see `grader.source.reach`. Never certain."""
    found = dict.fromkeys(find_reaching(source.tree, beside))
    return tuple(
        Remark("reach", Finding(f"{source.name} {words}", location=f"{source.name}:{line}"), False)
        for line, words in found
    )


def library_work(source: Source, function: str) -> tuple[Remark, ...]:
    """Return where NumPy or another library does the work of `function`, or where that cannot be excluded."""
    reading = read_function(source, function)
    return tuple(remark for remark in reading.remarks if remark.rule in {"library", "dynamic"})


def delays(source: Source, function: str) -> tuple[Remark, ...]:
    """Return where `function` waits, or runs loops that do nothing."""
    return tuple(remark for remark in read_function(source, function).remarks if remark.rule == "delay")


def loop_depth(source: Source, function: str) -> int:
    """Return how many loops stand inside each other in `function` and what it calls."""
    return read_function(source, function).loop_depth


def njit_missing(source: Source, function: str) -> tuple[Remark, ...]:
    """Return why `function` does not seem to run as code compiled by `njit`; empty where it does."""
    reading = read_function(source, function)
    options = dict(reading.options)
    place = f"{source.name}:{_line_of(source.tree, function)}"
    if reading.compiler in libraries.COMPILERS:
        if options.get("forceobj"):
            return (_missing(f"`{function}` is compiled in object mode.", place, certain=True),)
        if options.get("nopython") is False:
            return (_missing(f"`{function}` is compiled with nopython=False.", place, certain=False),)
        return tuple(_switched_off(source))
    if 0 in reading.compiled_depths and reading.plain_depth < MATRIX_LOOPS:
        return tuple(_switched_off(source))
    if reading.compiled_depths:
        return (_missing(f"`{function}` calls njit functions, but also loops in plain Python.", place, certain=False),)
    unclear = any(remark.rule == "dynamic" for remark in reading.remarks)
    other = f"is compiled by {reading.compiler}, not by njit" if reading.compiler else "is not compiled by njit"
    is_cpu_compiler = reading.compiler in libraries.OTHER_COMPILERS
    return (_missing(f"`{function}` {other}.", place, certain=not (unclear or is_cpu_compiler)),)


def read_function(source: Source, function: str) -> Reading:
    """Return everything that is seen when `function` is read with matrices as arguments."""
    walk = Walk(source.name, source.text.splitlines())
    target = None
    try:
        scope = walk.read_module(source.tree)
        target = _find_target(scope, function, walk)
        walk.recording, walk.subject = True, f"`{function}`"
        _read_target(target, function, source, walk)
        if not walk.deepest and getattr(scope.find(function), "kind", None) is Kind.OBJECT:
            walk.note("dynamic", _place(source.tree, function), "is an object that cannot be read here", certain=False)
    except (TooComplicated, RecursionError):
        walk.recording, walk.subject = True, f"`{function}`"
        node = find_function(source.tree, function) or source.tree
        walk.note("dynamic", node, "is too complicated to be followed", certain=False)
    walk.subject = source.name
    _note_tricks(source, walk)
    in_order = sorted(walk.remarks.items(), key=lambda item: item[0][1:])
    return Reading(
        remarks=tuple(dict.fromkeys(remark for _, remark in in_order)),
        loop_depth=walk.deepest,
        compiler=target.compiled if target else "",
        options=target.options if target else (),
        compiled_depths=tuple(walk.compiled_depths),
        plain_depth=walk.plain_deepest,
    )


def _find_target(scope: Scope, function: str, walk: Walk) -> Value | None:
    found = scope.find(function)
    if found and found.kind is Kind.OBJECT:
        return walk.attribute(found, "__call__", ast.Pass())
    return found


def _read_target(target: Value | None, function: str, source: Source, walk: Walk) -> None:
    place = _place(source.tree, function)
    if target is None:
        walk.note("dynamic", place, "has no definition that was found", certain=False)
    elif target.kind is Kind.LIBRARY:
        walk.note("library", place, f"is {target.name}", certain=True, hint="Write the function yourself.")
    elif target.kind is Kind.FUNCTION and isinstance(target.node, FunctionNode):
        walk.follow(target, [_MATRIX] * _count_required(target.node))
        if target.compiled in libraries.COMPILERS:
            walk.compiled_depths.pop(0)
    else:
        walk.note("dynamic", place, "is made in a way that cannot be read here", certain=False)


def _count_required(node: FunctionNode) -> int:
    return len(node.args.posonlyargs) + len(node.args.args) - len(node.args.defaults)


def _note_tricks(source: Source, walk: Walk) -> None:
    """Note what can change a function behind the reader's back, anywhere in the file."""
    for node in ast.walk(source.tree):
        name = ""
        if isinstance(node, ast.Attribute) and node.attr in _TRICKS:
            name = node.attr
        elif isinstance(node, ast.Name) and node.id in _DYNAMIC:
            name = node.id
        elif isinstance(node, ast.Attribute) and node.attr == "modules" and isinstance(node.value, ast.Name):
            name = "sys.modules" if node.value.id == "sys" else ""
        if name:
            walk.note("dynamic", node, f"uses {name}, which can change functions unseen", certain=False)


def _switched_off(source: Source) -> Iterator[Remark]:
    for node in ast.walk(source.tree):
        text = getattr(node, "attr", None) or getattr(node, "value", None)
        if text in _SWITCHES:
            place = f"{source.name}:{getattr(node, 'lineno', 0)}"
            yield _missing(f"{source.name} touches the switch that turns compilation off.", place, certain=False)


def _missing(message: str, place: str, *, certain: bool) -> Remark:
    return Remark("compiled", Finding(message, expected="@njit", hint="Use njit.", location=place), certain)


def _place(tree: ast.Module, name: str) -> ast.AST:
    """Return the last statement at the top level that binds `name`, or the module."""
    for node in reversed(tree.body):
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        aliases = {alias.asname or alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)}
        if getattr(node, "name", None) == name or name in names | aliases:
            return node
    return tree


def _line_of(tree: ast.Module, name: str) -> int:
    return getattr(_place(tree, name), "lineno", 1)
