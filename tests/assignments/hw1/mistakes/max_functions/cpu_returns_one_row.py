"""The return stands inside the outer loop.

failed: max.cpu.correct
skipped: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    for i in range(A.shape[0]):
        row = [max(A[i, j], B[i, j]) for j in range(A.shape[1])]
        return row
