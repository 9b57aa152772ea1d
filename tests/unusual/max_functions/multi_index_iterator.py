"""An iterator with flags tells the place of every number, which is read with item and written through flat.

slow: its neighbours of the same kind are in the fast set
"""


def max_cpu(A, B):
    C = A - A
    places = np.nditer(A, flags=["multi_index"])
    while not places.finished:
        i, j = places.multi_index
        a, b = A.item(i, j), B[places.multi_index].item()
        C.flat[i * A.shape[1] + j] = a if a > b else b
        places.iternext()
    return C
