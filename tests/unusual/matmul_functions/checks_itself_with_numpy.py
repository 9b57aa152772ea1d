"""Each version compares its result with np.matmul in an assert and returns its own; the largest error is printed.

slow: its neighbours of the same kind are in the fast set
"""


def check(name, C, X):
    expected = np.matmul(X, X.T)
    error = np.abs(C - expected).max() if C.size else 0.0
    print(f"{name}: largest error {error:.3g}, norm {np.linalg.norm(C - X @ X.T):.3g}")
    assert np.allclose(C, expected), f"{name} is wrong"
    return C


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i, j] += X[i, k] * X[j, k]
    return check("trivial", C, X)


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[1, 1024](cuda.to_device(X), d_C)
    return check("CUDA", d_C.copy_to_host(), X)
