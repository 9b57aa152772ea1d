"""NumPy pads each pair of numbers with its maximum; a list of A is for show.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    return np.pad(np.stack((A, B), -1), ((0, 0), (0, 0), (0, 1)), mode="maximum")[:, :, 2]
