"""Right ways to write `max_cpu`, as students do: rules that read must leave every one of them alone.

Each is the text of a file: `name of the function: text`. The names of the texts say what is special.
"""

MAX = {
    "plain loops over zeros": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        for j in range(1000):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "zeros_like and if": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if A[i][j] > B[i][j]:
                C[i][j] = A[i][j]
            else:
                C[i][j] = B[i][j]
    return C
""",
    "empty, dtype and unpacked shape": """
import numpy as np
def max_cpu(A, B):
    rows, cols = A.shape
    C = np.empty((rows, cols), dtype=A.dtype)
    for i in range(rows):
        for j in range(cols):
            C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]
    return C
""",
    "copy of A": """
def max_cpu(A, B):
    C = A.copy()
    for i in range(len(A)):
        for j in range(len(A[0])):
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C
""",
    "nested comprehension over zip": """
import numpy as np
def max_cpu(A, B):
    return np.array([[max(a, b) for a, b in zip(row_a, row_b)] for row_a, row_b in zip(A, B)])
""",
    "lists and append": """
def max_cpu(A, B):
    C = []
    for row_a, row_b in zip(A, B):
        row = []
        for a, b in zip(row_a, row_b):
            row.append(a if a > b else b)
        C.append(row)
    return C
""",
    "list of lists": """
def max_cpu(A, B):
    n, m = len(A), len(A[0])
    C = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            C[i][j] = A[i][j] if A[i][j] > B[i][j] else B[i][j]
    return C
""",
    "list concatenation": """
def max_cpu(A, B):
    C = []
    for i in range(1000):
        row = []
        for j in range(1000):
            row += [max(A[i, j], B[i, j])]
        C = C + [row]
    return C
""",
    "map with a lambda": """
def max_cpu(A, B):
    return [list(map(lambda a, b: a if a > b else b, x, y)) for x, y in zip(A, B)]
""",
    "map with the built-in max": """
import numpy as np
def max_cpu(A, B):
    return np.asarray([list(map(max, x, y)) for x, y in zip(A.tolist(), B.tolist())])
""",
    "helper function": """
import numpy as np
def larger(a, b):
    if a > b:
        return a
    return b
def max_cpu(A, B):
    C = np.empty(A.shape, dtype=np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = larger(A[i, j], B[i, j])
    return C
""",
    "while loops": """
import numpy as np
def max_cpu(A, B):
    C = np.ones_like(A)
    i = 0
    while i < 1000:
        j = 0
        while j < 1000:
            C[i, j] = max(A[i, j], B[i, j])
            j += 1
        i += 1
    return C
""",
    "enumerate": """
import numpy as np
def max_cpu(A, B):
    C = np.full(A.shape, 0)
    for i, row in enumerate(A):
        for j, a in enumerate(row):
            b = B[i, j]
            C[i, j] = a if a > b else b
    return C
""",
    "flat loop": """
import numpy as np
def max_cpu(A, B):
    a, b = A.ravel(), B.flatten()
    c = np.empty(a.size, dtype=int)
    for k in range(a.size):
        c[k] = a[k] if a[k] > b[k] else b[k]
    return c.reshape(A.shape)
""",
    "ndindex": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=np.uint8)
    for i, j in np.ndindex(A.shape):
        C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "rows taken out first": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros((1000, 1000))
    for i in range(1000):
        a, b, c = A[i], B[i, :], C[i]
        for j in range(1000):
            c[j] = max(a[j], b[j])
    return C
""",
    "arithmetic maximum of two numbers": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = int(A[i, j]), int(B[i, j])
            C[i, j] = (a + b + abs(a - b)) // 2
    return C
""",
    "checks of its arguments": """
import numpy as np
def max_cpu(A, B):
    if A is None or B is None:
        raise ValueError("no matrices")
    assert A.shape == B.shape and isinstance(A, np.ndarray)
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "NumPy used elsewhere in the file": """
import numpy as np
import timeit, time
def max_cpu(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
def verify(A, B):
    time.sleep(1)
    assert np.array_equal(max_cpu(A, B), np.maximum(A, B))
if __name__ == "__main__":
    A = np.random.randint(0, 256, (1000, 1000))
    verify(A, A)
""",
    "import of single names": """
from numpy import zeros, int32
def max_cpu(A, B):
    C = zeros(A.shape, dtype=int32)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "import of everything": """
from numpy import *
def max_cpu(A, B):
    C = zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
""",
    "own function that is called maximum": """
import numpy as np
def maximum(a, b):
    return a if a > b else b
def max_cpu(A, B):
    return np.array([[maximum(A[i, j], B[i, j]) for j in range(1000)] for i in range(1000)])
""",
    "prints and times": """
import time
import numpy as np
def max_cpu(A, B):
    start = time.perf_counter()
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    print("took", time.perf_counter() - start)
    return C
""",
    "nested function and closure": """
import numpy as np
def max_cpu(A, B):
    def at(i, j):
        return A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return np.array([[at(i, j) for j in range(A.shape[1])] for i in range(A.shape[0])])
""",
    "generator": """
import numpy as np
def rows(A, B):
    for a, b in zip(A, B):
        yield [max(x, y) for x, y in zip(a, b)]
def max_cpu(A, B):
    return np.array(list(rows(A, B)))
""",
    "shape kept in a name, and constants of the module": """
import numpy as np
N = 1000
def max_cpu(A, B):
    shape = A.shape
    C = np.zeros(shape)
    for i in range(N):
        for j in range(N):
            C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C
""",
    "loop with an unused counter": """
def max_cpu(A, B):
    C = []
    for i in range(1000):
        row = []
        for _ in range(1000):
            row.append(0)
        C.append(row)
    for i in range(1000):
        for j in range(1000):
            C[i][j] = max(A[i][j], B[i][j])
    return C
""",
    "with a default argument and a docstring": '''
import numpy as np
def max_cpu(A, B, out=None):
    """Returns the maximum, without np.maximum."""
    C = np.zeros(A.shape) if out is None else out
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C
''',
}

MAX |= {
    "arrays of a constant": """
import numpy as np
def max_cpu(A, B):
    C = -np.ones(A.shape) * 1
    C = C - 1
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] * (A[i, j] > B[i, j]) + B[i, j] * (A[i, j] <= B[i, j])
    return C.astype(int)
""",
    "room made of nothing of A": """
def max_cpu(A, B):
    C = 0 * A
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
""",
    "room made of nothing of A, by a difference": """
def max_cpu(A, B):
    C = A - A
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
""",
    "nditer with its index": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    it = np.nditer(A, flags=["multi_index"])
    for i in range(A.shape[0]):
        while not it.finished:
            index = it.multi_index
            C[index] = A[index] if A[index] > B[index] else B[index]
            it.iternext()
    return C
""",
    "ndenumerate": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    for (i, j), a in np.ndenumerate(A):
        C[i, j] = a if a > B[i, j] else B[i, j]
    return C
""",
    "nested unpacking": """
import numpy as np
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i, (row_a, row_b) in enumerate(zip(A, B)):
        for j, (a, b) in enumerate(zip(row_a, row_b)):
            C[i][j] = a + (b - a) * (b > a)
    return C
""",
    "the largest so far": """
import numpy as np
def max_cpu(A, B):
    C = np.zeros(A.shape, dtype=int)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            best = -1
            for value in (A[i, j], B[i, j]):
                if value > best:
                    best = value
            C[i, j] = best
    return C
""",
    "row lists stored into an array": """
import numpy as np
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        C[i] = [max(a, b) for a, b in zip(A[i], B[i])]
    return C
""",
}
