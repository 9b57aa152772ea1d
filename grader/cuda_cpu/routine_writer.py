"""The writer of one routine: from Python's syntax tree to LLVM code; see `routines`."""

import ast
import linecache
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.records import I8P, I32, I64, Int32, Record, Words, fields_of, place_of, size_of

Routine = Callable[..., Any]
Value = tuple[Any, Any]
"""An LLVM value and its kind: ``int`` for an ``i64``, else what the ``i8*`` points to (`Words`, `Bytes`, a record)."""

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


_files: Final[dict[str, dict[str, ast.FunctionDef]]] = {}


def parse_routine(routine: Routine) -> ast.FunctionDef:
    """Return the syntax tree of a function at the top level of its file, which is parsed once."""
    filename = routine.__code__.co_filename
    if filename not in _files:
        tree = ast.parse("".join(linecache.getlines(filename, routine.__globals__)))
        _files[filename] = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return _files[filename][routine.__name__]


def kind_of(annotation: ast.expr | None, names: Mapping[str, Any]) -> Any:
    """Return the kind that an annotation names: a record, `Words`, `Bytes`; else ``int``."""
    kind = names.get(annotation.id) if isinstance(annotation, ast.Name) else None
    return kind if isinstance(kind, type) and issubclass(kind, Record | Words) else int


