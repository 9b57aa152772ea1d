"""The launcher of kernels in which threads wait for each other, written in LLVM IR.

For each block: every thread runs to its first barrier; then the threads of each warp go on as long as warp operations
(shuffles, votes, ``syncwarp``) can be completed; when every thread has ended or waits at a barrier of the block, the
barrier is completed and all go on. Threads run one after the other in the order of their numbers, so that a launch
always gives the same result.

Memory of a launch: ``threads per block x (record + frame)`` bytes, plus the block's shared memory.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from grader.cuda_cpu import faults
from grader.cuda_cpu.arguments import Cursor, unpack_value
from grader.cuda_cpu.barriers import AT_BARRIER, AT_WARP, DONE, RUNNING
from grader.cuda_cpu.coroutines import ENTER, LEAVE, emit_placeholder
from grader.cuda_cpu.launcher import (
    RUN_TYPE,
    Plan,
    handle_status,
    next_name,
    prepare_state,
    split_index,
    store_coordinates,
)
from grader.cuda_cpu.threadstate import I8P, I32, I64, STATE_ARGUMENT, STATE_POINTER, field_pointer

WARP: Final = 32
WARP_WORDS: Final = WARP
_RAMP_TYPE: Final = ir.FunctionType(I8P, [I8P, STATE_POINTER, I8P, I64.as_pointer()])


def get(builder: Any, state: Any, field: str) -> Any:
    """Emit a read of a field of a thread record."""
    return builder.load(field_pointer(builder, state, field), name=field)


def put(builder: Any, state: Any, field: str, value: Any) -> None:
    """Emit a write to a field of a thread record."""
    builder.store(value, field_pointer(builder, state, field))


def _build_ramp(context: Any, module: Any, fndesc: Any, name: str) -> Any:
    kernel = ir.Function(
        module, context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes), fndesc.llvm_func_name
    )
    ramp = ir.Function(module, _RAMP_TYPE, name)
    for argument, label in zip(ramp.args, ("frame", STATE_ARGUMENT, "words", "frame_bytes"), strict=True):
        argument.name = label
    builder = ir.IRBuilder(ramp.append_basic_block("entry"))
    emit_placeholder(builder, ENTER)
    cursor = Cursor(builder, ramp.args[2])
    arguments = [unpack_value(context, builder, kind, cursor) for kind in fndesc.argtypes]
    state = ramp.args[1]
    status, _ = context.call_conv.call_function(
        builder, kernel, fndesc.restype, fndesc.argtypes, arguments, state=state
    )
    put(builder, state, "status", status.code)
    put(builder, state, "wait", I32(DONE))
    emit_placeholder(builder, LEAVE)
    builder.unreachable()
    return ramp


class _Block:
    """The code of one block: LLVM values that its parts share."""

    def __init__(self, module: Any, run: Any, ramp: Any) -> None:
        self.builder = ir.IRBuilder(run.append_basic_block("entry"))
        self.words = run.args[0]
        self.plan = Plan(self.builder, run.args[1])
        self.ramp = ramp
        self.resume = ir.Function(module, ir.FunctionType(ir.VoidType(), [I8P]), "llvm.coro.resume")
        builder = self.builder
        self.extents = [self.plan.word(f"ntid_{axis}") for axis in "xyz"]
        self.threads = builder.mul(self.extents[0], builder.mul(self.extents[1], self.extents[2]))
        self.states = self.plan.pointer("states", STATE_POINTER)
        self.frames = self.plan.pointer("frames")
        self.frame_bytes = self.plan.word("frame_bytes")
        self.snapshot = self.plan.pointer("warp", I64.as_pointer())

    def state(self, thread: Any) -> Any:
        """Emit the address of a thread's record."""
        return self.builder.gep(self.states, [thread])

    def frame(self, thread: Any) -> Any:
        """Emit the address of a thread's frame."""
        return self.builder.gep(self.frames, [self.builder.mul(thread, self.frame_bytes)])

    def each_thread(self) -> Any:
        """Return a loop over the numbers of the block's threads."""
        return cgutils.for_range(self.builder, self.threads)

    def check_end(self, state: Any) -> None:
        """Emit what follows when a thread has stopped: nothing, unless it ended with a status."""
        builder = self.builder
        done = builder.icmp_signed("==", get(builder, state, "wait"), I32(DONE))
        with builder.if_then(done):
            handle_status(builder, self.plan, state, get(builder, state, "status"))

    def continue_thread(self, thread: Any) -> None:
        """Emit the continuation of a waiting thread until it stops again."""
        state = self.state(thread)
        put(self.builder, state, "wait", I32(RUNNING))
        self.builder.call(self.resume, [self.frame(thread)])
        self.check_end(state)


def _prepare_threads(block: _Block) -> None:
    builder = block.builder
    with block.each_thread() as loop:
        state = block.state(loop.index)
        prepare_state(builder, block.plan, state)
        coordinates = split_index(builder, loop.index, (block.extents[0], block.extents[1]))
        store_coordinates(builder, state, "tid", coordinates)
        warp = builder.and_(loop.index, I64(-WARP))
        put(builder, state, "warp", builder.gep(block.snapshot, [warp]))


def _start_threads(block: _Block, number: Any) -> None:
    builder = block.builder
    coordinates = split_index(builder, number, (block.plan.word("nctaid_x"), block.plan.word("nctaid_y")))
    unused = builder.inttoptr(I64(0), I64.as_pointer())
    with block.each_thread() as loop:
        state = block.state(loop.index)
        store_coordinates(builder, state, "ctaid", coordinates)
        put(builder, state, "exit_site", I32(0))
        put(builder, state, "wait", I32(RUNNING))
        builder.call(block.ramp, [block.frame(loop.index), state, block.words, unused])
        block.check_end(state)


def _while(builder: Any, body: Any) -> None:
    """Emit a loop that repeats ``body()`` as long as it returns true."""
    top = builder.append_basic_block("again")
    after = builder.append_basic_block("enough")
    builder.branch(top)
    builder.position_at_end(top)
    builder.cbranch(body(), top, after)
    builder.position_at_end(after)


def build_waiting_launcher(context: Any, fndesc: Any) -> tuple[Any, str, str]:
    """Write the launcher of a kernel with barriers.

    Returns:
        The LLVM module, the name of the launcher in it, and the name of the ramp.
    """
    from grader.cuda_cpu.blockbarrier import complete_barrier

    name = next_name()
    module = context.create_module(name)
    ramp = _build_ramp(context, module, fndesc, f"{name}.ramp")
    _build_size_query(module, ramp, f"{name}.frame_bytes")
    run = ir.Function(module, RUN_TYPE, name)
    block = _Block(module, run, ramp)
    builder = block.builder
    _prepare_threads(block)
    first, last = block.plan.word("first"), block.plan.word("last")
    with cgutils.for_range_slice(builder, first, last, I64(1)) as (number, _):
        _start_threads(block, number)
        _while(builder, lambda: complete_barrier(block))
    builder.ret(I32(0))
    return module, name, ramp.name


def _build_size_query(module: Any, ramp: Any, name: str) -> None:
    """Write ``void name(i64*)``, which tells the bytes of a frame."""
    query = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64.as_pointer()]), name)
    builder = ir.IRBuilder(query.append_basic_block("entry"))
    nothing = I64(0)
    null = builder.inttoptr(nothing, I8P)
    builder.call(ramp, [null, builder.inttoptr(nothing, STATE_POINTER), null, query.args[0]])
    builder.ret_void()


__all__ = ["AT_BARRIER", "AT_WARP", "WARP", "build_waiting_launcher", "faults", "get", "put"]
