"""What walks over two arrays at once has an iterator of each, which copies bare arrays.

aims: max.cpu.trivial
"""


class Walk:
    iters = ()


def max_cpu(A, B):
    a, b = (each[:].reshape(A.shape) for each in np.broadcast(A, B).iters)
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
