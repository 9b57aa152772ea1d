"""The code of a kernel's regions: an LLVM function for each.

A region's function takes what the kernel takes, then the number of the thread, then a pointer for each thing that
outlives the function: `ENDS`, two for each slot (what it holds before the region and after it), one for each local
array. `launcher` calls these functions and owns the memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.barriers import emit_answer, emit_payload
from grader.cuda_cpu.lowering import ThreadLower
from grader.cuda_cpu.memory import clear_local_array, local_size_bytes
from grader.cuda_cpu.numba_internals import FunctionDescriptor, cgutils, numba_ir, types
from grader.cuda_cpu.records import I64
from grader.cuda_cpu.regions import Resume, Split, Stop, split_kernel

ENDS: Final = ("stop", "brought", "answer")
"""Words of the block: the number of the barrier that a region comes to, 0 for the kernel's end; the sum of what threads
bring there; that sum of the barrier before."""


@dataclass(frozen=True)
class RegionFunctions:
    """The compiled regions of a kernel.

    Attributes:
        split: the regions.
        descriptors: Numba's description of each region's function.
        slot_types: LLVM's type of what each slot holds for a thread, or for the block.
        local_bytes: the size of each local array of a thread.
        sites: the place of each barrier in the source, from the first; see `faults`.
    """

    split: Split
    descriptors: list[Any]
    slot_types: list[Any]
    local_bytes: list[int]
    sites: list[int]


class _RegionLower(ThreadLower):
    """Lowers one region. Every variable lies in memory, as some come from slots; LLVM makes values of them."""

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
        """Lower one statement; `Resume` and `Stop` are this package's own."""
        if isinstance(inst, Resume):
            self._resume(inst)
        elif isinstance(inst, Stop):
            self._stop(inst)
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
    """Lowers a kernel: in regions where that can be, which ``metadata["regions"]`` then names, else as one function."""

    def lower(self) -> None:
        """Write the LLVM code into the library."""
        split = split_kernel(self.func_ir, self.fndesc.typemap, self.fndesc.calltypes)
        if split is None:
            super().lower()
            return
        self.call_helper = None
        kinds = self.context.data_model_manager
        slot_types = [kinds[slot.kind].get_data_type() for slot in split.slots.values()]
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
    more = ["number", *(f"place{position}" for position in range(pointers))]
    return FunctionDescriptor(
        native=True,
        modname=kernel.modname,
        qualname=f"{kernel.qualname}.region{number}",
        unique_name=f"{kernel.unique_name}.region{number}",
        doc="",
        typemap=kernel.typemap,
        restype=kernel.restype,
        calltypes=kernel.calltypes,
        args=[*kernel.args, *more],
        kws=(),
        mangler=lambda *_, **__: f"{kernel.mangled_name}.region{number}",
        argtypes=(*kernel.argtypes, types.int64, *[types.voidptr] * pointers),
        inline=True,
        env_name=kernel.env_name,
        global_dict=kernel.global_dict,
    )
