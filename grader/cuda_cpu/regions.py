"""Kernels cut at their barriers: which kernels need no coroutines, and what each piece of them runs and keeps.

A *region* is what a thread runs from the kernel's beginning, or from one barrier, to the next barrier or the end. If
all threads of a block reach the same barriers in the same order, a block can be run region by region, each region with
a loop over the threads. LLVM sees plain loops and may vectorise them. Values that later regions need lie in *slots*:
one value for the block if all threads have the same (`uniformity`), else one for each thread.

Threads run in the order of their numbers between two barriers, as coroutines do: results are equal to the last bit.
Code that several regions run is copied into each of them; no condition is evaluated in advance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from grader.cuda_cpu import warps
from grader.cuda_cpu.barriers import grid_group
from grader.cuda_cpu.memory import LocalArray, literal_shape, local_array, shared_array
from grader.cuda_cpu.numba_internals import compute_cfg_from_blocks, compute_live_map, compute_use_defs, numba_ir, types
from grader.cuda_cpu.uniformity import Repetition, Uniformity, barrier_name, called, is_led, is_repeatable

FIRST: Final = -1  # the label of a region's first block
_MOST_STATEMENTS: Final = 4000
_WARP_OPERATIONS: Final = tuple(getattr(warps, name) for name in warps.NAMES)
_KEPT: Final = (
    *(types.Number, types.Boolean, types.NoneType, types.Array, types.RangeType, types.RangeIteratorType),
    *(types.Dummy, types.Function, types.NumberClass, types.Dispatcher, types.DType),
)
"""Types whose values a slot can hold."""


class Resume(numba_ir.Stmt):
    """The beginning of a region: loads variables from slots; `target` gets the result of `barrier`, if any."""

    def __init__(self, region: Region, barrier: Barrier | None, loc: Any) -> None:
        self.region = region
        self.barrier = barrier
        self.target = barrier.target if barrier else None
        self.loc = loc


class Stop(numba_ir.Terminator):
    """The end of a region at a barrier: stores variables in slots."""

    is_exit = True

    def __init__(self, region: Region, barrier: Barrier, kept: list[str]) -> None:
        self.region = region
        self.barrier = barrier
        self.kept = kept
        self.brings = list(barrier.arguments)
        self.loc = barrier.loc

    def get_targets(self) -> list[int]:
        """Return the labels of the blocks that may follow: none."""
        return []


class Work(numba_ir.Stmt):
    """Marks where code begins that only the first threads of a row run; the region does nothing for other threads."""

    def __init__(self, loc: Any) -> None:
        self.loc = loc


@dataclass(frozen=True)
class Barrier:
    """A call of ``syncthreads``, ``syncthreads_count`` etc.; the region after it has the same number, from 1."""

    number: int
    name: str
    original: int  # label of its basic block in the kernel, which is cut in two
    label: int  # of the block that ends at the barrier
    behind: int  # of the block that begins after it
    target: Any  # the variable that gets the barrier's result
    arguments: Any
    loc: Any


@dataclass(frozen=True)
class Slot:
    """Where a variable lies between regions: a value for each thread, or one for the block (`is_same`)."""

    name: str
    kind: Any
    is_same: bool


@dataclass(eq=False)
class Region:
    """What a thread runs from one stop to the next."""

    number: int  # 0 for the kernel's beginning, else the barrier's
    head: int  # label of the block that comes first in the kernel
    blocks: dict[int, Any] = field(default_factory=dict)
    """Numba's code, beginning with a `Resume`; at barriers it ends in a `Stop`."""
    loads: list[str] = field(default_factory=list)  # names of the slots that it reads
    stores: set[str] = field(default_factory=set)  # names of the slots that it may change
    stops: list[Barrier] = field(default_factory=list)  # that it may reach
    is_leading: bool = False
    """Whether a row of threads, along `threadIdx.x`, ends at the first thread that reaches no `Work`."""


@dataclass(frozen=True)
class Split:
    """A kernel in regions, with the slots of all regions, and the local arrays by the calls that make them."""

    regions: list[Region]
    barriers: list[Barrier]
    slots: dict[str, Slot]
    local_arrays: dict[Any, LocalArray]


