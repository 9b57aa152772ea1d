"""The bias is the C of the product.
"""


def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    ones = cuda.to_device(np.ones((1, m)))
    A1, P = new(W1.shape[0], m), new(W2.shape[0], m)
    gemm(1.0, b1, ones, 0.0, A1)
    gemm(1.0, W1, X, 1.0, A1)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    gemm(1.0, b2, ones, 0.0, P)
    gemm(1.0, W2, A1, 1.0, P)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P


@cuda.jit
def add_bias_and_squash(Z, b):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = 1.0 / (1.0 + math.exp(-(Z[i, j])))


@cuda.jit
def add_bias_and_normalise(Z, b):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = -math.inf
        for i in range(Z.shape[0]):
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j] - highest)
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total
