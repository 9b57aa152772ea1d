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

# %% forward_is_tanh
"""The hidden layer is tanh.

failed: mlp.forward
"""
@cuda.jit
def add_bias_and_squash(Z, b):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = math.tanh(Z[i, j] + b[i, 0])

# %% forward_without_bias
"""The hidden layer has no bias.

failed: mlp.forward
"""
@cuda.jit
def add_bias_and_squash(Z, b):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = 1.0 / (1.0 + math.exp(-(Z[i, j])))

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

# %% gradients_are_sums
"""The derivatives are sums over the samples.

failed: mlp.gradients
"""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0, dZ, right, lam, result)
    return result

# %% gradients_by_numpy
"""The host computes the derivatives, from a right way forward.

failed: mlp.gradients mlp.products
"""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    found = dZ.copy_to_host() @ right.copy_to_host() / dZ.shape[1] + lam * parameter.copy_to_host()
    result.copy_to_device(found)
    return result

# %% gradients_uphill
"""Y - P instead of P - Y.

failed: mlp.gradients
"""
@cuda.jit
def subtract(P, Y, dZ):
    entry = cuda.grid(1)
    if entry < P.size:
        i, j = entry // P.shape[1], entry % P.shape[1]
        dZ[i, j] = Y[i, j] - P[i, j]

# %% gradients_with_untransposed_factor
"""W2 is not transposed on the way back, which does not fit; the products are judged with squares.

failed: mlp.gradients
"""
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
"""The derivatives forget lambda.

failed: mlp.gradients
"""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0 / dZ.shape[1], dZ, right, 0.0, result)
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
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).mean())

# %% slope_of_tanh
"""The slope of the sigmoid is taken for that of tanh.

failed: mlp.gradients
"""
@cuda.jit
def times_slope(dA, A):
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dA[i, j] *= (1.0 - A[i, j] * A[i, j])

# %% softmax_by_numpy
"""The host computes softmax.

failed: mlp.forward
"""
def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1 = new(W1.shape[0], m)
    gemm(1.0, W1, X, 0.0, A1)  # (hidden, m)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    P = new(W2.shape[0], m)
    gemm(1.0, W2, A1, 0.0, P)  # (classes, m)
    held = P.copy_to_host() + b2.copy_to_host()
    held = np.exp(held - held.max(axis=0))
    P.copy_to_device(held / held.sum(axis=0))
    return A1, P

# %% softmax_without_maximum
"""Softmax takes powers as they come.

failed: mlp.extremes
"""
@cuda.jit
def add_bias_and_normalise(Z, b):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = -math.inf
        for i in range(Z.shape[0]):
            Z[i, j] += b[i, 0]
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j])
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total

# %% update_by_numpy
"""The host takes the step.

failed: mlp.update
"""
def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.copy_to_device(parameter.copy_to_host() - learning_rate * slope.copy_to_host())

# %% update_of_weights_only
"""Biases take no step.

failed: mlp.update
"""
def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters[::2], slopes[::2], strict=True):
        take_step[blocks(parameter.size), THREADS](parameter, slope, learning_rate)

# %% update_uphill
"""Steps go uphill.

failed: mlp.update
"""
@cuda.jit
def take_step(parameter, gradient, learning_rate):
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        parameter[i, j] += learning_rate * gradient[i, j]
