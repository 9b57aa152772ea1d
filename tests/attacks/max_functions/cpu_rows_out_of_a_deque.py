"""Rows come out of a deque, where a reader loses sight of them, and are worked on whole; idle loops fill up the steps.

aims: max.cpu.trivial
"""

from collections import deque


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    n = 0
    for i, (a, b) in enumerate(zip(deque(A), deque(B))):
        C[i] = (a + b + abs(a - b)) // 2
        for j in range(len(C)):
            n += j
    return C
