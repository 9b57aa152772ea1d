"""Sizes as constants of the module, a helper for the innermost sum, a main block with a menu."""

ROWS, COLUMNS = 784, 128
DEFAULT = {"verbose": False}


def dot(x, y):
    total = 0
    for a, b in zip(x, y):
        total += a * b
    return total


def matmul_transpose_trivial(X):
    C = np.ndarray((len(X), len(X)))
    for i in range(len(X)):
        for j in range(len(X)):
            C[i, j] = dot(X[i], X[j])
    return C


if __name__ == "__main__" and input("start? ") == "y":
    main()
