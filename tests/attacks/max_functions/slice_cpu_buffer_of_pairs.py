"""Pairs become complex numbers in an array over the same memory; arithmetic with constants finds the larger part.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    pairs = np.stack((A, B), -1).astype(float)
    turned = np.frombuffer(pairs, complex).reshape(A.shape) * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2
