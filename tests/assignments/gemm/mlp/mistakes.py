"""Mistakes in `mlp.py`, and what each costs.

failed: mlp.loss
"""

# %% another_product
"""Products by a kernel of their own.

failed: mlp.products
"""
def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1 = new(W1.shape[0], m)
    multiply(W1, X, A1)  # (hidden, m)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    P = new(W2.shape[0], m)
    multiply(W2, A1, P)  # (classes, m)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P

def multiply(A, B, C):
    other_product[(blocks(C.shape[1]), C.shape[0]), THREADS](A, B, C)

@cuda.jit
def other_product(A, B, C):
    i, j = cuda.blockIdx.y, cuda.grid(1)
    if j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        C[i, j] = total

# %% gemm_with_own_option
"""What `gemm.py` of this name needs here.

belongs: gemm
failed:
"""
def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1 = new(W1.shape[0], m)
    gemm(1.0, W1, X, 0.0, A1, step="tiled")  # (hidden, m)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    P = new(W2.shape[0], m)
    gemm(1.0, W2, A1, 0.0, P, step="tiled")  # (classes, m)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P

# %% gradients_by_numpy
"""The host computes the derivatives, from a right way forward.

failed: mlp.gradients mlp.products
"""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    found = dZ.copy_to_host() @ right.copy_to_host() / dZ.shape[1] + lam * parameter.copy_to_host()
    result.copy_to_device(found)
    return result

# %% loss_is_the_sum
"""The cross-entropy is a sum."""
def loss(parameters, P, Y, lam):
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).sum()) + lam / 2 * squares

# %% loss_over_classes
"""The mean is taken over the classes, too.

says: over the classes, too
"""
def loss(parameters, P, Y, lam):
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-(np.log(np.maximum(P.copy_to_host(), 1e-300)) * Y.copy_to_host()).mean()) + lam / 2 * squares

# %% loss_of_weights_only
"""Biases are left out of the regularisation."""
def loss(parameters, P, Y, lam):
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters[::2])
    return float(-np.log(np.maximum(right, 1e-300)).mean()) + lam / 2 * squares

# %% loss_with_whole_lambda
"""J has lambda, not lambda / 2."""
def loss(parameters, P, Y, lam):
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).mean()) + lam * squares

# %% loss_without_regularisation
"""J is the cross-entropy alone."""
def loss(parameters, P, Y, lam):
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    return float(-np.log(np.maximum(right, 1e-300)).mean())

# %% softmax_from_zero
"""The search for the largest score begins with 0, and all scores may be far below it.

failed: mlp.extremes
"""
@cuda.jit
def add_bias_and_normalise(Z, b):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] += b[i, 0]
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j] - highest)
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total

# %% softmax_without_maximum
"""Softmax takes powers as they come.

failed: mlp.extremes
"""
@cuda.jit
def add_bias_and_normalise(Z, b):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        for i in range(Z.shape[0]):
            Z[i, j] += b[i, 0]
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j])
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total
