"""Which of numba-cuda's tests ask for something that only a GPU or its compiler has, with the reason."""

from __future__ import annotations

import re
from typing import Any, Final

_REASONS: Final = (
    (r"\.test_libdevice\.", "libdevice is NVIDIA's mathematics library for GPUs"),
    (r"bfloat16|fp8|float8", "bfloat16 and FP8 are types of newer GPUs; Numba has no arithmetic of them for CPUs"),
    (r"cupy|Skipped: .*(cupy|CuPy)", "it needs CuPy, which needs a GPU"),
    (r"declare_device|DeclareDevice|CUSource|Linkage|linking|TestFFI|TestCFFI|\.test_ffi\.", "it links CUDA C++"),
    (r"ptx|PTX|\.test_compiler\b|test_mandel|TestFastMath", "it reads PTX, a GPU's assembly"),
    (r"sass|nvdisasm|lto|LTO|nvjitlink|CUDACodeLibrary", "it needs NVIDIA's linker and disassembler"),
    (r"\.test_debuginfo|\.test_lineinfo|TestDebugOutput|TestConstStringCodegen", "it reads code made for NVVM"),
    (r"get_const_mem|get_local_mem|get_regs_per_thread", "it asks for figures that only a GPU's assembler knows"),
    (r"_ipc|Ipc", "memory shared between processes by a GPU's driver"),
    (
        r"launch_config|LaunchConfig|compile_config|LaunchBounds|Carveout|pre_launch",
        "options that tune a GPU's launches",
    ),
    (r"caching|Caching|[Cc]ache(?!.*Hints)", "the executor compiles in memory and keeps no cache on disk"),
    (r"_stream|_sync\b|_sync_|Stream|test_ownership", "streams that other libraries made with a driver"),
)
"""Pairs of a pattern and one sentence; looked for in the test's name and its last line of error."""

LEFT_OUT: Final = {
    ("numba.cuda.tests.cudapy.test_atomics", "TestCudaAtomics", "assertCorrectFloat64Atomics"): "its look at PTX",
}
"""Steps of tests that look at PTX after everything else has passed; the tests run without them, and say so."""


def find_reason(test: str, error: str) -> str:
    """Return why a test that did not pass is not applicable; empty when it is a failure.

    Args:
        test: the test's dotted name.
        error: the last line of its error.
    """
    return next((reason for pattern, reason in _REASONS if re.search(pattern, f"{test} {error}")), "")


def leave_out(module: Any, note: Any) -> None:
    """Replace the steps of a test module that are left out by ``note(what)``."""
    for (name, owner, step), what in LEFT_OUT.items():
        if module.__name__ == name:
            setattr(getattr(module, owner), step, lambda *args, what=what, **kwargs: note(what))
