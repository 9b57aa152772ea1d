"""The plain version works with lists."""


def matmul_transpose_trivial(X):
    n, m = X.shape
    C = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(m):
                C[i][j] += X[i][k] * X[j][k]
    return C
