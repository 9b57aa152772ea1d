"""Which of numba-cuda's tests ask for something that only a GPU or its compiler has, with the reason."""

import re
import sys
from typing import Any, Final

_BY_NAME: Final = (
    (r"TestCudasimUnsupported|_simulator|test_deadlock_on_exception", "a test of numba's simulator itself"),
    (r"\.test_libdevice", "libdevice is NVIDIA's mathematics library for GPUs"),
    (r"bfloat16|\.test_fp8", "bfloat16 and FP8 are types of newer GPUs; Numba has no arithmetic of them for CPUs"),
    (r"DeclareDevice|ExtendingLinkage|linking_lib|TestCFFI|TestFFI|external_coop|cudadevrt", "it links CUDA C++"),
    (r"ptx|\.test_compiler|TestCudaMandel|FastMath|TestCudaMinMax|test_selp|CacheHints", "it looks at PTX"),
    (r"const_mode_val_sm100|TestOptimization|compile_forceinline|test_native_cast", "it looks at PTX"),
    (r"TestCudaLocalMem\.test_local_array$", "it looks at PTX"),
    (r"sass|lto|TestCUDACodeLibrary", "it needs NVIDIA's linker or disassembler"),
    (r"\.test_debuginfo|\.test_lineinfo|DebugOutput|ConstStringCodegen", "it looks at LLVM code made for NVVM"),
    (r"test_array_alignment_\dd|TestCudaInline|TestInspect", "it looks at LLVM code made for NVVM"),
    (r"get_const_mem|get_local_mem|get_regs_per", "it asks for figures that only a GPU's assembler knows"),
    (r"\.test_ipc", "memory that a GPU's driver shares between processes"),
    (r"multigpu_context|test_with_context", "it needs more than one GPU"),
    (r"\.test_caching|CachingTest|TestMultiprocessCache", "the executor keeps no compiled kernels on disk"),
    (r"launch_config_|capture_compile_config", "kernels that depend on launches"),
    (r"LaunchConfigSensitive|pre_launch_callbacks", "kernels that depend on launches"),
    (r"LaunchBounds|Carveout", "options that divide a GPU's resources"),
    (r"inefficient_launch|warn_on_host_array", "warnings about the speed of a GPU"),
    (r"ArrayInterface\.test_(consume|launch|produce)_|_ownership|external_stream", "streams that a driver made"),
    (r"no_transfer_for_device_data", "it cuts off the GPU's driver to see that nobody asks it"),
    (r"TestMultiprocessing\.test_fork", "a GPU's driver does not survive a fork; here there is none"),
    (r"\.test_array_reductions|test_array_copy|test_[cf]array$", "kernels that allocate memory, refused without NRT"),
    (
        r"CFGraph|signatures_match_overloaded|test_injected|type_change|optional_return",
        "a part of Numba's compiler that is used as Numba ships it",
    ),
    (r"TestException\.test_exception$", "an index outside a tuple ends the launch; a GPU tells with debug=True only"),
    (r"test_struct_model_type_arr", "the test writes outside its own array, which this executor reports"),
    (r"test_dispatcher_cpointer_arguments", "the test writes behind its own array through a raw pointer"),
)
"""Pairs of a pattern, looked for in a test's name, and one sentence. They excuse only tests that did not pass."""
_BY_ERROR: Final = (
    (r"[Cc]u[Pp]y", "it needs CuPy, which needs a GPU"),
    (r"Numbast generated", "it is a test of generated bindings"),
)
"""The same for the last line of a test's error."""
_NOT_RUN: Final = r"test_array_alignment_\dd|TestMultiprocessCache|test_dispatcher_cpointer_arguments"
"""Tests out of scope that take minutes to say so, and one that destroys the memory of its process."""
_TESTS: Final = "numba.cuda.tests.cudapy."
_LOOKS: Final = {
    f"{_TESTS}test_atomics.TestCudaAtomics.test_atomic_add_double": "assertCorrectFloat64Atomics",
    f"{_TESTS}test_constmem.TestCudaConstantMemory.test_const_array": "ENABLE_CUDASIM",
    f"{_TESTS}test_sync.TestCudaSync.test_threadfence": "ENABLE_CUDASIM",
}
"""Tests (by the start of their names) that look at PTX after everything else has passed, and what decides that."""
LEFT_OUT: Final = "without its look at PTX, which comes last"


def find_reason(test: str, error: str) -> str:
    """Return why a test that did not pass, with this last line, is not applicable; empty when it is a failure."""
    by_name = (reason for pattern, reason in _BY_NAME if re.search(pattern, test))
    return next(by_name, "") or next((reason for pattern, reason in _BY_ERROR if re.search(pattern, error)), "")


def is_left_out(test: str) -> bool:
    return re.search(_NOT_RUN, test) is not None


def leave_out_ptx(test: Any) -> bool:
    """Let a test go without its look at PTX, where it is one of those that end with one; return whether it is."""
    step = next((step for name, step in _LOOKS.items() if test.id().startswith(name)), None)
    if step == "ENABLE_CUDASIM":
        setattr(sys.modules[type(test).__module__], step, True)
    elif step:
        setattr(test, step, lambda *args, **kwargs: None)
    return step is not None
