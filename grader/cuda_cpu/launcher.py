"""The code around a kernel, linked with it: loops over blocks and threads, or the ramp that starts a waiting thread.

A launcher is ``run(i8* words, i8* plan)``: ``words`` are the kernel's arguments, packed, and ``plan`` a `Plan`. It
leaves a fault's status in the plan's fault record.
"""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from typing import Any, Final

from grader.cuda_cpu import scheduler
from grader.cuda_cpu.arguments import Cursor, unpack_value
from grader.cuda_cpu.barriers import DONE, EARLY_RETURN
from grader.cuda_cpu.coroutines import ENTER, LEAVE, emit_placeholder
from grader.cuda_cpu.geometry import MAX_THREADS
from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.records import I8P, I32, I64, place_of, size_of
from grader.cuda_cpu.routines import RoutineModule
from grader.cuda_cpu.threadstate import STATE_ARGUMENT, Plan, Thread, store_field

_RUN_TYPE: Final = ir.FunctionType(ir.VoidType(), [I8P, I8P])
_STATE: Final = ir.ArrayType(I64, size_of(Thread) // 8)
_RAMP_TYPE: Final = ir.FunctionType(I8P, [I8P, I8P, I8P, I64.as_pointer()])

_numbers = itertools.count()


class _Kernel:
    """A compiled kernel, declared in the module of a launcher."""

    def __init__(self, context: Any, module: Any, fndesc: Any) -> None:
        self._context = context
        self._fndesc = fndesc
        kind = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
        self._function = ir.Function(module, kind, fndesc.llvm_func_name)

    def unpack(self, builder: Any, words: Any) -> list[Any]:
        """Emit the reads of the arguments."""
        cursor = Cursor(builder, words)
        return [unpack_value(self._context, builder, kind, cursor) for kind in self._fndesc.argtypes]

    def call(self, builder: Any, arguments: list[Any], state: Any) -> Any:
        """Emit the call for one thread; return its status, an ``i32``."""
        types = self._fndesc.restype, self._fndesc.argtypes
        status, _ = self._context.call_conv.call_function(builder, self._function, *types, arguments, state=state)
        return status.code


def build_plain_launcher(context: Any, fndesc: Any) -> tuple[Any, str]:
    """Write the launcher of a kernel in which no thread waits for another: nested loops around the kernel.

    Args:
        context: Numba's target context.
        fndesc: Numba's description of the kernel.

    Returns:
        The LLVM module and the name of the launcher in it.
    """
    name = f"cuda_cpu.run.{next(_numbers)}"
    module = context.create_module(name)
    kernel = _Kernel(context, module, fndesc)
    # The record of the running thread stays in registers: what is not put in line gets another one.
    inline = RoutineModule(module, ("alwaysinline",))
    apart = RoutineModule(module, ("noinline",))
    run = ir.Function(module, _RUN_TYPE, name)
    words, plan = run.args
    builder = ir.IRBuilder(run.append_basic_block("entry"))
    arguments = kernel.unpack(builder, words)
    state, ended = (builder.bitcast(builder.alloca(_STATE, name=label), I8P) for label in ("thread", "ended"))
    inline.call(builder, scheduler.prepare_thread, plan, state)
    first, last = (builder.load(place_of(builder, plan, Plan, word)) for word in ("first", "last"))
    extents = [builder.load(place_of(builder, plan, Plan, "ntid", axis)) for axis in range(3)]
    with cgutils.for_range_slice(builder, first, last, I64(1)) as (number, _):
        inline.call(builder, scheduler.enter_block, plan, state, number)
        apart.call(builder, scheduler.fill_shared, plan, I64(0))
        with ExitStack() as loops:
            z, y, x = (loops.enter_context(cgutils.for_range(builder, extent)) for extent in reversed(extents))
            _store_position(builder, state, (x, y, z))
            status = kernel.call(builder, arguments, state)
            with builder.if_then(builder.icmp_signed("!=", status, I32(0)), likely=False):
                inline.call(builder, scheduler.enter_block, plan, ended, number)
                _store_position(builder, ended, (x, y, z))
                ends = apart.call(builder, scheduler.end_thread, plan, ended, builder.sext(status, I64))
                # LLVM moves bounds checks out of loops where it sees that a fault ends the launch.
                is_fault = builder.icmp_signed("<", status, I32(0))
                with builder.if_then(builder.or_(is_fault, builder.trunc(ends, is_fault.type))):
                    builder.ret_void()
    builder.ret_void()
    return module, name


def _store_position(builder: Any, state: Any, loops: Any) -> None:
    """Emit the writes of `threadIdx`; LLVM is told that it is small: an index is then never counted from the end."""
    for axis, loop in zip("xyz", loops, strict=True):
        builder.assume(builder.icmp_unsigned("<", loop.index, I64(MAX_THREADS)))
        store_field(builder, f"tid_{axis}", builder.trunc(loop.index, I32), state)


def build_ramp(context: Any, fndesc: Any) -> tuple[Any, str]:
    """Write the ramp of a kernel with barriers: the code that runs one thread, until `coroutines` splits it.

    Args:
        context: Numba's target context.
        fndesc: Numba's description of the kernel.

    Returns:
        The LLVM module and the name of the ramp in it.
    """
    name = f"cuda_cpu.{next(_numbers)}.ramp"
    module = context.create_module(name)
    kernel = _Kernel(context, module, fndesc)
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
