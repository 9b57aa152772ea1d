"""Pairs become complex numbers by setting the type of an array; arithmetic with constants finds the larger part.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    pairs = np.stack((A, B), -1).astype(float)
    pairs.dtype = complex
    turned = pairs[:, :, 0] * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2
