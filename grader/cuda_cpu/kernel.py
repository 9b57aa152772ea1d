"""One kernel for one tuple of argument types: machine code, and what a launch needs around it."""

from __future__ import annotations

import math
import time
import warnings
from functools import partial
from types import CellType, FunctionType
from typing import Any, Final

import numpy as np

from grader.cuda_cpu import execution, faults
from grader.cuda_cpu.arguments import WriteBack, make_packer, to_memory
from grader.cuda_cpu.barriers import grid_group
from grader.cuda_cpu.codelibrary import GRID_SUSPEND
from grader.cuda_cpu.compiler import compile_kernel, explain_refusal
from grader.cuda_cpu.devicearray import DeviceNDArray
from grader.cuda_cpu.launches import Launch, Triple, check_launch, choose_threads, in_pieces, notify, old_value
from grader.cuda_cpu.numba_internals import NumbaError

Arguments = list[tuple[Any, Any]]
"""Each argument of a launch, and the value or the memory that the kernel works on."""

_WITHOUT_REGIONS: Final = ("traced", "debug", "fastmath", "coroutines")
"""Options with which a kernel with barriers runs as coroutines; `coroutines` is this package's own, for its tests."""
_MOST_SHAPES: Final = 3
_LARGE: Final = 2**19
_LONG_S: Final = 0.25
"""Fast code takes 0.1 to 0.4 s longer to compile: it is for launches of size `_LARGE`, or after `_LONG_S` of them."""


def measure_launch(args: tuple[Any, ...], configuration: Any) -> int:
    """Return how large a launch is: its threads, or the elements of its largest array if they are more."""
    sizes = (int(arg.size) for arg in args if isinstance(arg, (np.ndarray, DeviceNDArray)))
    return max(int(math.prod((*configuration.griddim, *configuration.blockdim))), *sizes, 0)


class CudaKernelWarning(UserWarning):
    """Behaviour of a kernel that a GPU would not report."""


