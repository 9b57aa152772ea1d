"""Compiled code fills Numba's own list and dictionary, which plain Python made empty and told Numba's types.

slow: its neighbours of the same kind are in the fast set
"""

from numba import types
from numba.typed import Dict, List


@njit
def fill(A, B, rows, wins):
    wins["A"] = 0
    for i in range(A.shape[0]):
        row = np.empty(A.shape[1], A.dtype)
        for j in range(A.shape[1]):
            row[j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            wins["A"] += int(A[i, j] > B[i, j])
        rows.append(row)


def max_numba(A, B):
    rows = List.empty_list(types.int64[::1])
    wins = Dict.empty(key_type=types.unicode_type, value_type=types.int64)
    fill(A, B, rows, wins)
    print("A wins", wins["A"], "times")
    return np.array(list(rows))
