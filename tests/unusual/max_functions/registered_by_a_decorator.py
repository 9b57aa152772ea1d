"""A decorator with an argument enters every version in a dictionary, which only the comparison reads.

slow: its neighbours of the same kind are in the fast set
"""

VERSIONS = {}


def version(name, calls=20):
    def enter(function):
        VERSIONS[name] = (function, calls)
        return function

    return enter


@version("CPU", calls=3)
def max_cpu(A, B):
    C = np.zeros_like(A)
    for row in range(A.shape[0]):
        for column in range(A.shape[1]):
            a, b = A[row, column], B[row, column]
            if a > b:
                C[row, column] = a
            else:
                C[row, column] = b
    return C


@version("Numba")
@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for row in range(A.shape[0]):
        for column in range(A.shape[1]):
            a, b = A[row, column], B[row, column]
            C[row, column] = a if a > b else b
    return C


@version("CUDA")
def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()


def max_comparisons():
    A = np.random.randint(0, 256, (1000, 1000))
    B = np.random.randint(0, 256, (1000, 1000))
    for name, (function, calls) in VERSIONS.items():
        print(name, timeit.timeit(lambda: function(A, B), number=calls) / calls)
    return 0