class Kernel:
    """A compiled kernel."""

    objectmode = False  # Numba's dispatcher asks for this and `entry_point`
    entry_point = None
    traced: Kernel | None = None  # compiled a second time, for check mode and cost figures, once that was needed

    def __init__(self, py_func: Any, argtypes: tuple[Any, ...], options: dict[str, Any], size: int = 0) -> None:
        self.py_func = py_func
        self.options = options
        self.debug = bool(options.get("debug"))
        self._extensions = options.get("extensions", ())
        self._packers = [make_packer(kind) for kind in argtypes]  # first: refuse wrong argument types before compiling
        names = {**py_func.__globals__}  # a copy of the present values: a GPU compiles once
        cells = [cell if cell == CellType() else CellType(cell.cell_contents) for cell in py_func.__closure__ or ()]
        self._frozen = FunctionType(py_func.__code__, names, py_func.__name__, py_func.__defaults__, (*cells,) or None)
        self._launches_s = 0.0
        self._made_for_speed = size >= _LARGE or bool({"traced", "coroutines"} & options.keys())
        self._compile(argtypes)
        result = self._compiled.result
        self.signature = result.signature  # Numba's, always with no result
        self.argument_types = tuple(result.signature.args)
        # The types that Numba inferred for every variable; the second name is numba-cuda's.
        self.type_annotation = self._type_annotation = result.type_annotation
        self.shared_mem_per_block = self._compiled.shared_bytes
        # Whether blocks wait for each other.
        self.cooperative = GRID_SUSPEND in self._compiled.waits or grid_group in self.type_annotation.typemap.values()

    def _compile(self, argtypes: tuple[Any, ...]) -> None:
        wanted = self._made_for_speed and not any(map(self.options.get, _WITHOUT_REGIONS))
        make = partial(compile_kernel, self._frozen, argtypes, self.options)
        try:
            compiled = execution.CompiledKernel(make(in_regions=wanted))
            if compiled.in_regions and compiled.waits:  # a device function has barriers, too
                compiled = execution.CompiledKernel(make(in_regions=False))
        except (NumbaError, AttributeError, NotImplementedError, RuntimeError) as error:
            explained = explain_refusal(error)
            if explained is error:
                raise
            raise explained from error
        self._compiled = compiled
        self.in_regions = compiled.in_regions  # region by region (`regions`)? Coroutines are compiled in half the time
        self._programs: dict[tuple[Triple | None, int, bool], execution.Program] = {}
        if not self.in_regions:
            self._find_program(None)

    def max_cooperative_grid_blocks(self, blockdim: Any, dynsmemsize: int = 0) -> int:
        """Return how many blocks a grid whose blocks wait for each other may have, as on the GPU of `devices`."""
        return execution.max_cooperative_blocks(math.prod(blockdim) if isinstance(blockdim, tuple) else blockdim)

    @property
    def library(self) -> Any:
        """The library of the optimised kernel with its loops."""
        return (next(iter(self._programs.values()), None) or self._find_program(None)).library

    def inspect_llvm(self) -> str:
        """Return the LLVM code of the kernel with its loops."""
        return str(self.library.get_llvm_str())

    def inspect_asm(self, cc: Any = None) -> str:
        """Return the machine code of this computer's processor (not PTX)."""
        return str(self.library.get_asm_str())

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
        words, given = self._marshal(args, configuration.stream, write_backs)
        cores = 1 if self.options.get("traced") else execution.count_cores()
        request = execution.LaunchRequest(*choose_threads(grid, block), dynamic_bytes, self.debug, cores)
        if not self._made_for_speed and (self._launches_s >= _LONG_S or measure_launch(args, configuration) >= _LARGE):
            self._made_for_speed = True
            if self._compiled.waits:
                self._compile(self.argument_types)
        # A kernel in regions is linked for the shape of its blocks: LLVM then knows how often its loops run, and which
        # indices are in bounds. After `_MOST_SHAPES` shapes, one program serves all other shapes.
        known = {shape for shape, *_ in self._programs if shape} if self.in_regions else ()
        is_for_all = not self.in_regions or (request.block not in known and len(known) >= _MOST_SHAPES)
        program = self._find_program(None if is_for_all else request.block)
        began_s = time.perf_counter()
        record = execution.execute(program, partial(self._run_blocks, given, program, words), request)
        wall_s = time.perf_counter() - began_s
        self._launches_s += wall_s
        for write_back in write_backs:
            write_back()
        del given
        self._report_faults(record)
        notify(Launch(self.py_func.__name__, self.py_func, grid, block, dynamic_bytes, self.argument_types, wall_s))

    def _marshal(self, args: tuple[Any, ...], stream: Any, write_backs: list[WriteBack]) -> tuple[bytes, Arguments]:
        if len(args) != len(self.argument_types):
            raise TypeError(
                f"kernel {self.py_func.__name__} takes {len(self.argument_types)} arguments, but was given {len(args)}"
            )
        given: Arguments = []
        used: list[Any] = []
        parts = []
        for kind, pack, arg in zip(self.argument_types, self._packers, args, strict=True):
            value = arg
            for extension in reversed(self._extensions):
                _, value = extension.prepare_args(kind, value, stream=stream, retr=write_backs)
            value = to_memory(value, used, write_backs)
            given.append((arg, value))
            parts.append(pack(value))
        return b"".join(parts), given

    def _find_program(self, block: Triple | None) -> execution.Program:
        """Return the machine code for blocks of a shape."""
        key = block, old_value() if self._compiled.local_arrays else 0, self._made_for_speed
        if key not in self._programs:
            level = 0 if self.options.get("traced") else 3 if key[-1] else 1
            self._programs[key] = execution.link_program(self._compiled, *key[:2], level)
        return self._programs[key]

    def _run_blocks(self, given: Arguments, program: execution.Program, words: bytes, plan: Any) -> None:
        """Run the blocks that a plan names, see `records.Plan`."""
        for _ in in_pieces(self.py_func.__name__, plan, is_whole=program.cooperative):
            program.run(words, plan.ctypes.data)

    def _report_faults(self, record: Any) -> None:
        name = self.py_func.__name__
        if record["status"]:
            raise faults.describe_fault(record, name)
        if record["ignored"]:
            error = faults.describe_user_exception(int(record["ignored"]), record)
            text = f"kernel {name}: a thread raised {error!r}; a GPU ends the thread and says nothing (use debug=True)"
            warnings.warn(text, CudaKernelWarning, stacklevel=5)
        if record["exited_early"]:
            warnings.warn(faults.describe_early_return(record, name), CudaKernelWarning, stacklevel=5)
