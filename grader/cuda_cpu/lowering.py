"""From Numba's typed IR to LLVM: the one place where every array access of a kernel passes by."""

from __future__ import annotations

import linecache
import re
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.barriers import EARLY_RETURN
from grader.cuda_cpu.faults import check_index, read_index
from grader.cuda_cpu.numba_internals import Lower, numba_ir, types
from grader.cuda_cpu.numba_internals.arrays import make_array_flat_cls
from grader.cuda_cpu.records import I32, store_field
from grader.cuda_cpu.tracing.emit import emit_begin, emit_branch

_RETURN: Final = re.compile(r"\breturn\b")


def source_name(func_ir: Any, var: Any) -> str:
    """Return the name that the programmer gave to an IR variable, or a description of it."""
    for _ in range(8):
        if not var.name.startswith("$"):
            return str(var.unversioned_name)
        definition = func_ir._definitions.get(var.name, [None])[0]  # noqa: SLF001  # numba offers no accessor
        if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar)):
            return str(definition.name)
        if isinstance(definition, numba_ir.Expr) and definition.op == "cast":
            definition = definition.value
        if isinstance(definition, numba_ir.Expr) and definition.op in ("getitem", "static_getitem", "typed_getitem"):
            return f"{source_name(func_ir, definition.value)}[...]"
        if isinstance(definition, numba_ir.Expr) and definition.op == "getattr":
            return f"{source_name(func_ir, definition.value)}.{definition.attr}"
        if not isinstance(definition, numba_ir.Var):
            break
        var = definition
    return "array"


class ThreadLower(Lower):
    """Lowers a function for one CUDA thread, with checked array accesses."""

    def notify_loc(self, loc: Any) -> None:
        """Remember the line for messages from intrinsics."""
        self.context.current_loc = loc

    def pre_lower(self) -> None:
        """Begin a traced kernel's thread before anything else happens in it."""
        super().pre_lower()
        emit_begin(self.builder)

    def lower_inst(self, inst: Any) -> None:
        """Lower one instruction; an explicit ``return`` leaves a note for the barriers that others still reach."""
        if isinstance(inst, numba_ir.Return) and self.fndesc.restype == types.none:
            line = linecache.getline(inst.loc.filename, inst.loc.line)
            # Without the source nobody can tell, and a GPU goes on.
            is_early = not line or _RETURN.search(line) is not None
            store_field(self.builder, "exit_site", I32(EARLY_RETURN if is_early else 0))
        if isinstance(inst, numba_ir.Branch):
            condition = self.context.cast(
                self.builder, self.loadvar(inst.cond.name), self.typeof(inst.cond.name), types.boolean
            )
            emit_branch(self.context, self.builder, condition)
        super().lower_inst(inst)

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        if expr.args:
            self.context.current_array_name = source_name(self.func_ir, expr.args[0])
        return super()._lower_call_normal(fnty, expr, signature)

    def _lower_call_RecursiveCall(self, fnty: Any, expr: Any, signature: Any) -> Any:  # noqa: N802  # Numba's name
        """Lower a recursive call; a version of the function that is complete already is linked like any other."""
        complete = fnty.dispatcher_type.dispatcher.overloads.get(tuple(signature.args))
        if complete is None:
            return super()._lower_call_RecursiveCall(fnty, expr, signature)
        arguments = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        self.library.add_linking_library(complete.library)
        return self.context.call_internal(self.builder, complete.fndesc, signature, arguments)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Lower ``value[index]`` behind a bounds check."""
        self._check("read of", value, index)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Lower ``target[index] = value`` behind a bounds check."""
        self._check("write to", target_var, index_var)
        return super().lower_setitem(target_var, index_var, value_var, signature)

    def _check(self, action: str, array_var: Any, index_var: Any) -> None:
        """Check the integers of an index here, with names; Numba's own check of stranger indices knows no names."""
        index_kind = self.typeof(index_var.name)
        self.context.current_array_name = source_name(self.func_ir, array_var)
        shape = self._shape_of(array_var)
        found = read_index(index_kind, len(shape)) if shape else None
        self.context.enable_boundscheck = found is None
        if not found or not found[0]:
            return
        parts, shown = found
        index = self.loadvar(index_var.name)
        is_tuple = isinstance(index_kind, types.BaseTuple)
        values = [self.builder.extract_value(index, part.position) if is_tuple else index for part in parts]
        given = [index_kind[part.position] if is_tuple else index_kind for part in parts]
        is_flat = isinstance(self.typeof(array_var.name), types.NumpyFlatType)
        kinds = [types.uint64 if is_flat else part.kind for part in parts]  # Numba's flat knows no negative indices
        values = [self.context.cast(self.builder, v, f, t) for v, f, t in zip(values, given, kinds, strict=True)]
        site = faults.register_site(action, self.context.current_array_name, self.loc, shown)
        check_index(self.context, self.builder, site, values, kinds, shape, [part.axis for part in parts])

    def _shape_of(self, var: Any) -> list[Any]:
        """Return the extents of an array, or of an array's ``flat``; nothing for other things that can be indexed."""
        kind = self.typeof(var.name)
        if isinstance(kind, types.NumpyFlatType):
            flat = make_array_flat_cls(kind)(self.context, self.builder, value=self.loadvar(var.name))
            array = self.context.make_array(kind.array_type)(self.context, self.builder, value=flat.array)
            return [array.nitems]
        if not isinstance(kind, types.Array):
            return []
        array = self.context.make_array(kind)(self.context, self.builder, self.loadvar(var.name))
        return [self.builder.extract_value(array.shape, axis) for axis in range(kind.ndim)]
