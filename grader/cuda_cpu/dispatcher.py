"""Kernels as Python objects: `jit`, compilation per argument type, launches."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.cuda_cpu import numba_internals as nb
from grader.cuda_cpu.compiler import ThreadCompiler, compile_thread_function
from grader.cuda_cpu.devices import CudaSupportError
from grader.cuda_cpu.hostapi import as_cuda_array, is_cuda_array
from grader.cuda_cpu.kernel import Kernel, measure_launch
from grader.cuda_cpu.launches import MAX_THREADS, Triple, read_dimensions
from grader.cuda_cpu.target import cuda_target
from grader.cuda_cpu.tracing.emit import DEVICE, is_traced
from grader.cuda_cpu.tracing.session import current_watchers, trace_kernel

_NO_CONFIGURATION = (
    "Kernel launch configuration was not specified. Use the syntax:\n\n"
    "kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)\n\n"
    "See https://numba.readthedocs.io/en/stable/cuda/kernels.html#kernel-invocation for help."
)

_DEBUG_AND_OPT = (
    "debug=True with opt=True is not supported by CUDA. This may result in a crash - set debug=False or opt=False."
)
_NOT_INSTALLED = "the CUDA executor for the CPU is not installed in this process: call grader.cuda_cpu.install() first"


class CudaDispatcher(nb.Dispatcher):
    """What ``@cuda.jit`` returns: a kernel, or a device function for kernels to call."""

    _fold_args = False
    targetdescr = cuda_target

    def __init__(self, py_func: Any, targetoptions: dict[str, Any], pipeline_class: Any = ThreadCompiler) -> None:
        options = {**targetoptions, "extensions": list(targetoptions.get("extensions") or ())}
        super().__init__(py_func, targetoptions=options, pipeline_class=pipeline_class)
        self.specialized = False  # whether it was compiled for exactly one signature
        self.specializations: dict[Any, CudaDispatcher] = {}

    def __getitem__(self, args: Any) -> LaunchConfiguration:
        if not isinstance(args, tuple) or len(args) not in (2, 3, 4):
            raise ValueError("must specify at least the griddim and blockdim")
        return self.configure(*args)

    def configure(self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> LaunchConfiguration:
        """Return the kernel with a launch configuration, ready to be called."""
        grid, block = read_dimensions(griddim, "griddim"), read_dimensions(blockdim, "blockdim")
        return LaunchConfiguration(self, grid, block, stream, sharedmem)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse, with CUDA's own text: a kernel needs a launch configuration."""
        raise ValueError(_NO_CONFIGURATION)

    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]:
        """Return a callable that launches at least ``ntasks`` threads in one dimension.

        Raises:
            ValueError: when ``ntasks`` is negative.
        """
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")

        def launch(*args: Any) -> None:
            if ntasks == 0:
                return
            threads = tpb or 128
            self[-(-ntasks // threads), threads, stream, sharedmem](*args)

        return launch

    def call(self, args: tuple[Any, ...], configuration: LaunchConfiguration) -> None:
        """Compile for these arguments if needed, and launch."""
        self._current_launch = configuration
        kernel = next(iter(self.overloads.values())) if self.specialized else self._find_kernel(args)
        if current_watchers():
            kernel = trace_kernel(kernel, math.prod(configuration.griddim))
        kernel.launch(args, configuration)

    def _find_kernel(self, args: tuple[Any, ...]) -> Any:
        """Return the kernel for these arguments, compiled if needed.

        If the decorator named several signatures, Numba's first search finds only exact matches. numba-cuda also takes
        signatures to which the arguments convert, such as contiguous arrays to arrays of any strides.
        """
        find = nb._dispatcher.Dispatcher._cuda_call  # noqa: SLF001  # numba's own protocol
        try:
            return find(self, *args)
        except TypeError:
            if self._can_compile or not self._search_new_conversions(*args):
                raise
            return find(self, *args)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Kernel:
        assert not kws
        return self.compile(tuple(self.typeof_pyval(arg) for arg in args), measure_launch(args, self._current_launch))

    def typeof_pyval(self, val: Any) -> Any:
        """Return the Numba type of an argument."""
        try:
            return nb.typeof(val, nb.Purpose.argument)
        except ValueError:
            if is_cuda_array(val):
                return nb.typeof(as_cuda_array(val), nb.Purpose.argument)
            raise

    @property
    def extensions(self) -> list[Any]:
        """Objects whose ``prepare_args`` may replace arguments before a launch; the list may grow."""
        extensions: list[Any] = self.targetoptions["extensions"]
        return extensions

    def specialize(self, *args: Any) -> CudaDispatcher:
        """Return a kernel that is compiled for the types of these arguments only.

        Raises:
            RuntimeError: when this kernel is specialised already.
        """
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        argtypes = tuple(self.typeof_pyval(arg) for arg in args)
        if argtypes not in self.specializations:
            special = CudaDispatcher(self.py_func, self.targetoptions)
            special.compile(argtypes)
            special.disable_compile()
            special.specialized = True
            self.specializations[argtypes] = special
        return self.specializations[argtypes]

    @functools.cached_property
    def traced_device_function(self) -> CudaDispatcher:
        """The same device function, compiled for kernels that are traced."""
        traced = CudaDispatcher(self.py_func, {**self.targetoptions, "traced": DEVICE})
        if not self._can_compile:
            for argtypes, result in self.overloads.items():
                traced.compile_device(argtypes, result.signature.return_type)
            traced.disable_compile()
        return traced

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what Numba needs to type a call of this function from a kernel."""
        pysig, folded = self._compiler.fold_argument_types(args, kws)
        if self._can_compile:
            self.compile_device(tuple(folded))
        name = self.py_func.__name__
        template = nb.typing.make_concrete_template(f"CallTemplate({name})", name, self.nopython_signatures)
        return template, pysig, folded, {}

    def get_overload(self, sig: Any) -> Any:
        """Return the compiled function for a signature, traced like its caller: Numba keeps NumPy's `sum` for both."""
        chosen = self.traced_device_function if is_traced() and "traced" not in self.targetoptions else self
        return chosen.compile_device(*nb.sigutils.normalize_signature(sig)).fndesc

    @nb.global_compiler_lock
    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Compile as a device function for these argument types; return the compile result.

        Its description stands for the machine code, which there is not yet, where Numba looks the function up.
        """
        if args not in self.overloads:
            with self._compiling_counter:
                result = compile_thread_function(self.py_func, return_type, args, self.targetoptions)
                self.overloads[args] = result
                result.target_context.insert_user_function(result.fndesc, result.fndesc, [result.library])
        return self.overloads[args]

    def compile(self, sig: Any, size: int = 0) -> Kernel:
        """Compile as a kernel for a signature and a launch of a size, see `measure_launch`; return the kernel.

        Raises:
            RuntimeError: for a signature that the decorator did not name, for a device function, and if the executor
                is not installed: Numba would then compile the functions that a kernel calls for another target.
        """
        if nb.dispatcher_registry.get(nb.target_registry["cuda"]) is not CudaDispatcher:
            raise RuntimeError(_NOT_INSTALLED)
        if self.targetoptions.get("device"):
            raise RuntimeError("Cannot compile a device function as a kernel")
        argtypes, return_type = nb.sigutils.normalize_signature(sig)
        if return_type is not None and return_type != nb.types.none:
            raise TypeError("CUDA kernel must have void return type.")
        if self.specialized:
            return next(iter(self.overloads.values()))  # type: ignore[no-any-return]  # numba has no types
        if argtypes not in self.overloads:
            if not self._can_compile:
                raise RuntimeError("Compilation disabled")
            self.overloads[argtypes] = fresh = Kernel(self.py_func, argtypes, self.targetoptions, size)
            self._insert([kind._code for kind in argtypes], fresh, cuda=True)  # noqa: SLF001  # numba's own protocol
        return self.overloads[argtypes]  # type: ignore[no-any-return]  # numba has no types

    def _per_signature(self, signature: Any, ask: Any) -> Any:
        if signature is not None:
            argtypes, _ = nb.sigutils.normalize_signature(signature)
            return ask(self.overloads[argtypes])
        return {argtypes: ask(kernel) for argtypes, kernel in self.overloads.items()}

    def _property(self, signature: Any, ask: Any) -> Any:
        if signature is None and self.specialized:
            return ask(next(iter(self.overloads.values())))
        return self._per_signature(signature, ask)

    def inspect_llvm(self, signature: Any = None) -> Any:
        """Return the LLVM code for one signature, or a dict of all."""
        return self._per_signature(signature, lambda compiled: str(compiled.library.get_llvm_str()))

    def inspect_asm(self, signature: Any = None) -> Any:
        """Return the code of this machine's processor (not PTX) for one signature, or a dict of all."""
        return self._per_signature(signature, lambda compiled: str(compiled.library.get_asm_str()))

    def inspect_sass(self, signature: Any = None) -> Any:
        """Refuse: there is no code for a GPU."""
        raise CudaSupportError("SASS is a GPU's code: use inspect_asm() for this machine's, or numba-cuda with a GPU")

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        """Return the bytes of static shared memory of a block, for one signature or a dict of all."""
        return self._property(signature, lambda kernel: kernel.shared_mem_per_block)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        """Return how many threads a block may have, for one signature or a dict of all."""
        return self._property(signature, lambda kernel: MAX_THREADS)

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        """Refuse: registers are a GPU's."""
        raise CudaSupportError("registers per thread are known to a GPU's assembler only: ask numba-cuda on a GPU")


CudaDispatcher.__name__ = "CUDADispatcher"  # the name in CUDA's messages


@dataclass(eq=False)
class LaunchConfiguration:
    """A kernel with its grid, block, stream and bytes of dynamic shared memory: what ``kernel[...]`` returns."""

    dispatcher: CudaDispatcher
    griddim: Triple
    blockdim: Triple
    stream: Any
    sharedmem: int

    def __call__(self, *args: Any) -> None:
        """Compile for these arguments where needed, and launch."""
        self.dispatcher.call(args, self)


def _prepare_options(options: dict[str, Any]) -> None:
    """Refuse options that this executor cannot obey, warn as CUDA does, and rename one that Numba takes otherwise."""
    if options.get("boundscheck"):
        raise NotImplementedError("bounds checking is not supported for CUDA")
    if options.get("debug", getattr(nb.config, "CUDA_DEBUGINFO_DEFAULT", False)) and options.get("opt", nb.config.OPT):
        warnings.warn(nb.NumbaInvalidConfigWarning(_DEBUG_AND_OPT), stacklevel=2)
    if options.get("link"):
        raise NotImplementedError(
            "this executor links no CUDA C++ or PTX: write the function in Python with @cuda.jit(device=True)"
        )
    if isinstance(options.get("inline"), bool):
        options["forceinline"] = options.pop("inline")


def jit(func_or_sig: Any = None, device: bool = False, **options: Any) -> Any:
    """Compile a Python function for the device.

    Args:
        func_or_sig: the function, or a signature, or a list of signatures.
        device: whether it is a function for kernels to call.
        **options: CUDA's options; those that only tune a GPU change nothing here.

    Returns:
        A `CudaDispatcher`, or a decorator that returns one.

    Raises:
        NotImplementedError: for options that CUDA refuses.
    """
    _prepare_options(options)
    is_list = isinstance(func_or_sig, list)
    if is_list or nb.sigutils.is_signature(func_or_sig):
        return functools.partial(_compile_eagerly, func_or_sig if is_list else [func_or_sig], is_list, device, options)
    if func_or_sig is None:
        return lambda func: jit(func, device=device, **options)
    return CudaDispatcher(func_or_sig, {**options, "device": device})


def _compile_eagerly(signatures: list[Any], is_list: bool, device: bool, options: dict[str, Any], func: Any) -> Any:
    dispatcher = CudaDispatcher(func, {**options, "device": device})
    for signature in signatures:
        if device:
            with nb.typeinfer.register_dispatcher(dispatcher):
                dispatcher.compile_device(*nb.sigutils.normalize_signature(signature))
        else:
            dispatcher.compile(signature)
    dispatcher.specialized = not is_list and not device
    dispatcher.disable_compile()
    return dispatcher


def register_target() -> None:
    """Register `CudaDispatcher` with Numba for the target "cuda", even if the real ``numba.cuda`` did so before."""
    target = nb.target_registry["cuda"]
    of_device = functools.partial(jit, device=True)
    for registry, entry in ((nb.dispatcher_registry, CudaDispatcher), (nb.jit_registry, of_device)):
        registry.pop(target, None)
        registry[target] = entry
