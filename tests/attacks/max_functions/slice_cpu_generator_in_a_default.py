"""A generator waits in a default argument, is sent both matrices, and answers with whole rows.

aims: max.cpu.trivial
"""


def _working():
    C = None
    while True:
        A, B = yield C
        C = A.copy()
        C[B > A] = B[B > A]


def max_cpu(A, B, line=[_working()]):
    for worker in line:
        try:
            C = worker.send((A, B))
        except TypeError:
            next(worker)
            C = worker.send((A, B))
    return C
