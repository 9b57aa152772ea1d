"""The code around a kernel: loops over blocks and threads, written in LLVM IR and linked with the kernel.

A launcher is ``i32 run(i8* words, i64* plan)``: ``words`` are the kernel's arguments, ``plan`` the words of `PLAN`.
It runs the blocks ``first <= b < last`` (counted along x, then y, then z) and returns 0 or a fault's status.
"""

from __future__ import annotations

import itertools
from contextlib import ExitStack
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.arguments import Cursor, unpack_value
from grader.cuda_cpu.numba_internals import cgutils, ir
from grader.cuda_cpu.threadstate import I8P, I32, I64, STATE, field_pointer

PLAN: Final = (
    *(f"{name}_{axis}" for name in ("ntid", "nctaid") for axis in "xyz"),
    "first",
    "last",
    "fault",
    "shared_static",
    "shared_dynamic",
    "shared_dynamic_bytes",
    "frames",
    "frame_bytes",
    "states",
    "stop_on_exception",
    "warp",
    "shared_stride",
    "trace",
    "shared_old",
)
PLAN_INDEX: Final = {name: position for position, name in enumerate(PLAN)}
RUN_TYPE: Final = ir.FunctionType(I32, [I8P, I64.as_pointer()])

_numbers = itertools.count()


def next_name() -> str:
    """Return a name for a launcher that no other has in this process."""
    return f"cuda_cpu.run.{next(_numbers)}"


class Plan:
    """The plan's words, as LLVM values inside a launcher."""

    def __init__(self, builder: Any, pointer: Any) -> None:
        self._builder = builder
        self._pointer = pointer

    def word(self, name: str) -> Any:
        """Return one word as an ``i64``."""
        place = self._builder.gep(self._pointer, [I64(PLAN_INDEX[name])], inbounds=True)
        return self._builder.load(place, name=name)

    def pointer(self, name: str, kind: Any = I8P) -> Any:
        """Return one word as a pointer."""
        return self._builder.inttoptr(self.word(name), kind)


def prepare_state(builder: Any, plan: Plan, state: Any) -> None:
    """Fill the fields of a thread record that stay the same for the whole launch."""
    for name in ("ntid", "nctaid"):
        for axis in "xyz":
            value = builder.trunc(plan.word(f"{name}_{axis}"), I32)
            builder.store(value, field_pointer(builder, state, f"{name}_{axis}"))
    for name, kind in (("fault", I64.as_pointer()), ("shared_static", I8P), ("shared_dynamic", I8P), ("trace", I8P)):
        builder.store(plan.pointer(name, kind), field_pointer(builder, state, name))
    builder.store(plan.word("shared_dynamic_bytes"), field_pointer(builder, state, "shared_dynamic_bytes"))


def fill_shared(builder: Any, plan: Plan, resident: Any = None) -> None:
    """Emit what happens to the shared memory before a block begins: nothing, unless the plan has old values for it.

    Args:
        builder: writes the launcher.
        plan: the plan.
        resident: the block's number among those in memory, where there are several.
    """
    wanted = builder.icmp_signed("!=", plan.word("shared_old"), I64(0))
    with builder.if_then(wanted, likely=False):
        size_bytes = plan.word("shared_stride")
        memory = plan.pointer("shared_static")
        if resident is not None:
            memory = builder.gep(memory, [builder.mul(resident, size_bytes)])
        cgutils.raw_memcpy(builder, memory, plan.pointer("shared_old"), size_bytes, I64(1))


def split_index(builder: Any, linear: Any, extents: tuple[Any, Any]) -> list[Any]:
    """Return the (x, y, z) coordinates of a linear index; ``extents`` are those along x and y."""
    rest, coordinates = linear, []
    for extent in extents:
        coordinates.append(builder.urem(rest, extent))
        rest = builder.udiv(rest, extent)
    return [*coordinates, rest]


def store_coordinates(builder: Any, state: Any, name: str, coordinates: list[Any]) -> None:
    """Write three ``i64`` coordinates into the fields ``name_x``, ``name_y``, ``name_z`` of a thread record."""
    for axis, value in zip("xyz", coordinates, strict=True):
        builder.store(builder.trunc(value, I32), field_pointer(builder, state, f"{name}_{axis}"))


def record_position(builder: Any, fault: Any, state: Any) -> None:
    """Copy the thread's and the block's coordinates into the fault record."""
    for name, start in (("tid", faults.THREAD), ("ctaid", faults.BLOCK)):
        for offset, axis in enumerate("xyz"):
            value = builder.sext(builder.load(field_pointer(builder, state, f"{name}_{axis}")), I64)
            builder.store(value, builder.gep(fault, [I64(start + offset)]))


def handle_status(builder: Any, plan: Plan, state: Any, code: Any) -> None:
    """Emit what follows a thread's end: nothing, a remembered exception, or the end of the launch.

    Without ``debug=True`` a GPU ends the thread that raises and tells nobody; the record remembers the first one, so
    that a warning can name it.
    """
    fine = builder.or_(builder.icmp_signed("==", code, I32(0)), builder.icmp_signed("==", code, I32(-2)))
    with builder.if_then(builder.not_(fine), likely=False):
        fault = plan.pointer("fault", I64.as_pointer())
        wide = builder.sext(code, I64)
        stops = builder.or_(
            builder.icmp_signed("<", code, I32(0)), builder.icmp_signed("!=", plan.word("stop_on_exception"), I64(0))
        )
        seen = builder.gep(fault, [I64(faults.IGNORED)])
        is_first = builder.icmp_signed("==", builder.load(seen), I64(0))
        with builder.if_then(builder.or_(stops, is_first)):
            builder.store(wide, seen)
            record_position(builder, fault, state)
        with builder.if_then(stops):
            builder.store(wide, fault)
            builder.ret(code)


def build_plain_launcher(context: Any, fndesc: Any) -> tuple[Any, str]:
    """Write the launcher of a kernel in which no thread waits for another: two nested loops around the kernel.

    Returns:
        The LLVM module and the name of the launcher in it.
    """
    name = next_name()
    module = context.create_module(name)
    kernel = ir.Function(
        module, context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes), fndesc.llvm_func_name
    )
    run = ir.Function(module, RUN_TYPE, name)
    builder = ir.IRBuilder(run.append_basic_block("entry"))
    plan = Plan(builder, run.args[1])
    cursor = Cursor(builder, run.args[0])
    arguments = [unpack_value(context, builder, kind, cursor) for kind in fndesc.argtypes]
    state = builder.alloca(STATE, name="thread")
    prepare_state(builder, plan, state)
    grid = (plan.word("nctaid_x"), plan.word("nctaid_y"))
    block = [plan.word(f"ntid_{axis}") for axis in "xyz"]
    with cgutils.for_range_slice(builder, plan.word("first"), plan.word("last"), I64(1)) as (number, _):
        store_coordinates(builder, state, "ctaid", split_index(builder, number, grid))
        fill_shared(builder, plan)
        with ExitStack() as loops:
            z, y, x = (loops.enter_context(cgutils.for_range(builder, extent)) for extent in reversed(block))
            store_coordinates(builder, state, "tid", [x.index, y.index, z.index])
            status, _ = context.call_conv.call_function(
                builder, kernel, fndesc.restype, fndesc.argtypes, arguments, state=state
            )
            handle_status(builder, plan, state, status.code)
    builder.ret(I32(0))
    return module, name
