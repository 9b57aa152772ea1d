"""What a GPU's assembler says about a kernel: registers, shared memory, spills, and how many threads fit at once.

Optional: needs numba-cuda with its CUDA wheels (the extra ``ptx``), no GPU and no driver. Numba's CUDA target compiles
the kernel to PTX, nvJitLink assembles it for a GPU, and its log is read. This happens in a process of its own
(`assembler`), because in this one ``numba.cuda`` may be the executor. That process imports the student's file: start
it where student code may run.
"""

from __future__ import annotations

from grader.cuda_cpu.ptx.inspection import KernelRequest, KernelResources, is_installed, measure_kernels

__all__ = ["KernelRequest", "KernelResources", "is_installed", "measure_kernels"]
