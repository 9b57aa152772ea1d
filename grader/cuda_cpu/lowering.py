"""From Numba's typed IR to LLVM, with a bounds check at each read and write of an array element."""

import linecache
import re
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.barriers import EARLY_RETURN, emit_answer, emit_payload
from grader.cuda_cpu.faults import check_index, read_index
from grader.cuda_cpu.memory import clear_local_array, local_size_bytes
from grader.cuda_cpu.numba_internals import Lower, cgutils, load_arrays, numba_ir, types
from grader.cuda_cpu.records import I32, I64, store_field
from grader.cuda_cpu.regions import Resume, Split, Stop, Work, split_kernel
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
        """Lower one instruction; an explicit ``return`` is recorded, for barriers that other threads still reach."""
        if isinstance(inst, numba_ir.Return) and self.fndesc.restype == types.none:
            line = linecache.getline(inst.loc.filename, inst.loc.line)
            # Without the source, every return counts as explicit: a GPU continues, too.
            is_early = not line or _RETURN.search(line) is not None
            store_field(self.builder, "exit_site", I32(EARLY_RETURN if is_early else 0))
        if isinstance(inst, numba_ir.Branch):
            value, kind = self.loadvar(inst.cond.name), self.typeof(inst.cond.name)
            emit_branch(self.context, self.builder, self.context.cast(self.builder, value, kind, types.boolean))
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
        """Check the integers of an index, for messages with index and shape; Numba's own check takes other indices."""
        index_kind = self.typeof(index_var.name)
        self.context.current_array_name = source_name(self.func_ir, array_var)
        shape = self._shape_of(array_var)
        index_parts = read_index(index_kind, len(shape)) if shape else None
        self.context.enable_boundscheck = index_parts is None
        if not index_parts or not index_parts[0]:
            return
        parts, shown = index_parts
        index = self.loadvar(index_var.name)
        is_tuple = isinstance(index_kind, types.BaseTuple)
        values = [self.builder.extract_value(index, part.position) if is_tuple else index for part in parts]
        given_kinds = [index_kind[part.position] if is_tuple else index_kind for part in parts]
        is_flat = isinstance(self.typeof(array_var.name), types.NumpyFlatType)
        kinds = [types.uint64 if is_flat else part.kind for part in parts]  # Numba's flat knows no negative indices
        values = [self.context.cast(self.builder, v, f, t) for v, f, t in zip(values, given_kinds, kinds, strict=True)]
        site = faults.register_site(action, self.context.current_array_name, self.loc, shown)
        check_index(self.context, self.builder, site, values, kinds, shape, [part.axis for part in parts])

    def _shape_of(self, var: Any) -> list[Any]:
        """Return the extents of an array, or of an array's ``flat``; nothing for other things that can be indexed."""
        kind = self.typeof(var.name)
        if isinstance(kind, types.NumpyFlatType):
            flat = load_arrays().make_array_flat_cls(kind)(self.context, self.builder, value=self.loadvar(var.name))
            array = self.context.make_array(kind.array_type)(self.context, self.builder, value=flat.array)
            return [array.nitems]
        if not isinstance(kind, types.Array):
            return []
        array = self.context.make_array(kind)(self.context, self.builder, self.loadvar(var.name))
        return [self.builder.extract_value(array.shape, axis) for axis in range(kind.ndim)]


ENDS: Final = ("stop", "brought", "answer", "worked")
"""Words of a block: `stop`, the number of the barrier that a region reaches (0: the kernel's end); `brought`, the sum
of the payloads there; `answer`, that sum at the barrier before; `worked`, whether the thread reached a `Work`."""


@dataclass(frozen=True)
class RegionFunctions:
    """The compiled regions of a kernel."""

    split: Split  # the regions
    descriptors: list[Any]  # Numba's description of each region's function
    slot_types: list[Any]  # LLVM's type of what each slot holds for a thread, or for the block
    local_bytes: list[int]  # the size of each local array of a thread
    sites: list[int]  # the place of each barrier in the source, from the first; see `faults`


