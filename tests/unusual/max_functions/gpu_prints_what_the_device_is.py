"""Versions, limits and memory of the device are printed at import and in each call, and what is freed is freed at once.

slow: its neighbours of the same kind are in the fast set
"""

import gc

print("CUDA runtime", cuda.runtime.get_version())
print("threads per multiprocessor", cuda.get_current_device().MAX_THREADS_PER_MULTI_PROCESSOR)


def describe_device():
    context = cuda.current_context()
    device, memory = context.device, context.get_memory_info()
    print(device.name.decode(), device.compute_capability, device.CLOCK_RATE / 1e6, "GHz", device.L2_CACHE_SIZE)
    print(device.MAX_REGISTERS_PER_BLOCK, device.TOTAL_CONSTANT_MEMORY, "%.1f GB free" % (memory.free / 2**30))


def max_gpu(A, B):
    cuda.select_device(0)
    describe_device()
    with cuda.defer_cleanup():
        d_A, d_B, d_C = cuda.to_device(A), cuda.to_device(B), cuda.device_array_like(A)
        max_kernel[1000, 1000](d_A, d_B, d_C)
        C = d_C.copy_to_host()
    del d_A, d_B, d_C
    gc.collect()
    cuda.current_context().deallocations.clear()
    return C
