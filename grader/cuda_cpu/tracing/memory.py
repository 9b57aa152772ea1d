"""A small compiler for the routines behind traced kernels: Python on 64-bit words becomes machine code.

Numba would take a second for the race detector, most of it spent on finding out types. Here there is one type, the
signed 64-bit word; a word may be used as an address of words (`words_at`, and parameters whose annotation is `Any`) or
of bytes (`bytes_at`), which are then indexed. Known are assignments, ``if``, ``while``, ``for ... in range(...)``,
``continue``, ``return``, Python's integer operators, ``min``, ``max``, ``int``, ``bool``, integers at a module's top
level and other routines. Anything else is refused when the routine is compiled.
"""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

from grader.cuda_cpu.codelibrary import ThreadCodegen
from grader.cuda_cpu.numba_internals import global_compiler_lock, ir
from grader.cuda_cpu.threadstate import I64

WORD: Final = "word"
WORDS: Final = "words"
BYTES: Final = "bytes"
Function = Callable[..., Any]
Value = tuple[Any, str]
"""An LLVM value, always an ``i64``, and what it may be used as."""

_BIT: Final = ir.IntType(1)
_BYTE: Final = ir.IntType(8)
_FALSE: Final = I64(0)
_SIGNS: Final[dict[type[Any], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_PLAIN: Final[dict[type[Any], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.LShift: "shl",
    ast.RShift: "ashr",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}


def machine_code(function: Function) -> Function:
    """Mark a routine that only compiled code calls."""
    return function


def words_at(address: Any) -> Any:
    """Return the 64-bit words at an address; inside a routine only."""
    raise NotImplementedError


def bytes_at(address: Any) -> Any:
    """Return the bytes at an address; inside a routine only."""
    raise NotImplementedError


@cache
def _codegen() -> Any:
    return ThreadCodegen("cuda_cpu.routines")


@global_compiler_lock
def compile_routine(name: str, function: Function) -> Any:
    """Return a library with a routine of that name and all that it calls; its parameters and its result are words.

    Raises:
        NotImplementedError: for what is not known here, with the routine's name.
    """
    library = _codegen().create_launcher_library(name)
    module = library.create_ir_module(name)
    _Library(module).define(function, name)
    library.add_ir_module(module)
    library.finalize()
    return library


class _Library:
    """The routines of one LLVM module, each written when it is first called."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self._known: dict[Function, Any] = {}

    def define(self, function: Function, name: str) -> Any:
        """Return a routine as an LLVM function."""
        if function not in self._known:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
            assert isinstance(tree, ast.FunctionDef)
            kind = ir.FunctionType(I64, [I64] * len(tree.args.args))
            self._known[function] = ir.Function(self.module, kind, name)
            _Routine(self, function, tree).write(self._known[function])
        return self._known[function]


class _Routine:
    """One routine while it is written."""

    def __init__(self, library: _Library, function: Function, tree: ast.FunctionDef) -> None:
        self._library = library
        self._globals = function.__globals__
        self._tree = tree
        self._places: dict[str, Any] = {}
        self._kinds: dict[str, str] = {}
        self._loops: list[Any] = []
        self._builder: Any = None
        self._head: Any = None

    def write(self, target: Any) -> None:
        """Write the routine's body."""
        target.attributes.add("optsize")  # unrolled and put in line, the race detector takes twice as long to compile
        self._head = ir.IRBuilder(target.append_basic_block("variables"))
        self._builder = ir.IRBuilder(target.append_basic_block("body"))
        for value, parameter in zip(target.args, self._tree.args.args, strict=True):
            kind = WORDS if isinstance(parameter.annotation, ast.Name) and parameter.annotation.id == "Any" else WORD
            self._store(parameter.arg, (value, kind))
        self._write_all(self._tree.body)
        if not self._builder.block.is_terminated:
            self._builder.ret(_FALSE)
        self._head.branch(target.blocks[1])

    def _refuse(self, node: ast.AST) -> NotImplementedError:
        return NotImplementedError(f"{self._tree.name}: {ast.unparse(node)}")

    def _write_all(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            write = getattr(self, f"_write_{type(statement).__name__.lower()}", None)
            if write is None:
                raise self._refuse(statement)
            write(statement)

    def _write_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._read(node.value)

    def _write_return(self, node: ast.Return) -> None:
        self._builder.ret(self._word(node.value) if node.value else _FALSE)
        self._go_on()

    def _write_continue(self, node: ast.Continue) -> None:
        self._builder.branch(self._loops[-1])
        self._go_on()

    def _go_on(self) -> None:
        """Give what stands behind a jump a block of its own, which nobody reaches."""
        self._builder.position_at_end(self._builder.append_basic_block("behind"))

    def _write_assign(self, node: ast.Assign) -> None:
        if isinstance(node.value, ast.Tuple):
            assert isinstance(node.targets[0], ast.Tuple)
            values = [self._read(part) for part in node.value.elts]
            for target, value in zip(node.targets[0].elts, values, strict=True):
                self._assign(target, value)
            return
        value = self._read(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _write_augassign(self, node: ast.AugAssign) -> None:
        before = self._word(node.target)
        self._assign(node.target, (self._combine(node.op, before, self._word(node.value), node), WORD))

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._store(target.id, value)
        elif isinstance(target, ast.Subscript):
            self._builder.store(value[0], self._element(target))
        else:
            raise self._refuse(target)

    def _store(self, name: str, value: Value) -> None:
        if name not in self._places:
            self._places[name] = self._head.alloca(I64, name=name)
        self._kinds[name] = value[1]
        self._builder.store(value[0], self._places[name])

    def _write_if(self, node: ast.If) -> None:
        with self._builder.if_else(self._truth(node.test)) as (then, otherwise):
            with then:
                self._write_all(node.body)
            with otherwise:
                self._write_all(node.orelse)

    def _write_while(self, node: ast.While) -> None:
        with self._loop(lambda: self._truth(node.test)):
            self._write_all(node.body)

    def _write_for(self, node: ast.For) -> None:
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        bounds = [self._word(part) for part in node.iter.args]
        first, last, step = [_FALSE, *bounds, I64(1)] if len(bounds) == 1 else [*bounds, I64(1)][:3]
        counter = self._head.alloca(I64)
        self._builder.store(first, counter)
        with self._loop(lambda: self._builder.icmp_signed("<", self._builder.load(counter), last)):
            number = self._builder.load(counter)
            self._builder.store(self._builder.add(number, step), counter)
            self._store(node.target.id, (number, WORD))
            self._write_all(node.body)

    @contextmanager
    def _loop(self, condition: Callable[[], Any]) -> Iterator[None]:
        builder = self._builder
        top, body, after = (builder.append_basic_block(name) for name in ("top", "body", "after"))
        builder.branch(top)
        builder.position_at_end(top)
        builder.cbranch(condition(), body, after)
        builder.position_at_end(body)
        self._loops.append(top)
        yield
        self._loops.pop()
        builder.branch(top)
        builder.position_at_end(after)

    def _word(self, node: ast.expr) -> Any:
        return self._read(node)[0]

    def _truth(self, node: ast.expr) -> Any:
        return self._builder.icmp_signed("!=", self._word(node), _FALSE)

    def _read(self, node: ast.expr) -> Value:
        read = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        if read is None:
            raise self._refuse(node)
        value = read(node)
        return value if isinstance(value, tuple) else (value, WORD)

    def _read_constant(self, node: ast.Constant) -> Any:
        if not isinstance(node.value, int):
            raise self._refuse(node)
        return I64(int(node.value))

    def _read_name(self, node: ast.Name) -> Value:
        if node.id in self._places:
            return self._builder.load(self._places[node.id]), self._kinds[node.id]
        return I64(operator.index(self._globals[node.id])), WORD

    def _element(self, node: ast.Subscript) -> Any:
        """Emit the address of an element, as a pointer to it."""
        address, kind = self._read(node.value)
        if kind == WORD:
            raise self._refuse(node)
        base = self._builder.inttoptr(address, (I64 if kind == WORDS else _BYTE).as_pointer())
        return self._builder.gep(base, [self._word(node.slice)])

    def _read_subscript(self, node: ast.Subscript) -> Any:
        return self._widen(self._builder.load(self._element(node)))

    def _widen(self, value: Any) -> Any:
        return value if value.type == I64 else self._builder.zext(value, I64)

    def _read_binop(self, node: ast.BinOp) -> Any:
        return self._combine(node.op, self._word(node.left), self._word(node.right), node)

    def _combine(self, kind: ast.operator, left: Any, right: Any, node: ast.AST) -> Any:
        builder = self._builder
        if type(kind) in _PLAIN:
            return getattr(builder, _PLAIN[type(kind)])(left, right)
        if not isinstance(kind, ast.FloorDiv | ast.Mod):
            raise self._refuse(node)
        rest = builder.srem(left, right)
        differs = builder.icmp_signed("<", builder.xor(rest, right), _FALSE)
        falls = builder.and_(builder.icmp_signed("!=", rest, _FALSE), differs)  # Python rounds down, LLVM to zero
        if isinstance(kind, ast.Mod):
            return builder.select(falls, builder.add(rest, right), rest)
        return builder.sub(builder.sdiv(left, right), builder.zext(falls, I64))

    def _read_unaryop(self, node: ast.UnaryOp) -> Any:
        value = self._word(node.operand)
        if isinstance(node.op, ast.USub):
            return self._builder.neg(value)
        if isinstance(node.op, ast.Not):
            return self._widen(self._builder.icmp_signed("==", value, _FALSE))
        raise self._refuse(node)

    def _read_compare(self, node: ast.Compare) -> Any:
        left, found = self._word(node.left), _BIT(1)
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self._word(part)
            found = self._builder.and_(found, self._builder.icmp_signed(_SIGNS[type(kind)], left, right))
            left = right
        return self._widen(found)

    def _read_boolop(self, node: ast.BoolOp) -> Any:
        """Emit ``and`` and ``or`` as 0 or 1; what comes behind the answer is not evaluated."""
        builder = self._builder
        answer = self._head.alloca(I64)
        end = builder.append_basic_block("known")
        is_and = isinstance(node.op, ast.And)
        for part in node.values:
            truth = self._truth(part)
            builder.store(builder.zext(truth, I64), answer)
            further = builder.append_basic_block("further")
            builder.cbranch(truth, *((further, end) if is_and else (end, further)))
            builder.position_at_end(further)
        builder.branch(end)
        builder.position_at_end(end)
        return builder.load(answer)

    def _read_ifexp(self, node: ast.IfExp) -> Any:
        answer = self._head.alloca(I64)
        with self._builder.if_else(self._truth(node.test)) as (then, otherwise):
            for branch, part in ((then, node.body), (otherwise, node.orelse)):
                with branch:
                    self._builder.store(self._word(part), answer)
        return self._builder.load(answer)

    def _read_call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        name, values = node.func.id, [self._word(part) for part in node.args]
        if name in ("words_at", "bytes_at"):
            return values[0], WORDS if name == "words_at" else BYTES
        if name in ("min", "max"):
            is_left = self._builder.icmp_signed("<" if name == "min" else ">", *values)
            return self._builder.select(is_left, *values)
        if name == "int":
            return values[0]
        if name == "bool":
            return self._widen(self._builder.icmp_signed("!=", values[0], _FALSE))
        routine = self._globals[name]
        return self._builder.call(self._library.define(routine, f"{self._library.module.name}.{name}"), values)