class _RegionLower(ThreadLower):
    """Lowers one region. All variables lie in memory, because some come from slots; LLVM turns them into values."""

    split: Split
    _disable_sroa_like_opt = True

    @cached_property
    def _outside(self) -> list[Any]:
        """The arguments behind the kernel's own: the thread's number, then pointers."""
        return list(self.fnargs[len(self.func_ir.arg_names) :])

    def _word(self, name: str) -> Any:
        return self.builder.bitcast(self._outside[1 + ENDS.index(name)], I64.as_pointer())

    def _slot(self, name: str, *, is_after: bool) -> Any:
        """Emit the pointer to what a slot holds for this thread before or after the region."""
        slot = self.split.slots[name]
        position = 1 + len(ENDS) + 2 * list(self.split.slots).index(name) + is_after
        kind = self.context.data_model_manager[slot.kind].get_data_type()
        base = self.builder.bitcast(self._outside[position], kind.as_pointer())
        return base if slot.is_same else self.builder.gep(base, [self._outside[0]])

    def _local(self, call: Any) -> Any:
        """Emit the pointer to this thread's part of a local array."""
        position = {array: number for number, array in enumerate(self.split.local_arrays)}[call]
        base = self._outside[1 + len(ENDS) + 2 * len(self.split.slots) + position]
        size_bytes = local_size_bytes(self.context, self.split.local_arrays[call])
        return self.builder.gep(base, [self.builder.mul(self._outside[0], I64(size_bytes))])

    def lower_inst(self, inst: Any) -> None:
        """Lower one statement; `Resume`, `Stop` and `Work` are this package's own."""
        if isinstance(inst, Resume):
            self._resume(inst)
        elif isinstance(inst, Stop):
            self._stop(inst)
        elif isinstance(inst, Work):
            self.builder.store(I64(1), self._word("worked"))
        else:
            if isinstance(inst, numba_ir.Return):
                self.builder.store(I64(0), self._word("stop"))
            super().lower_inst(inst)

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        if expr in self.split.local_arrays:
            self.context.local_memory = self._local(expr)
        return super()._lower_call_normal(fnty, expr, signature)

    def _resume(self, inst: Resume) -> None:
        if inst.barrier is None:
            for call, array in self.split.local_arrays.items():
                clear_local_array(self.context, self.builder, array, self._local(call))
        for name in inst.region.loads:
            model = self.context.data_model_manager[self.typeof(name)]
            place = cgutils.alloca_once(self.builder, model.get_data_type())
            self.builder.store(self.builder.load(self._slot(name, is_after=False)), place)
            self.storevar(model.load_from_data_pointer(self.builder, place), name)
        if inst.barrier is not None:
            total = self.builder.load(self._word("answer"))
            is_counting = bool(inst.barrier.arguments)
            answer = emit_answer(self.builder, inst.barrier.name, total) if is_counting else None
            self.storevar(answer or self.context.get_dummy_value(), inst.barrier.target.name)

    def _stop(self, inst: Stop) -> None:
        builder = self.builder
        for var in inst.brings:
            predicate = self.context.cast(builder, self.loadvar(var.name), self.typeof(var.name), types.int32)
            payload = emit_payload(builder, inst.barrier.name, predicate)
            builder.store(builder.add(builder.load(self._word("brought")), payload), self._word("brought"))
        for name in inst.kept:
            model = self.context.data_model_manager[self.typeof(name)]
            builder.store(model.as_data(builder, self.loadvar(name)), self._slot(name, is_after=True))
        builder.store(I64(inst.barrier.number), self._word("stop"))
        self.call_conv.return_value(builder, self.context.get_dummy_value())


class KernelLower(ThreadLower):
    """Lowers a kernel: in regions if possible (see ``metadata["regions"]``), else as one function."""

    def lower(self) -> None:
        """Write the LLVM code into the library."""
        split = split_kernel(self.func_ir, self.fndesc.typemap, self.fndesc.calltypes)
        if split is None:
            super().lower()
            return
        self.call_helper = None
        slot_types = [self.context.data_model_manager[slot.kind].get_data_type() for slot in split.slots.values()]
        local_bytes = [local_size_bytes(self.context, array) for array in split.local_arrays.values()]
        pointers = len(ENDS) + 2 * len(slot_types) + len(local_bytes)
        descriptors = [_describe(self.fndesc, region.number, pointers) for region in split.regions]
        for region, descriptor in zip(split.regions, descriptors, strict=True):
            func_ir = self.func_ir.derive(blocks=region.blocks)
            lower = _RegionLower(self.context, self.library, descriptor, func_ir, metadata=self.metadata)
            lower.split = split
            lower.lower()
        sites = [faults.register_site("barrier", barrier.name, barrier.loc) for barrier in split.barriers]
        self.metadata["regions"] = RegionFunctions(split, descriptors, slot_types, local_bytes, sites)


def _describe(kernel: Any, number: int, pointers: int) -> Any:
    """Return the description of a region's function: that of the kernel, under another name, with more arguments."""
    region = copy(kernel)
    region.mangled_name = f"{kernel.mangled_name}.region{number}"
    region.args = [*kernel.args, "number", *(f"place{position}" for position in range(pointers))]
    region.argtypes = (*kernel.argtypes, types.int64, *[types.voidptr] * pointers)
    region.inline = True
    return region
