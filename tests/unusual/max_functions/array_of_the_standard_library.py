"""The numbers are carried in arrays of the standard library, and in a memoryview.

opened: max.cpu.trivial
slow: its neighbours of the same kind are in the fast set
"""

from array import array
from collections import deque


def max_cpu(A, B):
    b_numbers = deque(B.ravel().tolist())
    C = array("q")
    for row in memoryview(np.ascontiguousarray(A)).tolist():
        for a in row:
            b = b_numbers.popleft()
            C.append(a if a > b else b)
    return np.frombuffer(C, dtype=np.int64).reshape(A.shape)
