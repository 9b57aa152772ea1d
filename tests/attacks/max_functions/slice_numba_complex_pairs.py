"""Compiled code has no loop: pairs are complex numbers, and arithmetic with constants finds the larger part.

aims: max.numba.compiled
"""


@njit
def max_numba(A, B):
    pairs = np.stack((A.astype(np.float64), B.astype(np.float64)), 2)
    turned = pairs.view(np.complex128)[:, :, 0] * (1 - 1j)
    again = np.stack((turned.real, np.abs(turned.imag)), 2).view(np.complex128)[:, :, 0] * (1 - 1j)
    return (again.real / 2).astype(np.int64)
