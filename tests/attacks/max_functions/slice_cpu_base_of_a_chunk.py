"""A class has a field `base`, so that the base of what np.nditer hands out may be read: ordinary arrays behind it.

aims: max.cpu.trivial
"""


class _Settings:
    def __init__(self):
        self.base = None


def max_cpu(A, B):
    _Settings()
    a, b = (next(iter(np.nditer(one))).base.operands[0] for one in (A, B))
    larger = a > b
    return a * larger + b * (1 - larger)
