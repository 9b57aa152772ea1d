"""The launcher of kernels in which threads wait for each other, written in LLVM IR.

For each block: every thread runs to its first barrier; then the threads of each warp go on as long as warp operations
(shuffles, votes, ``syncwarp``) can be completed; when every thread has ended or waits at a barrier of the block, the
barrier is completed and all go on. Threads run one after the other in the order of their numbers, so that a launch
always gives the same result.

Memory of a launch: ``threads per block x (record + frame)`` bytes, plus the block's shared memory.
"""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu.arguments import Cursor, unpack_value
from grader.cuda_cpu.barriers import AT_GRID, DONE, EARLY_RETURN, RUNNING
from grader.cuda_cpu.blockbarrier import complete_barrier
from grader.cuda_cpu.coroutines import ENTER, GRID_SUSPEND, LEAVE, WARP_SUSPEND, emit_placeholder
from grader.cuda_cpu.geometry import WARP_SIZE
from grader.cuda_cpu.launcher import (
    RUN_TYPE,
    Plan,
    fill_shared,
    handle_status,
    next_name,
    prepare_state,
    split_index,
    store_coordinates,
)
from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.threadstate import I8P, I32, I64, STATE_ARGUMENT, STATE_POINTER, get, put

_RAMP_TYPE: Final = ir.FunctionType(I8P, [I8P, STATE_POINTER, I8P, I64.as_pointer()])


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
    # A thread that raises leaves early, like one that returns.
    raised = builder.icmp_signed(">", status.code, I32(0))
    put(builder, state, "exit_site", builder.select(raised, I32(EARLY_RETURN), get(builder, state, "exit_site")))
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
        self.resident = I64(0)
        self.has_warp_operations = False

    def state(self, thread: Any) -> Any:
        """Emit the address of a thread's record; that of block ``resident`` among those that are in memory."""
        return self.builder.gep(self.states, [self._position(thread)])

    def frame(self, thread: Any) -> Any:
        """Emit the address of a thread's frame."""
        return self.builder.gep(self.frames, [self.builder.mul(self._position(thread), self.frame_bytes)])

    def _position(self, thread: Any) -> Any:
        return self.builder.add(thread, self.builder.mul(self.resident, self.threads))

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
        lanes = builder.and_(builder.add(block.threads, I64(WARP_SIZE - 1)), I64(-WARP_SIZE))
        warp = builder.add(builder.mul(block.resident, lanes), builder.and_(loop.index, I64(-WARP_SIZE)))
        put(builder, state, "warp", builder.gep(block.snapshot, [warp]))
        shift = builder.mul(block.resident, block.plan.word("shared_stride"))
        for name in ("shared_static", "shared_dynamic"):
            put(builder, state, name, builder.gep(get(builder, state, name), [shift]))


def _start_threads(block: _Block, number: Any) -> None:
    builder = block.builder
    coordinates = split_index(builder, number, (block.plan.word("nctaid_x"), block.plan.word("nctaid_y")))
    unused = builder.inttoptr(I64(0), I64.as_pointer())
    fill_shared(builder, block.plan, block.resident)
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


def build_waiting_launcher(context: Any, fndesc: Any, waits: set[str]) -> tuple[Any, str, str]:
    """Write the launcher of a kernel with barriers.

    Args:
        context: Numba's target context.
        fndesc: Numba's description of the kernel.
        waits: the placeholders at which its threads wait, see `coroutines`.

    Returns:
        The LLVM module, the name of the launcher in it, and the name of the ramp.
    """
    name = next_name()
    module = context.create_module(name)
    ramp = _build_ramp(context, module, fndesc, f"{name}.ramp")
    _build_size_query(module, ramp, f"{name}.frame_bytes")
    block = _Block(module, ir.Function(module, RUN_TYPE, name), ramp)
    block.has_warp_operations = WARP_SUSPEND in waits
    if GRID_SUSPEND in waits:
        _run_together(block)
    else:
        _run_in_turn(block)
    block.builder.ret(I32(0))
    return module, name, ramp.name


def _each_block(block: _Block) -> Any:
    return cgutils.for_range_slice(block.builder, block.plan.word("first"), block.plan.word("last"), I64(1))


def _finish_barriers(block: _Block) -> None:
    """Emit the run of a block until its threads have ended or wait for other blocks."""
    _while(block.builder, lambda: complete_barrier(block))


def _run_in_turn(block: _Block) -> None:
    _prepare_threads(block)
    with _each_block(block) as (number, _):
        _start_threads(block, number)
        _finish_barriers(block)


def _run_together(block: _Block) -> None:
    """Emit the run of blocks that wait for each other: all are in memory, and go from one grid barrier to the next."""
    builder = block.builder
    first = block.plan.word("first")
    with _each_block(block) as (number, _):
        block.resident = builder.sub(number, first)
        _prepare_threads(block)
    with _each_block(block) as (number, _):
        block.resident = builder.sub(number, first)
        _start_threads(block, number)
        _finish_barriers(block)
    waits = cgutils.alloca_once(builder, ir.IntType(1), name="grid_waits")

    def go_on() -> Any:
        builder.store(ir.IntType(1)(0), waits)
        with _each_block(block) as (number, _):
            block.resident = builder.sub(number, first)
            _release_grid_barrier(block, waits)
            _finish_barriers(block)
        return builder.load(waits)

    _while(builder, go_on)


def _release_grid_barrier(block: _Block, released: Any) -> None:
    builder = block.builder
    with block.each_thread() as loop:
        state = block.state(loop.index)
        here = builder.icmp_signed("==", get(builder, state, "wait"), I32(AT_GRID))
        with builder.if_then(here):
            builder.store(ir.IntType(1)(1), released)
            put(builder, state, "reply", I64(0))
            block.continue_thread(loop.index)


def _build_size_query(module: Any, ramp: Any, name: str) -> None:
    """Write ``void name(i64*)``, which tells the bytes of a frame."""
    query = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64.as_pointer()]), name)
    builder = ir.IRBuilder(query.append_basic_block("entry"))
    nothing = I64(0)
    null = builder.inttoptr(nothing, I8P)
    builder.call(ramp, [null, builder.inttoptr(nothing, STATE_POINTER), null, query.args[0]])
    builder.ret_void()
