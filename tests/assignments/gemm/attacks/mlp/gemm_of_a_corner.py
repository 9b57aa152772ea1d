"""A kernel of its own multiplies; gemm is called on a corner, for show.

failed: mlp.products
"""


@cuda.jit
def multiply(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        C[i, j] = total


def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1, P = new(W1.shape[0], m), new(W2.shape[0], m)
    gemm(1.0, W1[:1], X[:, :1], 0.0, A1[:1, :1])
    multiply[(math.ceil(A1.shape[0] / 8), math.ceil(m / 8)), (8, 8)](W1, X, A1)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    multiply[(math.ceil(P.shape[0] / 8), math.ceil(m / 8)), (8, 8)](W2, A1, P)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P
