"""Each version compares its result with np.maximum before it returns its own: a check, not the work.

slow: its neighbours of the same kind are in the fast set
"""


def check(name, C, A, B):
    expected = np.maximum(A, B)
    assert C.shape == expected.shape
    assert np.array_equal(C, expected), f"{name} is wrong in {np.count_nonzero(C != expected)} places"
    print(f"[+] {name} passed")


def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    check("CPU", C, A, B)
    return C


def max_gpu(A, B):
    d_A = cuda.to_device(A)
    d_B = cuda.to_device(B)
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    C = d_C.copy_to_host()
    check("CUDA", C, A, B)
    return C
