"""Memory of the device is kept between calls, by its use and shape.
"""


KEPT = {}


def kept(name, rows, columns):
    key = name, rows, columns
    if key not in KEPT:
        KEPT[key] = cuda.device_array((rows, columns), np.float64)
    return KEPT[key]


def ones_of(m):
    if ("ones", m) not in KEPT:
        KEPT["ones", m] = cuda.to_device(np.ones((m, 1)))
    return KEPT["ones", m]


def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1, P = kept("A1", W1.shape[0], m), kept("P", W2.shape[0], m)
    gemm(1.0, W1, X, 0.0, A1)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    gemm(1.0, W2, A1, 0.0, P)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P


def gradients(W1, b1, W2, b2, X, Y, lam):
    m = X.shape[1]
    A1, P = forward(W1, b1, W2, b2, X)
    dZ2, dZ1 = kept("dZ2", *P.shape), kept("dZ1", *A1.shape)
    subtract[blocks(P.size), THREADS](P, Y, dZ2)
    gemm(1.0, W2.T, dZ2, 0.0, dZ1)
    times_slope[blocks(A1.size), THREADS](dZ1, A1)
    pairs = (("dW1", dZ1, X.T, W1), ("db1", dZ1, ones_of(m), b1), ("dW2", dZ2, A1.T, W2), ("db2", dZ2, ones_of(m), b2))
    return tuple(mean_and_decay(kept(name, *old.shape), dZ, right, old, lam) for name, dZ, right, old in pairs)


def mean_and_decay(result, dZ, right, parameter, lam):
    result.copy_to_device(parameter)
    gemm(1.0 / dZ.shape[1], dZ, right, lam, result)
    return result
