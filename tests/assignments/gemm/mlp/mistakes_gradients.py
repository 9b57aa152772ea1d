"""Mistakes in the derivatives.

failed: mlp.gradients
"""

# %% gradients_are_sums
"""The derivatives are sums over the samples."""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0, dZ, right, lam, result)
    return result

# %% gradients_in_the_parameters
"""Derivatives are left in the memory of the parameters."""
def mean_and_decay(dZ, right, parameter, lam):
    gemm(1.0 / dZ.shape[1], dZ, right, lam, parameter)
    return parameter

# %% gradients_uphill
"""Y - P instead of P - Y."""
@cuda.jit
def subtract(P, Y, dZ):
    entry = cuda.grid(1)
    if entry < P.size:
        i, j = entry // P.shape[1], entry % P.shape[1]
        dZ[i, j] = Y[i, j] - P[i, j]

# %% gradients_with_untransposed_factor
"""W2 is not transposed on the way back, which does not fit; the products are judged with squares."""
def gradients(W1, b1, W2, b2, X, Y, lam):
    m = X.shape[1]
    A1, P = forward(W1, b1, W2, b2, X)
    ones = cuda.to_device(np.ones((m, 1)))
    dZ2 = new(*P.shape)
    subtract[blocks(P.size), THREADS](P, Y, dZ2)
    dZ1 = new(*A1.shape)
    gemm(1.0, W2, dZ2, 0.0, dZ1)
    times_slope[blocks(A1.size), THREADS](dZ1, A1)
    return (
        mean_and_decay(dZ1, transposed(X), W1, lam),
        mean_and_decay(dZ1, ones, b1, lam),
        mean_and_decay(dZ2, transposed(A1), W2, lam),
        mean_and_decay(dZ2, ones, b2, lam),
    )

# %% gradients_without_decay
"""The derivatives forget lambda."""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0 / dZ.shape[1], dZ, right, 0.0, result)
    return result

# %% slope_of_tanh
"""The slope of the sigmoid is taken for that of tanh."""
@cuda.jit
def times_slope(dA, A):
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dA[i, j] *= (1.0 - A[i, j] * A[i, j])
