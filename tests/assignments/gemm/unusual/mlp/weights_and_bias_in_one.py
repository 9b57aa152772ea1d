"""Weights and bias are one matrix, and the samples have a row of ones: one product for both derivatives.
"""


@cuda.jit
def with_ones(A, wide):
    i, j = cuda.grid(2)
    if i < wide.shape[0] and j < wide.shape[1]:
        wide[i, j] = A[i, j] if i < A.shape[0] else 1.0


@cuda.jit
def side_by_side(W, b, wide):
    i, j = cuda.grid(2)
    if i < wide.shape[0] and j < wide.shape[1]:
        wide[i, j] = W[i, j] if j < W.shape[1] else b[i, 0]


@cuda.jit
def apart(wide, W, b):
    i, j = cuda.grid(2)
    if i < W.shape[0] and j < W.shape[1]:
        W[i, j] = wide[i, j]
    if i < W.shape[0] and j == W.shape[1]:
        b[i, 0] = wide[i, j]


@cuda.jit
def squash(Z):
    i, j = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = 1.0 / (1.0 + math.exp(-Z[i, j]))


@cuda.jit
def normalise(Z):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = Z[0, j]
        for i in range(1, Z.shape[0]):
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j] - highest)
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total


def grid_of(A):
    return (math.ceil(A.shape[0] / 8), math.ceil(A.shape[1] / 8)), (8, 8)


def layer(W, b, A):
    joined, wide, Z = new(W.shape[0], W.shape[1] + 1), new(A.shape[0] + 1, A.shape[1]), new(W.shape[0], A.shape[1])
    side_by_side[grid_of(joined)](W, b, joined)
    with_ones[grid_of(wide)](A, wide)
    gemm(1.0, joined, wide, 0.0, Z)
    return joined, wide, Z


def forward(W1, b1, W2, b2, X):
    A1 = layer(W1, b1, X)[2]
    squash[grid_of(A1)](A1)
    P = layer(W2, b2, A1)[2]
    normalise[blocks(P.shape[1]), THREADS](P)
    return A1, P


def gradients(W1, b1, W2, b2, X, Y, lam):
    A1, P = forward(W1, b1, W2, b2, X)
    dZ2, dZ1 = new(*P.shape), new(*A1.shape)
    subtract[blocks(P.size), THREADS](P, Y, dZ2)
    gemm(1.0, W2.T, dZ2, 0.0, dZ1)
    times_slope[blocks(A1.size), THREADS](dZ1, A1)
    found = []
    for dZ, A, W, b in ((dZ1, X, W1, b1), (dZ2, A1, W2, b2)):
        joined, wide, _ = layer(W, b, A)
        gemm(1.0 / X.shape[1], dZ, wide.T, lam, joined)
        dW, db = new(*W.shape), new(*b.shape)
        apart[grid_of(joined)](joined, dW, db)
        found += [dW, db]
    return tuple(found)
