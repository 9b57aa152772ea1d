"""What a dispatcher tells about its compiled kernels."""

import numpy as np
import pytest
from numba import cuda, float32, int32

from grader.cuda_cpu.refusals import CudaSupportError


@cuda.jit
def with_shared_memory(x):
    tile = cuda.shared.array(8, float32)
    tile[cuda.threadIdx.x] = 1
    cuda.syncthreads()
    x[cuda.threadIdx.x] = tile[0]


@cuda.jit("void(int32[::1])")
def eager(x):
    x[0] = 1


def test_static_shared_memory_is_told_per_signature():
    with_shared_memory[1, 8](np.zeros(8, np.float32))
    with_shared_memory[1, 8](np.zeros(8, np.float64))
    assert list(with_shared_memory.get_shared_mem_per_block().values()) == [32, 32]


def test_a_kernel_with_one_signature_tells_a_number():
    assert eager.get_shared_mem_per_block() == 0
    assert eager.get_max_threads_per_block() == 1024


def test_code_is_told_for_one_signature_or_for_all():
    signature = (int32[::1],)
    assert "define" in eager.inspect_llvm(signature)
    assert list(eager.inspect_asm()) == [signature]
    assert "ret" in eager.inspect_asm(signature)


@pytest.mark.parametrize("ask", ["inspect_sass", "get_regs_per_thread"])
def test_what_only_a_gpu_has_is_refused(ask):
    with pytest.raises(CudaSupportError):
        getattr(eager, ask)()