def split_kernel(func_ir: Any, typemap: dict[str, Any], calltypes: Any) -> Split | None:
    """Return the regions of a kernel; None without barriers, or if it cannot be cut, as when threads part before one.

    Args:
        func_ir: Numba's typed code, as it is before it is lowered. It is not changed.
        typemap: the types of its variables.
        calltypes: the signatures of its calls.
    """
    calls = [call for block in func_ir.blocks.values() for call in block.find_exprs(op="call")]
    if any(_prevents_regions(typemap, calltypes, call) for call in calls) or grid_group in typemap.values():
        return None
    blocks, barriers = _cut(func_ir.blocks, typemap)
    if not barriers:
        return None
    uniformity = Uniformity(func_ir.blocks, typemap)
    if uniformity.blocks & {barrier.original for barrier in barriers}:
        return None
    regions = _find_regions(blocks, barriers)
    if sum(len(block.body) for region in regions for block in region.blocks.values()) > _MOST_STATEMENTS:
        return None
    arrays = _find_local_arrays(regions, typemap, calltypes)
    repetition = Repetition(blocks, typemap)
    slots = _fill_regions(regions, blocks, barriers, uniformity, repetition)
    if arrays is None or slots is None:
        return None
    for region in regions[bool(arrays) :]:  # not the first, in which every thread clears its local arrays
        _mark_work(region, uniformity, repetition)
    return Split(regions, barriers, slots, arrays)


def _prevents_regions(typemap: dict[str, Any], calltypes: Any, call: Any) -> bool:
    """Return whether a call is a warp operation, an aligned local array, or a device function that returns an array."""
    key = called(typemap, call)
    if any(key is operation for operation in _WARP_OPERATIONS):
        return True
    if key is local_array and any(isinstance(kind, types.IntegerLiteral) for kind in calltypes[call].args[2:]):
        return True
    return isinstance(typemap[call.func.name], types.Dispatcher) and _holds_array(calltypes[call].return_type)


def _holds_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(_holds_array, kind)))


def _can_keep(kind: Any) -> bool:
    return all(map(_can_keep, kind)) if isinstance(kind, types.BaseTuple) else isinstance(kind, _KEPT)


def _cut(blocks: Any, typemap: dict[str, Any]) -> tuple[dict[int, Any], list[Barrier]]:
    """Return copies of a function's blocks, cut at each barrier and without the barriers' calls; and the barriers."""
    cut: dict[int, Any] = {}
    barriers: list[Barrier] = []
    fresh = max(blocks) + 1
    for original, block in blocks.items():
        label, here = original, numba_ir.Block(block.scope, block.loc)
        cut[label] = here
        for statement in block.body:
            name = barrier_name(typemap, statement)
            if name:
                arguments = statement.value.args
                barriers.append(
                    Barrier(len(barriers) + 1, name, original, label, fresh, statement.target, arguments, statement.loc)
                )
                here.body.append(numba_ir.Jump(fresh, statement.loc))
                here.terminator.brings = list(arguments)  # so that they stay alive until the barrier
                label, here = fresh, numba_ir.Block(block.scope, block.loc)
                cut[label] = here
                fresh += 1
            elif not isinstance(statement, numba_ir.Del):
                here.body.append(statement)
    return cut, barriers


def _find_regions(blocks: dict[int, Any], barriers: list[Barrier]) -> list[Region]:
    """Return the regions, each with copies of the blocks that a thread may run before the next barrier."""
    ends = {barrier.label: barrier for barrier in barriers}
    regions = []
    for number, head in enumerate([min(blocks), *(barrier.behind for barrier in barriers)]):
        region = Region(number, head)
        front = [head]
        while front:
            label = front.pop()
            if label in region.blocks:
                continue
            block = region.blocks[label] = numba_ir.Block(blocks[label].scope, blocks[label].loc)
            block.body = list(blocks[label].body)
            if label in ends:
                region.stops.append(ends[label])
            else:
                front += block.terminator.get_targets()
        regions.append(region)
    return regions


