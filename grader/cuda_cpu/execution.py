"""Running a program: the plan of a launch, the memory it needs, the cores it uses.

Memory of a launch beside its arguments, per core in use: the shared memory of a block and, for kernels with barriers,
``threads per block x (record + frame + 8)`` bytes; for kernels in which blocks wait for each other, that times the
number of blocks.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.coroutines import WARP_SUSPEND
from grader.cuda_cpu.devices import MULTIPROCESSORS, THREADS_PER_MULTIPROCESSOR
from grader.cuda_cpu.geometry import WARP_SIZE, CudaAPIError, Triple
from grader.cuda_cpu.memory import aligned_buffer, old_shared_memory
from grader.cuda_cpu.oldvalues import old_value
from grader.cuda_cpu.program import Program
from grader.cuda_cpu.records import dtype_of, size_of
from grader.cuda_cpu.routines import address_of
from grader.cuda_cpu.scheduler import complete_warps
from grader.cuda_cpu.threadstate import FaultRecord, Plan, Thread

Run = Callable[[Program, bytes, Any], None]
_CORES_VARIABLE: Final = "CUDA_CPU_CORES"
_COOPERATIVE_LAUNCH_TOO_LARGE: Final = 720


def count_cores() -> int:
    """Return how many cores a launch may use: 1 unless the environment variable ``CUDA_CPU_CORES`` says more.

    With one core a launch gives the same result every time, even where blocks race with each other.
    """
    text = os.environ.get(_CORES_VARIABLE, "1")
    return max(1, int(text)) if text.isdecimal() else 1


def max_cooperative_blocks(threads: int) -> int:
    """Return how many blocks of so many threads the modelled GPU holds at once."""
    return MULTIPROCESSORS * (THREADS_PER_MULTIPROCESSOR // max(1, threads))


class _Memory:
    """The buffers of one core, alive as long as this object."""

    def __init__(self, plan: Any) -> None:
        self._plan = plan
        self._buffers: list[Any] = []

    def reserve(self, name: str, size_bytes: int) -> int:
        """Write the address of a new buffer into the plan; return the address."""
        buffer, address = aligned_buffer(size_bytes)
        self._buffers.append(buffer)
        self._plan[name] = address
        return address

    def keep(self, name: str, buffer: Any) -> None:
        """Write the address of a buffer into the plan."""
        self._buffers.append(buffer)
        self._plan[name] = buffer.ctypes.data


def _reserve(program: Program, plan: Any, threads: int, resident: int, dynamic_bytes: int) -> _Memory:
    memory = _Memory(plan)
    static_bytes = -(-program.shared_bytes // 64) * 64
    stride = -(-(static_bytes + dynamic_bytes) // 64) * 64
    plan["shared_dynamic"] = memory.reserve("shared_static", stride * resident) + static_bytes
    plan["shared_dynamic_bytes"] = dynamic_bytes
    plan["shared_stride"] = stride
    if stride and old_value():
        memory.keep("shared_old", old_shared_memory(program.shared_offsets, stride, old_value()))
    if program.frame_bytes:
        memory.reserve("frames", threads * program.frame_bytes * resident)
    if program.ramp:
        plan["ramp"], plan["frame_bytes"] = program.ramp, program.frame_bytes
        if WARP_SUSPEND in program.waits:
            plan["complete_warps"] = address_of(complete_warps)
        memory.reserve("states", threads * size_of(Thread) * resident)
        memory.reserve("snapshots", -(-threads // WARP_SIZE) * WARP_SIZE * 8 * resident)
    return memory


@dataclass(frozen=True)
class LaunchRequest:
    """What to run: blocks along x, y, z; threads along x, y, z; bytes of dynamic shared memory per block.

    With `debug`, an exception in a thread ends the launch. `cores` is how many cores it may use.
    """

    grid: Triple
    block: Triple
    dynamic_bytes: int
    debug: bool
    cores: int

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def threads(self) -> int:
        """The number of threads of a block."""
        return self.block[0] * self.block[1] * self.block[2]


def _run_blocks(program: Program, run: Run, words: bytes, request: LaunchRequest, first: int, last: int) -> Any:
    """Run the blocks ``first`` to ``last - 1`` on this core; return their fault record."""
    record = np.zeros((), dtype_of(FaultRecord))
    plan = np.zeros((), dtype_of(Plan))
    plan["ntid"], plan["nctaid"], plan["threads"] = request.block, request.grid, request.threads
    plan["first"], plan["last"], plan["fault"] = first, last, record.ctypes.data
    plan["stop_on_exception"] = request.debug
    resident = last - first if program.cooperative else 1
    memory = _reserve(program, plan, request.threads, resident, request.dynamic_bytes)
    run(program, words, plan)
    del memory
    return record


def _merge(records: list[Any]) -> Any:
    """Return the record to report: that of the first core with a fault, else the first with something to say."""
    for word in ("status", "ignored", "exited_early"):
        for record in records:
            if record[word]:
                return record
    return records[0]


def execute(program: Program, run: Run, words: bytes, request: LaunchRequest) -> Any:
    """Run all blocks of a launch.

    Args:
        program: the machine code, for the memory that it needs.
        run: called with the program, the packed arguments and the plan of each core's part.
        words: the packed arguments.
        request: the launch.

    Returns:
        The `FaultRecord`, as NumPy's structured array.

    Raises:
        CudaAPIError: for a grid whose blocks wait for each other and that no GPU could hold at once.
    """
    limit = max_cooperative_blocks(request.threads)
    if program.cooperative and request.blocks > limit:
        msg = f"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: {request.blocks} blocks; the limit is {limit}"
        raise CudaAPIError(_COOPERATIVE_LAUNCH_TOO_LARGE, f"Call to cuLaunchCooperativeKernel results in {msg}")
    cores = 1 if program.cooperative else min(request.cores, request.blocks)
    if cores == 1:
        return _run_blocks(program, run, words, request, 0, request.blocks)
    bounds = [request.blocks * core // cores for core in range(cores + 1)]
    pool = _pool(cores)
    jobs = [pool.submit(_run_blocks, program, run, words, request, *pair) for pair in itertools.pairwise(bounds)]
    try:
        return _merge([job.result() for job in jobs])
    finally:
        wait(jobs)  # after Ctrl-C, too: until then they write into arrays of the caller


@cache
def _pool(cores: int) -> ThreadPoolExecutor:
    """Return threads for launches, kept: to start two takes as long as a launch of a million threads."""
    return ThreadPoolExecutor(cores, thread_name_prefix="cuda_cpu")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of these threads
