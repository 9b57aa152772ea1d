"""One kernel for one tuple of argument types: machine code, and what a launch needs around it."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any

from grader.cuda_cpu import faults
from grader.cuda_cpu.arguments import make_packer
from grader.cuda_cpu.compiler import compile_with_sums
from grader.cuda_cpu.execution import LaunchRequest, count_cores, execute, max_cooperative_blocks
from grader.cuda_cpu.geometry import check_launch, choose_threads
from grader.cuda_cpu.groups import grid_group
from grader.cuda_cpu.hints import explain_refusal
from grader.cuda_cpu.numba_internals import NumbaError, types
from grader.cuda_cpu.observers import Launch, notify
from grader.cuda_cpu.oldvalues import old_value
from grader.cuda_cpu.program import Program, link_program
from grader.cuda_cpu.transfer import WriteBack, to_memory


class CudaKernelWarning(UserWarning):
    """Behaviour of a kernel that a GPU would not report."""


class Kernel:
    """A compiled kernel.

    Attributes:
        signature: Numba's signature, always with no result.
        cooperative: whether blocks wait for each other.
        type_annotation: the types that Numba inferred for every variable.
        objectmode: False; Numba's dispatcher asks.
        entry_point: None; Numba's dispatcher asks.
        traced: the same kernel compiled a second time for check mode and cost figures, once that was needed.
    """

    objectmode = False
    entry_point = None
    traced: Kernel | None = None

    def __init__(self, py_func: Any, argtypes: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.py_func = py_func
        self.options = options
        self.debug = bool(options.get("debug"))
        self._extensions = options.get("extensions", ())
        self._packers = [make_packer(kind) for kind in argtypes]  # first: what no kernel takes is said before the rest
        result = _compile(py_func, argtypes, options)
        self.signature = result.signature
        self.argument_types = tuple(result.signature.args)
        self.type_annotation = result.type_annotation
        self._compile_result = result
        self._program: Program = link_program(result, optimize=not options.get("traced"))
        self._with_old_values: dict[int, Program] = {}
        self.shared_mem_per_block = self._program.shared_bytes
        self.cooperative = self._program.cooperative or grid_group in self.type_annotation.typemap.values()

    @property
    def _type_annotation(self) -> Any:
        """The types of the variables, under numba-cuda's name for them."""
        return self.type_annotation

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """Return how many blocks a grid whose blocks wait for each other may have, as on the GPU of `devices`."""
        return max_cooperative_blocks(math.prod(blockdim) if isinstance(blockdim, tuple) else blockdim)

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
        cores = 1 if self.options.get("traced") else count_cores()
        request = LaunchRequest(*choose_threads(grid, block), dynamic_bytes, self.debug, cores)
        began_s = time.perf_counter()
        record = execute(self._current_program(), self._run_blocks, words, request)
        wall_s = time.perf_counter() - began_s
        for write_back in write_backs:
            write_back()
        del keep
        self._report(record)
        notify(Launch(self.py_func.__name__, self.py_func, grid, block, dynamic_bytes, self.argument_types, wall_s))

    def _marshal(self, args: tuple[Any, ...], stream: Any, write_backs: list[WriteBack]) -> tuple[bytes, list[Any]]:
        if len(args) != len(self.argument_types):
            raise TypeError(
                f"kernel {self.py_func.__name__} takes {len(self.argument_types)} arguments, but was given {len(args)}"
            )
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

    def _current_program(self) -> Program:
        """Return the program; where new memory is to hold old values, the one that fills its local arrays with them."""
        value = old_value()
        if not value or not self._program.has_local_arrays:
            return self._program
        if value not in self._with_old_values:
            self._with_old_values[value] = link_program(
                self._compile_result, value, optimize=not self.options.get("traced")
            )
        return self._with_old_values[value]

    def _run_blocks(self, words: bytes, plan: Any) -> None:
        """Run the blocks that a plan names, see `threadstate.Plan`."""
        self._current_program().run(words, plan.ctypes.data)

    def _report(self, record: Any) -> None:
        name = self.py_func.__name__
        if record["status"]:
            raise faults.describe_fault(record, name)
        if record["ignored"]:
            error = faults.describe_user_exception(int(record["ignored"]), record)
            text = f"kernel {name}: a thread raised {error!r}; a GPU ends the thread and says nothing (use debug=True)"
            warnings.warn(text, CudaKernelWarning, stacklevel=5)
        if record["exited_early"]:
            warnings.warn(faults.describe_early_return(record, name), CudaKernelWarning, stacklevel=5)


def _compile(py_func: Any, argtypes: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        return compile_with_sums(py_func, types.void, argtypes, options)
    except (NumbaError, AttributeError, NotImplementedError, RuntimeError) as error:
        explained = explain_refusal(error)
        if explained is error:
            raise
        raise explained from error
