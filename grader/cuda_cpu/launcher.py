"""The code around a kernel, linked with it: loops over blocks and threads, or the ramp that starts a waiting thread.

A launcher is ``run(i8* words, i8* plan)``: ``words`` are the kernel's arguments, packed, and ``plan`` a `Plan`. It
leaves a fault's status in the plan's fault record.
"""

import itertools
import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from grader.cuda_cpu import scheduler
from grader.cuda_cpu.arguments import Cursor, unpack_value
from grader.cuda_cpu.barriers import DONE, EARLY_RETURN
from grader.cuda_cpu.codelibrary import ENTER, LEAVE, emit_placeholder
from grader.cuda_cpu.launches import MAX_THREADS, Triple
from grader.cuda_cpu.lowering import ENDS, RegionFunctions
from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.records import (
    I8P,
    I32,
    I64,
    STATE_ARGUMENT,
    FaultRecord,
    Plan,
    Thread,
    linear_number,
    place_of,
    size_of,
    store_field,
)
from grader.cuda_cpu.regions import Region
from grader.cuda_cpu.routines import RoutineModule

_RUN_TYPE: Final = ir.FunctionType(ir.VoidType(), [I8P, I8P])
_STATE: Final = ir.ArrayType(I64, size_of(Thread) // 8)
_RAMP_TYPE: Final = ir.FunctionType(I8P, [I8P, I8P, I8P, I64.as_pointer()])

_numbers = itertools.count()


class _Function:
    """A compiled function, declared in the module of a launcher."""

    def __init__(self, context: Any, module: Any, fndesc: Any) -> None:
        self._context = context
        self._fndesc = fndesc
        kind = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
        self._function = ir.Function(module, kind, fndesc.llvm_func_name)

    def unpack(self, builder: Any, words: Any) -> list[Any]:
        """Emit the reads of a kernel's arguments."""
        cursor = Cursor(builder, words)
        return [unpack_value(self._context, builder, kind, cursor) for kind in self._fndesc.argtypes]

    def call(self, builder: Any, arguments: list[Any], state: Any) -> Any:
        """Emit the call for one thread; return its status, an ``i32``."""
        types = self._fndesc.restype, self._fndesc.argtypes
        status, _ = self._context.call_conv.call_function(builder, self._function, *types, arguments, state=state)
        return status.code


class _Launcher:
    """A launcher under construction; this class is common to all kernels without coroutines."""

    def __init__(self, context: Any, fndesc: Any, block: Triple | None = None) -> None:
        self.context = context
        self.name = f"cuda_cpu.run.{next(_numbers)}"
        self.module = context.create_module(self.name)
        self.kernel = _Function(context, self.module, fndesc)
        # The record of the running thread stays in registers: routines that are not inlined get the other record.
        self._inline = RoutineModule(self.module, ("alwaysinline",))
        self._apart = RoutineModule(self.module, ("noinline",))
        run = ir.Function(self.module, _RUN_TYPE, self.name)
        words, self.plan = run.args
        builder = self.builder = ir.IRBuilder(run.append_basic_block("entry"))
        self.arguments = self.kernel.unpack(builder, words)
        states = (builder.alloca(_STATE, name=label) for label in ("thread", "ended"))
        self.state, self._ended = (builder.bitcast(state, I8P) for state in states)
        self._inline.call(builder, scheduler.prepare_thread, self.plan, self.state)
        self.extents = [builder.load(place_of(builder, self.plan, Plan, "ntid", axis)) for axis in range(3)]
        if block is not None:
            self.extents = [I64(extent) for extent in block]
            for axis, extent in zip("xyz", block, strict=True):
                store_field(builder, f"ntid_{axis}", I32(extent), self.state)

    def load(self, word: str) -> Any:
        """Emit a read of a word of the plan."""
        return self.builder.load(place_of(self.builder, self.plan, Plan, word))

    @contextmanager
    def each_block(self) -> Iterator[None]:
        """Return a context manager; code that is emitted inside it runs for each block."""
        with cgutils.for_range_slice(self.builder, self.load("first"), self.load("last"), I64(1)) as (number, _):
            self._number = number
            self._inline.call(self.builder, scheduler.enter_block, self.plan, self.state, number)
            self._apart.call(self.builder, scheduler.fill_shared, self.plan, I64(0))
            yield

    @contextmanager
    def each_thread(self) -> Iterator[tuple[Any, Any, Any]]:
        """Return a context manager; code that is emitted inside it runs for each thread of a block, at x, y, z."""
        with ExitStack() as loops:
            builder = self.builder
            z, y, x = (loops.enter_context(cgutils.for_range(builder, extent)) for extent in reversed(self.extents))
            self._position = x, y, z
            _store_position(builder, self.state, self._position)
            yield x.index, y.index, z.index

    @contextmanager
    def failure(self, status: Any) -> Iterator[None]:
        """Return a context manager; code emitted inside runs if a thread ended early without ending the launch."""
        builder = self.builder
        with builder.if_then(builder.icmp_signed("!=", status, I32(0)), likely=False):
            self._inline.call(builder, scheduler.enter_block, self.plan, self._ended, self._number)
            _store_position(builder, self._ended, self._position)
            ends = self._apart.call(builder, scheduler.end_thread, self.plan, self._ended, builder.sext(status, I64))
            # LLVM moves bounds checks out of loops if it sees that a fault ends the launch.
            is_fault = builder.icmp_signed("<", status, I32(0))
            with builder.if_then(builder.or_(is_fault, builder.trunc(ends, is_fault.type))):
                builder.ret_void()
            yield


def build_plain_launcher(context: Any, fndesc: Any) -> tuple[Any, str]:
    """Write nested loops around a kernel in which no thread waits; return the LLVM module and the launcher's name."""
    launcher = _Launcher(context, fndesc)
    with launcher.each_block(), launcher.each_thread():
        status = launcher.kernel.call(launcher.builder, launcher.arguments, launcher.state)
        with launcher.failure(status):
            pass
    launcher.builder.ret_void()
    return launcher.module, launcher.name


def _store_position(builder: Any, state: Any, loops: Any) -> None:
    """Emit the writes of `threadIdx`, and tell LLVM their bound: LLVM then knows that such an index is not negative."""
    for axis, loop in zip("xyz", loops, strict=True):
        builder.assume(builder.icmp_unsigned("<", loop.index, I64(MAX_THREADS)))
        store_field(builder, f"tid_{axis}", builder.trunc(loop.index, I32), state)


class _RegionLauncher(_Launcher):
    """The launcher of a kernel in regions: for each region that a block reaches, a loop over the block's threads."""

    def __init__(self, context: Any, fndesc: Any, functions: RegionFunctions, block: Triple | None) -> None:
        super().__init__(context, fndesc, block)
        builder = self.builder
        self._functions = functions
        self.frame_bytes = 0
        self._threads = I64(math.prod(block)) if block else self.load("threads")
        self._ends = {name: builder.alloca(I64, name=name) for name in ENDS}
        self._gone = self._reserve(1)
        self._gone_count = builder.alloca(I64, name="gone_count")
        builder.store(I64(0), self._gone_count)
        self._slots = {
            slot.name: self._reserve_slot(slot, kind)
            for slot, kind in zip(functions.split.slots.values(), functions.slot_types, strict=True)
        }
        self._locals = [self._reserve(size_bytes) for size_bytes in functions.local_bytes]

    def _reserve(self, size_bytes: int) -> Any:
        """Reserve `size_bytes` for each thread of a block in the frames of the plan; return the pointer to them."""
        builder = self.builder
        offset = builder.mul(self._threads, I64(self.frame_bytes))
        self.frame_bytes += -(-size_bytes // 16) * 16
        return builder.gep(builder.inttoptr(self.load("frames"), I8P), [offset])

    def _reserve_slot(self, slot: Any, kind: Any) -> tuple[Any, Any]:
        """Return the pointers to what a slot holds before and after a region."""
        if slot.is_same:
            before, after = (self.builder.alloca(kind, name=slot.name) for _ in range(2))
            return before, after
        pointer = self._reserve(self.context.get_abi_sizeof(kind))
        return pointer, pointer

    def write(self) -> None:
        """Write the loops."""
        builder, regions = self.builder, self._functions.split.regions
        with self.each_block():
            with builder.if_then(builder.icmp_signed("!=", builder.load(self._gone_count), I64(0)), likely=False):
                cgutils.memset(builder, self._gone, self._threads, 0)
                builder.store(I64(0), self._gone_count)
            heads = [builder.append_basic_block(f"region{region.number}") for region in regions]
            behind = builder.append_basic_block("behind")
            builder.branch(heads[0])
            for region, head in zip(regions, heads, strict=True):
                builder.position_at_end(head)
                self._write_region(region, heads, behind)
            builder.position_at_end(behind)
        builder.ret_void()

    def _write_region(self, region: Region, heads: list[Any], behind: Any) -> None:
        builder = self.builder
        gone = builder.load(self._gone_count)
        if region.number:
            with builder.if_then(builder.icmp_signed("!=", gone, I64(0)), likely=False):
                site = self._functions.sites[region.number - 1]
                fault = builder.inttoptr(self.load("fault"), I8P)
                builder.store(I64(site + 1), place_of(builder, fault, FaultRecord, "exited_early"))
        builder.store(I64(0), self._ends["brought"])
        with self.each_thread() as position:
            number = linear_number(builder, position, self.extents)
            self._run_thread(region, number, builder.icmp_signed("!=", gone, I64(0)))
        builder.store(builder.load(self._ends["brought"]), self._ends["answer"])
        for name, (before, after) in self._slots.items():
            if name in region.stores and before is not after:
                builder.store(builder.load(after), before)
        on = builder.append_basic_block("on")
        builder.cbranch(builder.icmp_signed("<", builder.load(self._gone_count), self._threads), on, behind)
        builder.position_at_end(on)
        switch = builder.switch(builder.load(self._ends["stop"]), behind)
        for barrier in region.stops:
            switch.add_case(I64(barrier.number), heads[barrier.number])

    def _run_thread(self, region: Region, number: Any, is_one_gone: Any) -> None:
        builder = self.builder
        function = _Function(self.context, self.module, self._functions.descriptors[region.number])
        run, done = (builder.append_basic_block(label) for label in ("run", "done"))
        look = builder.append_basic_block("look")
        place = builder.gep(self._gone, [number])
        builder.cbranch(is_one_gone, look, run)
        builder.position_at_end(look)
        builder.cbranch(builder.trunc(builder.load(place), ir.IntType(1)), done, run)
        builder.position_at_end(run)
        pointers = [*self._ends.values(), *itertools.chain(*self._slots.values()), *self._locals]
        arguments = [*self.arguments, number, *(builder.bitcast(pointer, I8P) for pointer in pointers)]
        builder.store(I64(0), self._ends["worked"])
        status = function.call(builder, arguments, self.state)
        with self.failure(status):
            builder.store(ir.IntType(8)(1), place)
            builder.store(builder.add(builder.load(self._gone_count), I64(1)), self._gone_count)
        if region.is_leading:
            # A thread that raised an exception counts as one that worked.
            came = builder.or_(builder.load(self._ends["worked"]), builder.sext(status, I64))
            with builder.if_then(builder.icmp_signed("==", came, I64(0))):
                self._position[0].do_break()
        builder.branch(done)
        builder.position_at_end(done)


def build_region_launcher(
    context: Any, fndesc: Any, functions: RegionFunctions, block: Triple | None
) -> tuple[Any, str, int]:
    """Write the launcher of a kernel in regions; return what `build_plain_launcher` returns, and bytes per thread.

    LLVM is told the shape of the blocks, `block`; None stands for blocks of all shapes.
    """
    launcher = _RegionLauncher(context, fndesc, functions, block)
    launcher.write()
    return launcher.module, launcher.name, launcher.frame_bytes


def build_ramp(context: Any, fndesc: Any) -> tuple[Any, str]:
    """Write the code that runs a thread, for `codelibrary` to split; return the LLVM module and the ramp's name."""
    name = f"cuda_cpu.{next(_numbers)}.ramp"
    module = context.create_module(name)
    kernel = _Function(context, module, fndesc)
    ramp = ir.Function(module, _RAMP_TYPE, name)
    for argument, label in zip(ramp.args, ("frame", STATE_ARGUMENT, "words", "frame_bytes"), strict=True):
        argument.name = label
    state = ramp.args[1]
    builder = ir.IRBuilder(ramp.append_basic_block("entry"))
    emit_placeholder(builder, ENTER)
    status = kernel.call(builder, kernel.unpack(builder, ramp.args[2]), state)
    store_field(builder, "status", status)
    # A thread that raises leaves early, like one that returns.
    with builder.if_then(builder.icmp_signed(">", status, I32(0))):
        store_field(builder, "exit_site", I32(EARLY_RETURN))
    store_field(builder, "wait", I32(DONE))
    emit_placeholder(builder, LEAVE)
    builder.unreachable()
    return module, name
