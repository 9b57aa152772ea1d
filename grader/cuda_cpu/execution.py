"""Running a program: the plan of a launch, the memory it needs, the cores it uses.

Memory of a launch beside its arguments, for each core in use: the shared memory of a block and, for kernels with
barriers, ``threads per block x (record + frame + 8)`` bytes. If blocks wait for each other, multiply both by the number
of blocks.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from grader.cuda_cpu.codelibrary import GRID_SUSPEND, WAITS, WARP_SUSPEND, LauncherLibrary
from grader.cuda_cpu.devices import MULTIPROCESSORS, THREADS_PER_MULTIPROCESSOR
from grader.cuda_cpu.launcher import build_plain_launcher, build_ramp, build_region_launcher
from grader.cuda_cpu.launches import WARP_SIZE, CudaAPIError, Triple, old_value
from grader.cuda_cpu.memory import OLD_LOCAL_PREFIX, SHARED_PREFIX, define_constants, old_shared_memory, shared_layout
from grader.cuda_cpu.numba_internals import global_compiler_lock
from grader.cuda_cpu.records import FaultRecord, Plan, Thread, dtype_of, size_of
from grader.cuda_cpu.routines import address_of
from grader.cuda_cpu.scheduler import complete_warps, run_blocks
from grader.cuda_cpu.target import cuda_target

_RUN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Program:
    """A kernel with its launcher, as machine code."""

    kernel: CompiledKernel  # what the compiler made of it
    library: Any  # keeps the machine code alive
    run: Any  # the launcher, called with the addresses of the packed arguments and of a `Plan`
    ramp: int = 0  # address of the code that runs a thread to its first stop; 0 without coroutines
    frame_bytes: int = 0  # in which a thread keeps its values while it waits, or until a later region

    @property
    def cooperative(self) -> bool:
        """Whether threads wait for other blocks."""
        return GRID_SUSPEND in self.kernel.waits


class CompiledKernel:
    """What Numba's compiler returned for a kernel, and what its machine code will need."""

    def __init__(self, result: Any) -> None:
        linked = result.library._final_module  # noqa: SLF001  # numba offers no accessor
        self.result = result
        # The placeholders at which threads wait, its own and those of its device functions, see `codelibrary`.
        self.waits = WAITS.intersection(function.name for function in linked.functions)
        self.in_regions = "regions" in result.metadata
        constants = [constant.name for constant in linked.global_variables]
        # The names of the constants that its new local arrays hold.
        self.local_arrays = [name for name in constants if name.startswith(OLD_LOCAL_PREFIX)]
        names = [name for name in constants if name.startswith(SHARED_PREFIX)]
        # Where each static shared array begins, by the name of its offset constant; and the bytes of all in a block.
        self.shared_offsets, self.shared_bytes = shared_layout(names)


