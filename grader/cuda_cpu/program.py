"""From a compiled kernel to machine code that runs a whole launch."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Final

from grader.cuda_cpu import scheduler
from grader.cuda_cpu.coroutines import GRID_SUSPEND, SUSPEND, WARP_SUSPEND, contains_call
from grader.cuda_cpu.geometry import Triple
from grader.cuda_cpu.launcher import build_plain_launcher, build_ramp, build_region_launcher
from grader.cuda_cpu.memory import OLD_LOCAL_PREFIX, SHARED_PREFIX, define_old_local, shared_layout
from grader.cuda_cpu.numba_internals import global_compiler_lock
from grader.cuda_cpu.numba_internals import ir as llvm_ir
from grader.cuda_cpu.records import I64
from grader.cuda_cpu.routines import address_of
from grader.cuda_cpu.target import cuda_target

_RUN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Program:
    """A kernel with its launcher, as machine code.

    Attributes:
        library: keeps the machine code alive.
        run: the launcher, called with the addresses of the packed arguments and of a `Plan`.
        shared_bytes: static shared memory of a block.
        waits: the placeholders at which its threads wait, see `coroutines`.
        shared_offsets: where each static shared array begins, by the name of its offset constant.
        ramp: address of the code that runs a thread to its first stop; 0 without coroutines.
        frame_bytes: what a thread needs to wait, or to leave to a later region.
    """

    library: Any
    run: Any
    shared_bytes: int
    waits: frozenset[str]
    shared_offsets: dict[str, int]
    ramp: int = 0
    frame_bytes: int = 0

    @property
    def cooperative(self) -> bool:
        """Whether threads wait for other blocks."""
        return GRID_SUSPEND in self.waits


class CompiledKernel:
    """What Numba's compiler returned for a kernel, and what its machine code will need.

    Attributes:
        result: of the compiler.
        waits: the placeholders at which threads wait, the kernel's and those of its device functions.
        in_regions: whether it is compiled in regions.
        local_arrays: the names of the functions that put old values into its local arrays.
        shared_offsets: where each static shared array begins, by the name of its offset constant.
        shared_bytes: static shared memory of a block.
    """

    def __init__(self, result: Any) -> None:
        linked = result.library._final_module  # noqa: SLF001  # numba offers no accessor
        self.result = result
        self.waits = frozenset(kind for kind in (SUSPEND, WARP_SUSPEND, GRID_SUSPEND) if contains_call(linked, kind))
        self.in_regions = "regions" in result.metadata
        self.local_arrays = [f.name for f in linked.functions if f.name.startswith(OLD_LOCAL_PREFIX)]
        names = [g.name for g in linked.global_variables if g.name.startswith(SHARED_PREFIX)]
        self.shared_offsets, self.shared_bytes = shared_layout(names)


@global_compiler_lock
def link_program(kernel: CompiledKernel, block: Triple | None, old_value: int = 0, *, optimize: bool = True) -> Program:
    """Return the program of a compiled kernel.

    Args:
        kernel: what the compiler made of it.
        block: the shape of the only blocks that it will run; None for blocks of all shapes.
        old_value: what local arrays hold when they are new.
        optimize: whether fast code is worth the time that it takes to make.

    Raises:
        NotImplementedError: when a function that waits at a barrier calls itself.
    """
    context, fndesc = cuda_target.target_context, kernel.result.fndesc
    frame_bytes = ramp = 0
    if kernel.in_regions:
        functions = kernel.result.metadata["regions"]
        module, name, frame_bytes = build_region_launcher(context, fndesc, functions, block)
    else:
        module, name = (build_ramp if kernel.waits else build_plain_launcher)(context, fndesc)
    for constant, offset in kernel.shared_offsets.items():
        place = llvm_ir.GlobalVariable(module, I64, constant)
        place.global_constant = True
        place.initializer = I64(offset)
    for function in kernel.local_arrays:
        define_old_local(module, function, old_value)
    library = context.codegen().create_launcher_library(name)
    library.is_ramp = bool(kernel.waits)
    library.plain = not optimize
    library.add_linking_library(kernel.result.library)
    library.add_ir_module(module)
    library.finalize()
    address = library.get_pointer_to_function(name)
    if kernel.waits:
        ramp, frame_bytes = address, _ask_frame_bytes(address)
        address = address_of(scheduler.run_together if GRID_SUSPEND in kernel.waits else scheduler.run_in_turn)
    return Program(library, _RUN(address), kernel.shared_bytes, kernel.waits, kernel.shared_offsets, ramp, frame_bytes)


def _ask_frame_bytes(ramp: int) -> int:
    answer = ctypes.c_int64()
    ctypes.CFUNCTYPE(ctypes.c_void_p, *[ctypes.c_void_p] * 4)(ramp)(None, None, None, ctypes.addressof(answer))
    return -(-answer.value // 16) * 16
