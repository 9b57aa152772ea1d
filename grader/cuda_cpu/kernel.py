"""One kernel for one tuple of argument types: machine code, and what a launch needs around it."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir as llvm_ir
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError

from grader.cuda_cpu import faults
from grader.cuda_cpu.arguments import make_packer
from grader.cuda_cpu.compiler import compile_thread_function
from grader.cuda_cpu.coroutines import contains_suspend
from grader.cuda_cpu.devicearray import DeviceNDArray, memory_of, require_contiguous
from grader.cuda_cpu.geometry import check_launch
from grader.cuda_cpu.hints import explain_refusal
from grader.cuda_cpu.hostapi import as_cuda_array, is_cuda_array
from grader.cuda_cpu.launcher import PLAN, PLAN_INDEX, build_plain_launcher
from grader.cuda_cpu.memory import SHARED_PREFIX, aligned_buffer, shared_layout
from grader.cuda_cpu.observers import Launch, notify
from grader.cuda_cpu.scheduler import WARP, build_waiting_launcher
from grader.cuda_cpu.target import cuda_target
from grader.cuda_cpu.threadstate import I64, STATE_BYTES
from grader.cuda_cpu.transfer import Transfer

_RUN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
WriteBack = Callable[[], None]


class CudaKernelWarning(UserWarning):
    """Something in a kernel that a GPU passes over in silence."""


class Kernel:
    """A compiled kernel.

    Attributes:
        signature: Numba's signature, always with no result.
        objectmode: False; Numba's dispatcher asks.
        entry_point: None; Numba's dispatcher asks.
    """

    objectmode = False
    entry_point = None

    def __init__(self, py_func: Any, argtypes: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.py_func = py_func
        self.debug = bool(options.get("debug"))
        self._extensions = options.get("extensions") or []
        result = _compile(py_func, argtypes, options)
        self.signature = result.signature
        self.argument_types = tuple(result.signature.args)
        self._type_annotation = result.type_annotation
        self._packers = [make_packer(kind) for kind in argtypes]
        self._program = _link(result)
        self.shared_mem_per_block = self._program.shared_bytes

    def inspect_llvm(self) -> str:
        """Return the optimised LLVM code of the kernel with its loops."""
        return str(self._program.library.get_llvm_str())

    def inspect_asm(self, cc: Any = None) -> str:
        """Return the machine code of this computer's processor (not PTX)."""
        return str(self._program.library.get_asm_str())

    def launch(self, args: tuple[Any, ...], configuration: Any) -> None:
        """Run all threads of a launch; return when they have ended.

        Raises:
            CudaAPIError: for a launch beyond CUDA's limits.
            IndexError: for an access outside an array.
        """
        grid, block = configuration.griddim, configuration.blockdim
        dynamic_bytes = int(configuration.sharedmem or 0)
        check_launch(grid, block, self.shared_mem_per_block, dynamic_bytes)
        write_backs: list[WriteBack] = []
        words, keep = self._marshal(args, configuration.stream, write_backs)
        record = self._execute(words, grid, block, dynamic_bytes)
        for write_back in write_backs:
            write_back()
        del keep
        self._report(record)
        notify(Launch(self.py_func.__name__, self.py_func, grid, block, dynamic_bytes))

    def _marshal(self, args: tuple[Any, ...], stream: Any, write_backs: list[WriteBack]) -> tuple[bytes, list[Any]]:
        if len(args) != len(self.argument_types):
            msg = (
                f"kernel {self.py_func.__name__} takes {len(self.argument_types)} arguments, but was given {len(args)}"
            )
            raise TypeError(msg)
        keep: list[Any] = []
        used: list[Any] = []
        parts = []
        for kind, pack, arg in zip(self.argument_types, self._packers, args, strict=True):
            value = arg
            for extension in reversed(self._extensions):
                _, value = extension.prepare_args(kind, value, stream=stream, retr=write_backs)
            value = to_memory(value, used, write_backs)
            keep.append(value)
            parts.append(pack(value))
        return b"".join(parts), keep

    def _execute(self, words: bytes, grid: Any, block: Any, dynamic_bytes: int) -> Any:
        record = np.zeros(faults.RECORD_WORDS, np.int64)
        static_bytes = -(-self.shared_mem_per_block // 64) * 64
        buffer, shared = aligned_buffer(static_bytes + dynamic_bytes)
        plan = np.zeros(len(PLAN), np.int64)
        plan[:6] = (*block, *grid)
        plan[PLAN_INDEX["last"]] = grid[0] * grid[1] * grid[2]
        plan[PLAN_INDEX["fault"]] = record.ctypes.data
        plan[PLAN_INDEX["shared_static"]] = shared
        plan[PLAN_INDEX["shared_dynamic"]] = shared + static_bytes
        plan[PLAN_INDEX["shared_dynamic_bytes"]] = dynamic_bytes
        plan[PLAN_INDEX["stop_on_exception"]] = self.debug
        waiting = self._reserve_waiting(plan, block[0] * block[1] * block[2])
        self._program.run(words, plan.ctypes.data)
        del buffer, waiting
        return record

    def _reserve_waiting(self, plan: Any, threads: int) -> list[Any]:
        """Return the memory of waiting threads, whose addresses go into the plan: none where no thread waits."""
        if not self._program.frame_bytes:
            return []
        sizes = {"frames": threads * self._program.frame_bytes, "states": threads * STATE_BYTES}
        sizes["warp"] = -(-threads // WARP) * WARP * 8
        plan[PLAN_INDEX["frame_bytes"]] = self._program.frame_bytes
        buffers = []
        for name, size_bytes in sizes.items():
            buffer, plan[PLAN_INDEX[name]] = aligned_buffer(size_bytes)
            buffers.append(buffer)
        return buffers

    def _report(self, record: Any) -> None:
        name = self.py_func.__name__
        if record[faults.STATUS]:
            raise faults.describe_fault(record, name)
        if record[faults.IGNORED]:
            error = faults.describe_user_exception(int(record[faults.IGNORED]), record)
            text = f"kernel {name}: a thread raised {error!r}; a GPU ends the thread and says nothing (use debug=True)"
            warnings.warn(text, CudaKernelWarning, stacklevel=5)
        if record[faults.EXITED_EARLY]:
            warnings.warn(faults.describe_early_return(record, name), CudaKernelWarning, stacklevel=5)


def _compile(py_func: Any, argtypes: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        return compile_thread_function(py_func, types.void, argtypes, options)
    except (NumbaError, AttributeError, NotImplementedError, RuntimeError) as error:
        explained = explain_refusal(error)
        if explained is error:
            raise
        raise explained from error


def to_memory(value: Any, used: list[Any], write_backs: list[WriteBack]) -> Any:
    """Return the memory that a kernel may use for an argument; anything but arrays is returned unchanged.

    A GPU works on a copy of each host array and copies it back afterwards. The kernel may use the host array itself
    unless it shares memory with an argument before it.
    """
    if isinstance(value, DeviceNDArray):
        return memory_of(value)
    if isinstance(value, Transfer):
        return value.to_memory(write_backs)
    if is_cuda_array(value):
        return memory_of(as_cuda_array(value))
    if isinstance(value, tuple):
        return tuple(to_memory(item, used, write_backs) for item in value)
    if isinstance(value, np.void):
        return _record_memory(value, write_backs)
    if not isinstance(value, np.ndarray):
        return value
    require_contiguous(value)
    if any(np.may_share_memory(value, other) for other in used):
        copy = value.copy(order="K")
        write_backs.append(lambda: np.copyto(value, copy))
        return copy
    used.append(value)
    return value


def _record_memory(value: np.void, write_backs: list[WriteBack]) -> Any:
    memory = np.array(value)

    def write_back() -> None:
        if value.flags.writeable:
            np.asarray(value)[...] = memory

    write_backs.append(write_back)
    return memory


@dataclass(frozen=True)
class Program:
    """A kernel with its launcher, as machine code.

    Attributes:
        library: keeps the machine code alive.
        run: the launcher.
        shared_bytes: static shared memory of a block.
        frame_bytes: what a waiting thread needs; 0 when no thread of this kernel ever waits.
    """

    library: Any
    run: Any
    shared_bytes: int
    frame_bytes: int


@global_compiler_lock
def _link(result: Any) -> Program:
    context = cuda_target.target_context
    linked = result.library._final_module  # noqa: SLF001  # numba offers no accessor
    ramp = None
    if contains_suspend(linked):
        module, name, ramp = build_waiting_launcher(context, result.fndesc)
    else:
        module, name = build_plain_launcher(context, result.fndesc)
    offsets, shared_bytes = shared_layout([g.name for g in linked.global_variables if g.name.startswith(SHARED_PREFIX)])
    for constant, offset in offsets.items():
        place = llvm_ir.GlobalVariable(module, I64, constant)
        place.global_constant = True
        place.initializer = I64(offset)
    library = context.codegen().create_launcher_library(name)
    library.ramp = ramp
    library.add_linking_library(result.library)
    library.add_ir_module(module)
    library.finalize()
    run = _RUN(library.get_pointer_to_function(name))
    return Program(library, run, shared_bytes, _ask_frame_bytes(library, name) if ramp else 0)


def _ask_frame_bytes(library: Any, name: str) -> int:
    answer = ctypes.c_int64()
    ask = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.get_pointer_to_function(f"{name}.frame_bytes"))
    ask(ctypes.addressof(answer))
    return -(-answer.value // 16) * 16
