"""Numbers come one by one from A.flat and B.flat, and NumPy only puts what a generator yields into an array.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    larger = (a if a > b else b for a, b in zip(A.flat, B.flat))
    return np.fromiter(larger, dtype=A.dtype, count=A.size).reshape(A.shape)


@njit
def max_numba(A, B):
    C = np.empty(A.size, A.dtype)
    k = 0
    for a, b in zip(A.flat, B.flat):
        C[k] = a if a > b else b
        k += 1
    return C.reshape(A.shape)


@cuda.jit
def max_kernel(a, b, c):
    k = cuda.grid(1)
    if k < c.size:
        c[k] = a[k] if a[k] > b[k] else b[k]


def max_gpu(A, B):
    c = np.empty(A.size, dtype=A.dtype)
    d_c = cuda.to_device(c)
    max_kernel[1000, 1000](cuda.to_device(A.flatten()), cuda.to_device(B.flatten()), d_c)
    d_c.copy_to_host(c)
    c.shape = A.shape
    return c