def _find_local_arrays(regions: list[Region], typemap: Any, calltypes: Any) -> dict[Any, LocalArray] | None:
    """Return the local arrays by the call that makes each; None where an array is made in several regions."""
    calls = [call for region in regions for block in region.blocks.values() for call in block.find_exprs(op="call")]
    made = [call for call in calls if called(typemap, call) in (local_array, shared_array)]
    if len({id(call) for call in made}) < len(made):
        return None
    return {
        call: LocalArray(calltypes[call].return_type, literal_shape(calltypes[call].args[0]))
        for call in made
        if called(typemap, call) is local_array
    }


def _fill_regions(
    regions: list[Region],
    blocks: dict[int, Any],
    barriers: list[Barrier],
    uniformity: Uniformity,
    repetition: Repetition,
) -> dict[str, Slot] | None:
    """Put a `Resume` and the `Stop`s into each region; return the slots, or None if a value fits in no slot."""
    uses = compute_use_defs(blocks)
    for passed in barriers:  # the `Resume` that sets its result is not there yet
        uses.defmap[passed.behind].add(passed.target.name)
        uses.usemap[passed.behind].discard(passed.target.name)
    alive = compute_live_map(compute_cfg_from_blocks(blocks), blocks, uses.usemap, uses.defmap)
    slots: dict[str, Slot] = {}
    for region in regions:
        barrier = barriers[region.number - 1] if region.number else None
        names = sorted(alive[region.head]) if barrier else []
        first = numba_ir.Block(blocks[region.head].scope, blocks[region.head].loc)
        for name in names:
            if repetition.covers(name):
                repetition.add(name, first.body)
            elif _can_keep(repetition.typemap[name]):
                slots[name] = Slot(name, repetition.typemap[name], name not in uniformity.variables)
                region.loads.append(name)
            else:
                return None
        first.body += [Resume(region, barrier, first.loc), numba_ir.Jump(region.head, first.loc)]
        region.blocks[FIRST] = first
    for region in regions:
        changed = _find_changed(region)
        for barrier in region.stops:
            kept = [name for name in regions[barrier.number].loads if name in changed]
            region.stores |= set(kept)
            region.blocks[barrier.label].body[-1] = Stop(region, barrier, kept)
    return slots


def _mark_work(region: Region, uniformity: Uniformity, repetition: Repetition) -> None:
    """Put `Work` where code for the first threads of a row begins, unless the code for all has effects per thread."""
    blocks = region.blocks
    graph = compute_cfg_from_blocks(blocks)
    same = [block for label, block in blocks.items() if label not in uniformity.blocks]
    begins = {block.terminator.truebr for block in same if is_led(block, uniformity, repetition)}
    begins = {label for label in begins if len(list(graph.predecessors(label))) == 1}
    led = {label for label, above in graph.dominators().items() if above & begins}
    rest = [statement for label, block in blocks.items() if label not in led for statement in block.body]
    if not any(_may_leave(statement, region, repetition.typemap, uniformity.variables) for statement in rest):
        region.is_leading = bool(begins)
        for label in begins:
            blocks[label].body.insert(0, Work(blocks[label].loc))


def _may_leave(statement: Any, region: Region, typemap: Any, differing: set[str]) -> bool:
    """Return whether a statement may have an effect per thread: a value that is kept, a fault, a payload."""
    if isinstance(statement, Stop):
        return bool(statement.brings)
    if not isinstance(statement, numba_ir.Assign):
        return not isinstance(statement, (Resume, numba_ir.Jump, numba_ir.Branch, numba_ir.Return))
    name, value = statement.target.name, statement.value
    is_plain = not isinstance(value, numba_ir.Expr) or is_repeatable(typemap, value)
    return name in differing and (name in region.stores or not is_plain)


def _find_changed(region: Region) -> set[str]:
    """Return the variables that a region may change: it assigns them, or takes the next value from them (ranges)."""
    changed: set[str] = set()
    for block in region.blocks.values():
        for statement in block.body:
            if isinstance(statement, numba_ir.Assign):
                changed.add(statement.target.name)
                if isinstance(statement.value, numba_ir.Expr) and statement.value.op == "iternext":
                    changed.add(statement.value.value.name)
            elif isinstance(statement, Resume) and statement.target is not None:
                changed.add(statement.target.name)
    return changed