@global_compiler_lock
def link_program(kernel: CompiledKernel, block: Triple | None, old_value: int = 0, level: int = 3) -> Program:
    """Return the program of a compiled kernel.

    Args:
        kernel: what the compiler made of it.
        block: the shape of the only blocks that it will run; None for blocks of all shapes.
        old_value: what local arrays hold when they are new.
        level: of LLVM's optimisation, from 0 to 3 (the slowest); code that spends its time in calls needs only 0.

    Raises:
        NotImplementedError: when a function that waits at a barrier calls itself.
    """
    context, fndesc = cuda_target.target_context, kernel.result.fndesc
    frame_bytes = ramp = 0
    if kernel.in_regions:
        module, name, frame_bytes = build_region_launcher(context, fndesc, kernel.result.metadata["regions"], block)
    else:
        module, name = (build_ramp if kernel.waits else build_plain_launcher)(context, fndesc)
    define_constants(module, kernel.shared_offsets, kernel.local_arrays, old_value)
    library = LauncherLibrary(context.codegen(), name)
    library.is_ramp = bool(kernel.waits)
    library.level = level
    library.add_linking_library(kernel.result.library)
    library.add_ir_module(module)
    library.finalize()
    address = library.get_pointer_to_function(name)
    if kernel.waits:
        answer = ctypes.c_int64()
        ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 4)(address)(None, None, None, ctypes.addressof(answer))
        ramp, frame_bytes = address, -(-answer.value // 16) * 16
        address = address_of(run_blocks)
    return Program(kernel, library, _RUN(address), ramp, frame_bytes)


Run = Callable[[Any], None]


def count_cores() -> int:
    """Return how many cores a launch may use: 1 unless the environment variable ``CUDA_CPU_CORES`` says more.

    With one core a launch gives the same result every time, even where blocks race with each other.
    """
    text = os.environ.get("CUDA_CPU_CORES", "1")
    return max(1, int(text)) if text.isdecimal() else 1


def max_cooperative_blocks(threads: int) -> int:
    """Return how many blocks of `threads` threads the modelled GPU holds at once."""
    return MULTIPROCESSORS * (THREADS_PER_MULTIPROCESSOR // max(1, threads))


def _reserve(program: Program, plan: Any, dynamic_bytes: int) -> list[Any]:
    """Write the addresses of the buffers of one core into its plan; return the buffers, for the caller to keep."""
    buffers: list[Any] = []

    def reserve(name: str, size_bytes: int) -> int:
        buffers.append(np.zeros(size_bytes + 64, np.uint8))
        plan[name] = -(-buffers[-1].ctypes.data // 64) * 64
        return int(plan[name])

    threads, resident = int(plan["threads"]), int(plan["resident"])
    static_bytes = -(-program.kernel.shared_bytes // 64) * 64
    stride = -(-(static_bytes + dynamic_bytes) // 64) * 64
    if not stride and not program.frame_bytes:
        return buffers
    plan["shared_dynamic"] = reserve("shared_static", stride * resident) + static_bytes
    plan["shared_dynamic_bytes"] = dynamic_bytes
    plan["shared_stride"] = stride
    if stride and old_value():
        buffers.append(old_shared_memory(program.kernel.shared_offsets, stride, old_value()))
        plan["shared_old"] = buffers[-1].ctypes.data
    if program.frame_bytes:
        reserve("frames", threads * program.frame_bytes * resident)
    if program.ramp:
        plan["ramp"], plan["frame_bytes"] = program.ramp, program.frame_bytes
        if WARP_SUSPEND in program.kernel.waits:
            plan["complete_warps"] = address_of(complete_warps)
        reserve("states", threads * size_of(Thread) * resident)
        reserve("snapshots", -(-threads // WARP_SIZE) * WARP_SIZE * 8 * resident)
    return buffers


class LaunchRequest(NamedTuple):
    """What to run."""

    grid: Triple  # blocks along x, y, z
    block: Triple  # threads along x, y, z
    dynamic_bytes: int  # of dynamic shared memory per block
    debug: bool  # whether an exception in a thread ends the launch
    cores: int  # how many it may use


def _run_blocks(program: Program, run: Run, request: LaunchRequest, first: int, last: int) -> Any:
    """Run the blocks ``first`` to ``last - 1`` on this core; return their fault record."""
    record = np.zeros((), dtype_of(FaultRecord))
    plan = np.zeros((), dtype_of(Plan))
    plan["ntid"], plan["nctaid"], plan["threads"] = request.block, request.grid, math.prod(request.block)
    plan["first"], plan["last"], plan["stop_on_exception"] = first, last, request.debug
    plan["fault"], plan["resident"] = record.ctypes.data, last - first if program.cooperative else 1
    buffers = _reserve(program, plan, request.dynamic_bytes)
    run(plan)
    del buffers
    return record


def _merge(records: list[Any]) -> Any:
    """Return the record to report: that of the first core with a fault, else of the first with a warning."""
    for word in ("status", "ignored", "exited_early"):
        for record in records:
            if record[word]:
                return record
    return records[0]


def execute(program: Program, run: Run, request: LaunchRequest) -> Any:
    """Run all blocks of a launch.

    Args:
        program: the machine code, for the memory that it needs.
        run: called with the plan of each core's part.
        request: the launch.

    Returns:
        The `FaultRecord`, as NumPy's structured array.

    Raises:
        CudaAPIError: for a grid whose blocks wait for each other and that the modelled GPU cannot hold at once.
    """
    blocks = math.prod(request.grid)
    if program.cooperative and blocks > (limit := max_cooperative_blocks(math.prod(request.block))):
        msg = f"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: {blocks} blocks; the limit is {limit}"
        raise CudaAPIError(720, f"Call to cuLaunchCooperativeKernel results in {msg}")
    cores = 1 if program.cooperative else min(request.cores, blocks)
    if cores == 1:
        return _run_blocks(program, run, request, 0, blocks)
    parts = itertools.pairwise(blocks * core // cores for core in range(cores + 1))
    jobs = [_pool(cores).submit(_run_blocks, program, run, request, *part) for part in parts]
    try:
        return _merge([job.result() for job in jobs])
    finally:
        wait(jobs)  # after Ctrl-C, too: until then they write into arrays of the caller


@cache
def _pool(cores: int) -> ThreadPoolExecutor:
    """Return a pool of threads, kept: starting two takes as long as a launch of a million CUDA threads."""
    return ThreadPoolExecutor(cores, thread_name_prefix="cuda_cpu")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of these threads
