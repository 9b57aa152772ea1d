"""From a compiled kernel to machine code that runs a whole launch."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Final

from grader.cuda_cpu.coroutines import GRID_SUSPEND, SUSPEND, WARP_SUSPEND, contains_call
from grader.cuda_cpu.launcher import build_plain_launcher
from grader.cuda_cpu.memory import OLD_LOCAL_PREFIX, SHARED_PREFIX, define_old_local, shared_layout
from grader.cuda_cpu.numba_internals import global_compiler_lock
from grader.cuda_cpu.numba_internals import ir as llvm_ir
from grader.cuda_cpu.scheduler import build_waiting_launcher
from grader.cuda_cpu.target import cuda_target
from grader.cuda_cpu.threadstate import I64

_RUN: Final = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Program:
    """A kernel with its launcher, as machine code.

    Attributes:
        library: keeps the machine code alive.
        run: the launcher.
        shared_bytes: static shared memory of a block.
        frame_bytes: what a waiting thread needs; 0 when no thread of this kernel ever waits.
        cooperative: whether threads wait for other blocks.
        shared_offsets: where each static shared array begins, by the name of its offset constant.
        has_local_arrays: whether its threads make arrays of their own.
    """

    library: Any
    run: Any
    shared_bytes: int
    frame_bytes: int
    cooperative: bool
    shared_offsets: dict[str, int]
    has_local_arrays: bool = False


@global_compiler_lock
def link_program(result: Any, old_value: int = 0, *, optimize: bool = True) -> Program:
    """Return the program of a compiled kernel.

    Args:
        result: what `compiler.compile_thread_function` returned.
        old_value: what local arrays hold when they are new.
        optimize: whether fast code is worth the time that it takes to make.

    Raises:
        NotImplementedError: when a function that waits at a barrier calls itself.
    """
    context = cuda_target.target_context
    linked = result.library._final_module  # noqa: SLF001  # numba offers no accessor
    ramp = None
    waits = {kind for kind in (SUSPEND, WARP_SUSPEND, GRID_SUSPEND) if contains_call(linked, kind)}
    if waits:
        module, name, ramp = build_waiting_launcher(context, result.fndesc, waits)
    else:
        module, name = build_plain_launcher(context, result.fndesc)
    offsets, shared_bytes = shared_layout([g.name for g in linked.global_variables if g.name.startswith(SHARED_PREFIX)])
    for constant, offset in offsets.items():
        place = llvm_ir.GlobalVariable(module, I64, constant)
        place.global_constant = True
        place.initializer = I64(offset)
    local_arrays = [f.name for f in linked.functions if f.name.startswith(OLD_LOCAL_PREFIX)]
    for function in local_arrays:
        define_old_local(module, function, old_value)
    library = context.codegen().create_launcher_library(name)
    library.ramp = ramp
    library.plain = not optimize
    library.add_linking_library(result.library)
    library.add_ir_module(module)
    library.finalize()
    run = _RUN(library.get_pointer_to_function(name))
    frame_bytes = _ask_frame_bytes(library, name) if ramp else 0
    return Program(library, run, shared_bytes, frame_bytes, GRID_SUSPEND in waits, offsets, bool(local_arrays))


def _ask_frame_bytes(library: Any, name: str) -> int:
    answer = ctypes.c_int64()
    ask = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.get_pointer_to_function(f"{name}.frame_bytes"))
    ask(ctypes.addressof(answer))
    return -(-answer.value // 16) * 16
