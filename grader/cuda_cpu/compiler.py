"""Numba's compiler pipeline, from a Python function to a library of LLVM code for one CUDA thread; and its refusals."""

import importlib
import re
import sys
from typing import Any, Final

from grader.cuda_cpu import numba_internals as nb
from grader.cuda_cpu.lowering import KernelLower, ThreadLower
from grader.cuda_cpu.target import cuda_target
from grader.cuda_cpu.tracing.emit import compile_traced


@nb.register_pass(mutates_CFG=True, analysis_only=False)
class ThreadLowering(nb.BaseNativeLowering):
    """Lowers with `ThreadLower`."""

    _name = "cuda_cpu_lowering"
    lowering_class = ThreadLower


@nb.register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(ThreadLowering):
    """Lowers a kernel with `KernelLower`, in regions if possible."""

    _name = "cuda_cpu_kernel_lowering"
    lowering_class = KernelLower


class ThreadCompiler(nb.CompilerBase):
    """The pass pipeline: Numba's own untyped and typed passes, then this package's lowering."""

    lowering = ThreadLowering

    def define_pipelines(self) -> list[nb.PassManager]:
        """Return the single pipeline; there is no object mode on a GPU."""
        pipeline = nb.PassManager("cuda_cpu")
        pipeline.passes.extend(nb.DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        pipeline.passes.extend(nb.DefaultPassBuilder.define_typed_pipeline(self.state).passes)
        pipeline.add_pass(nb.IRLegalization, "ensure IR is legal prior to lowering")
        pipeline.add_pass(nb.AnnotateTypes, "annotate types")
        pipeline.add_pass(self.lowering, "lower for one CUDA thread")
        pipeline.add_pass(nb.NoPythonBackend, "pack the result")
        pipeline.finalize()
        return [pipeline]


class KernelCompiler(ThreadCompiler):
    """The pass pipeline of kernels that may run without coroutines."""

    lowering = KernelLowering


def _flags(options: dict[str, Any]) -> nb.Flags:
    flags = nb.Flags()
    flags.no_compile = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "python" if options.get("debug") else "numpy"
    if options.get("forceinline"):
        flags.forceinline = True
    if options.get("fastmath"):
        flags.fastmath = options["fastmath"]
    return flags


@nb.global_compiler_lock
def compile_thread_function(
    py_func: Any, return_type: Any, argtypes: Any, options: dict[str, Any], pipeline: Any = ThreadCompiler
) -> Any:
    """Compile one function for one CUDA thread; the result's library holds LLVM code that a launcher links.

    `return_type` and `argtypes` are Numba's, the first one None to infer it; `options` are what the student wrote into
    ``@cuda.jit(...)``; the `pipeline` is `KernelCompiler` for a kernel that may be compiled in regions.

    Raises:
        numba.core.errors.NumbaError: when CUDA's target could not compile the function either.
    """
    with nb.target_override("cuda"), compile_traced(options.get("traced", "")):
        result = nb.compiler.compile_extra(
            typingctx=cuda_target.typing_context,
            targetctx=cuda_target.target_context,
            func=py_func,
            args=argtypes,
            return_type=return_type,
            flags=_flags(options),
            locals={},
            pipeline_class=pipeline,
        )
    if not result.library._finalized:  # noqa: SLF001  # numba offers no accessor
        result.library.finalize()
    return result


def compile_kernel(py_func: Any, argtypes: Any, options: dict[str, Any], *, in_regions: bool) -> Any:
    """Compile a kernel like `compile_thread_function`, in regions if wanted and possible.

    Numba's sums and means of arrays are loaded only for a kernel that does not compile without them: importing them
    takes as long as compiling a simple kernel.

    Raises:
        numba.core.errors.NumbaError: when CUDA's target could not compile the function either.
    """
    pipeline = KernelCompiler if in_regions else ThreadCompiler
    try:
        return compile_thread_function(py_func, nb.types.void, argtypes, options, pipeline)
    except nb.TypingError:
        if nb.SUMS in sys.modules:
            raise
    importlib.import_module(nb.SUMS)
    return compile_thread_function(py_func, nb.types.void, argtypes, options, pipeline)


_NEXT_STEPS: Final = (
    (r"NameError: name '\w+' is not defined", "nothing has this name here: define it, or import it"),
    (r"UndefinedType", "nothing has this name: import it, as in `from numba import prange`"),
    (r"[gs]etitem\((Literal\[)?(u?int|float|bool|complex)", "a number has no elements: leave the index out"),
    (r"Cannot unify", "a variable of a kernel has one type for good: give the other value a name of its own"),
    (r"'numpy\.(sqrt|exp|floor|ceil|fabs|power|trunc)'", "CUDA's target does not know it: use the math module"),
    (r"'numpy\.(dot|matmul)'|BLAS|linalg", "CUDA's target has no linear algebra: write the loops"),
    (
        r"\b(empty|zeros|ones|full|arange|array(?!\()|zeros_like|empty_like)\b.*|NRT required",
        "a kernel cannot allocate memory: use cuda.local.array or cuda.shared.array, or pass the array as an argument",
    ),
    (
        r"build_list|reflected list|build_set|build_map|list\(|dict",
        "a kernel cannot build a list, set or dict: use arrays",
    ),
    (r"Numba type of <class 'type'>", "kernels know it as an attribute only: import cuda, and write cuda.threadIdx"),
    (r"Numba type of <class 'function'>", "kernels call only @cuda.jit(device=True) or @njit functions"),
    (r"Untyped global name", "kernels know numbers, tuples, arrays and functions: pass such a value as an argument"),
)
_RETURNS_VALUE: Final = re.compile(r"No conversion from .* to none for '\$\S*return_value")


def explain_refusal(error: Exception) -> Exception:
    """Return the exception to raise for a kernel that did not compile: CUDA's reason, then the next step."""
    text = str(error)
    if _RETURNS_VALUE.search(text):
        return TypeError("CUDA kernel must have void return type.")
    for pattern, advice in _NEXT_STEPS:
        if re.search(pattern, "\n".join(text.splitlines()[:4])):
            first: Any = error.args[0] if error.args else ""
            error.args = (f"{first}\n\nCUDA: {advice}", *error.args[1:])
            if isinstance(error, nb.NumbaError) and hasattr(error, "msg"):
                error.msg = error.args[0]
            break
    return error
