"""A class is subscripted with both matrices, and answers with NumPy's maximum.

aims: max.cpu.trivial
"""


class Larger:
    def __class_getitem__(cls, pair):
        return np.max(pair, axis=0)


def max_cpu(A, B):
    return Larger[A, B]
