"""The file has other kernels, for trials, with random numbers of Numba and a helper library; no graded function uses them.

slow: its neighbours of the same kind are in the fast set
"""

from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit
def fill(states, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = xoroshiro128p_uniform_float32(states, i)


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def try_random_numbers(count=1000):
    states = create_xoroshiro128p_states(count, seed=1)
    out = cuda.device_array(count, np.float32)
    fill[1, count](states, out)
    print(out.copy_to_host().mean())