class RoutineWriter:
    """Writes the LLVM code of one routine."""

    def __init__(self, module: Any, routine: Routine, tree: ast.FunctionDef) -> None:
        self._module = module
        self._globals = routine.__globals__
        self._tree = tree
        self._places: dict[str, Any] = {}
        self._kinds: dict[str, Any] = {}
        self._loops: list[Any] = []
        self._builder: Any = None
        self._head: Any = None

    def write(self, target: Any) -> None:
        """Write the routine's body."""
        self._head = ir.IRBuilder(target.append_basic_block("variables"))
        self._builder = ir.IRBuilder(target.append_basic_block("body"))
        for value, parameter in zip(target.args, self._tree.args.args, strict=True):
            self._store(parameter.arg, (value, kind_of(parameter.annotation, self._globals)))
        self._write_all(self._tree.body)
        if not self._builder.block.is_terminated:
            self._builder.ret(self._cast(_FALSE, target.function_type.return_type))
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
        value = self._read(node.value)[0] if node.value else _FALSE
        self._builder.ret(self._cast(value, self._builder.function.function_type.return_type))
        self._go_on()

    def _write_continue(self, node: ast.Continue) -> None:
        self._builder.branch(self._loops[-1])
        self._go_on()

    def _go_on(self) -> None:
        """Begin a new block, never reached, for the code after a jump."""
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
        self._assign(node.target, (self._combine(node.op, self._word(node.target), self._word(node.value), node), int))

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._store(target.id, value)
        else:
            place = self._place(target)[0]
            self._builder.store(self._cast(value[0], place.type.pointee), place)

    def _store(self, name: str, value: Value) -> None:
        if name not in self._places:
            self._places[name] = self._head.alloca(value[0].type, name=name)
            self._kinds[name] = value[1]
        self._builder.store(self._cast(value[0], self._places[name].type.pointee), self._places[name])

    def _cast(self, value: Any, kind: Any) -> Any:
        """Emit the conversion of a value to another LLVM type: between addresses and numbers, or to fewer bits."""
        if value.type == kind:
            return value
        if kind.is_pointer:
            return self._builder.inttoptr(value, kind) if value.type == I64 else self._builder.bitcast(value, kind)
        return self._builder.ptrtoint(value, kind) if value.type.is_pointer else self._builder.trunc(value, kind)

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
            self._store(node.target.id, (number, int))
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
        return self._cast(self._read(node)[0], I64)

    def _truth(self, node: ast.expr) -> Any:
        return self._builder.icmp_signed("!=", self._word(node), _FALSE)

    def _read(self, node: ast.expr) -> Value:
        read = getattr(self, f"_read_{type(node).__name__.lower()}", None)
        if read is None:
            raise self._refuse(node)
        value = read(node)
        return value if isinstance(value, tuple) else (value, int)

    def _read_constant(self, node: ast.Constant) -> Any:
        if not isinstance(node.value, int):
            raise self._refuse(node)
        return I64(int(node.value))

    def _read_name(self, node: ast.Name) -> Value:
        if node.id in self._places:
            return self._builder.load(self._places[node.id]), self._kinds[node.id]
        return I64(operator.index(self._globals[node.id])), int

    def _place(self, node: ast.expr) -> tuple[Any, Any]:
        """Emit a pointer to an indexed word or byte, or to a record's field; return it with ``int`` or the field."""
        if not isinstance(node, ast.Subscript | ast.Attribute):
            raise self._refuse(node)
        address, kind = self._read(node.value)
        if isinstance(node, ast.Subscript) and isinstance(kind, type) and issubclass(kind, Words):
            base = self._cast(address, (I64 if kind is Words else _BYTE).as_pointer())
            return self._builder.gep(base, [self._word(node.slice)]), int
        if isinstance(node, ast.Attribute) and issubclass(kind, Record):
            field = fields_of(kind)[node.attr]
            return place_of(self._builder, address, kind, node.attr), field
        raise self._refuse(node)

    def _read_subscript(self, node: ast.Subscript) -> Any:
        return self._widen(self._builder.load(self._place(node)[0]))

    def _read_attribute(self, node: ast.Attribute) -> Any:
        """Read a field of a record, or a constant of a module."""
        module = self._globals.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(module, ModuleType):
            return I64(operator.index(getattr(module, node.attr)))
        place, field = self._place(node)
        if field.count:
            return self._cast(place, I8P), field.kind
        kind = int if field.kind == Int32 else field.kind
        value = self._builder.load(place)
        return (self._cast(value, I8P) if value.type.is_pointer else self._widen(value)), kind

    def _widen(self, value: Any) -> Any:
        """Emit the extension of a value to 64 bits: a truth value or a byte without sign, a 32-bit number with it."""
        if value.type == I64:
            return value
        return self._builder.sext(value, I64) if value.type == I32 else self._builder.zext(value, I64)

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
        left, holds = self._word(node.left), _BIT(1)
        for kind, part in zip(node.ops, node.comparators, strict=True):
            right = self._word(part)
            holds = self._builder.and_(holds, self._builder.icmp_signed(_SIGNS[type(kind)], left, right))
            left = right
        return self._widen(holds)

    def _read_boolop(self, node: ast.BoolOp) -> Any:
        """Emit ``and`` and ``or`` as 0 or 1; operands after the one that decides are not evaluated."""
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
        if isinstance(node.func, ast.Attribute):
            return self._record_at(node.func, *node.args)
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in ("call_name", "call_at"):
            return self._call_foreign(node.args)
        if name not in ("min", "max", "int", "bool"):
            routine, given = self._globals[name], [self._read(part)[0] for part in node.args]
            function = self._module.define(routine)
            arguments = [self._cast(value, argument.type) for value, argument in zip(given, function.args, strict=True)]
            return self._builder.call(function, arguments), kind_of(parse_routine(routine).returns, routine.__globals__)
        values = [self._word(part) for part in node.args]
        if name in ("min", "max"):
            return self._builder.select(self._builder.icmp_signed("<" if name == "min" else ">", *values), *values)
        if name == "int":
            return values[0]
        return self._widen(self._builder.icmp_signed("!=", values[0], _FALSE))

    def _record_at(self, node: ast.Attribute, table: ast.expr, number: ast.expr | None = None) -> Value:
        """Read ``Words.at(address)``, or ``SomeRecord.at(table, number)``."""
        kind = kind_of(node.value, self._globals)
        if node.attr != "at" or kind is int:
            raise self._refuse(node)
        base = self._cast(self._read(table)[0], I8P)
        if number is None:
            return base, kind
        return self._builder.gep(base, [self._builder.mul(self._word(number), I64(size_of(kind)))]), kind

    def _call_foreign(self, nodes: list[ast.expr]) -> Any:
        """Emit the call of a foreign function: the first node is its name or address, the others its arguments."""
        values = [self._read(part)[0] for part in nodes[1:]]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
        if isinstance(nodes[0], ast.Constant):
            function = cgutils.get_or_insert_function(self._module.module, kind, str(nodes[0].value))
        else:
            function = self._cast(self._word(nodes[0]), kind.as_pointer())
        self._builder.call(function, values)
        return _FALSE
