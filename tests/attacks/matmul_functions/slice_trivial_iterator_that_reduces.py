"""NumPy's iterator walks over products in pieces and adds them up in the answer.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    pieces = np.nditer(
        [X[:, None, :], X[None, :, :], C[:, :, None]],
        flags=["reduce_ok", "external_loop"],
        op_flags=[["readonly"], ["readonly"], ["readwrite"]],
        itershape=(n, n, m),
    )
    for x, y, c in pieces:
        for k in range(1):
            c[...] += np.sum(x * y) if c.strides == (0,) else x * y
    return C
