"""What a dispatcher tells about its compiled kernels: code, registers, memory."""

from __future__ import annotations

from typing import Any

from grader.cuda_cpu.geometry import MAX_THREADS
from grader.cuda_cpu.numba_internals import sigutils
from grader.cuda_cpu.refusals import CudaSupportError


class Inspection:
    """The inspecting methods of a dispatcher; figures that only a GPU's assembler knows are refused."""

    overloads: Any
    specialized: bool

    def _per_signature(self, signature: Any, ask: Any) -> Any:
        if signature is not None:
            argtypes, _ = sigutils.normalize_signature(signature)
            return ask(self.overloads[argtypes])
        return {argtypes: ask(kernel) for argtypes, kernel in self.overloads.items()}

    def _property(self, signature: Any, ask: Any) -> Any:
        if signature is None and self.specialized:
            return ask(next(iter(self.overloads.values())))
        return self._per_signature(signature, ask)

    def inspect_llvm(self, signature: Any = None) -> Any:
        """Return the LLVM code for one signature, or a dict of all."""
        return self._per_signature(signature, _llvm_of)

    def inspect_asm(self, signature: Any = None) -> Any:
        """Return the code of this machine's processor (not PTX) for one signature, or a dict of all."""
        return self._per_signature(signature, _asm_of)

    def inspect_sass(self, signature: Any = None) -> Any:
        """Refuse: there is no code for a GPU.

        Raises:
            CudaSupportError: always.
        """
        raise CudaSupportError("SASS is a GPU's code: use inspect_asm() for this machine's, or numba-cuda with a GPU")

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        """Return the bytes of static shared memory of a block, for one signature or a dict of all."""
        return self._property(signature, lambda kernel: kernel.shared_mem_per_block)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        """Return how many threads a block may have, for one signature or a dict of all."""
        return self._property(signature, lambda kernel: MAX_THREADS)

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        """Refuse: registers are a GPU's.

        Raises:
            CudaSupportError: always.
        """
        raise CudaSupportError("registers per thread are known to a GPU's assembler only: ask numba-cuda on a GPU")


def _llvm_of(compiled: Any) -> str:
    return str(compiled.inspect_llvm() if hasattr(compiled, "inspect_llvm") else compiled.library.get_llvm_str())


def _asm_of(compiled: Any) -> str:
    return str(compiled.inspect_asm() if hasattr(compiled, "inspect_asm") else compiled.library.get_asm_str())
