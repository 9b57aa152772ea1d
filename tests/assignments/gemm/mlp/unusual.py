"""`mlp.py` written in unusual ways, and right."""

# %% bias_in_the_product
"""The bias is the C of the product."""
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

# %% buffers_are_kept
"""Memory of the device is kept between calls, by its use and shape."""
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

# %% decay_in_the_step
"""Lambda times the parameter is added by a kernel of its own."""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    gemm(1.0 / dZ.shape[1], dZ, right, 0.0, result)
    add_decay[blocks(result.size), THREADS](result, parameter, lam)
    return result

@cuda.jit
def add_decay(slope, parameter, lam):
    entry = cuda.grid(1)
    if entry < slope.size:
        i, j = entry // slope.shape[1], entry % slope.shape[1]
        slope[i, j] += lam * parameter[i, j]

# %% loss_by_atomics
"""The loss is added up on the device, by atomics."""
@cuda.jit
def add_logarithms(P, Y, total):
    j = cuda.grid(1)
    if j < P.shape[1]:
        for i in range(P.shape[0]):
            if Y[i, j] > 0:
                cuda.atomic.add(total, 0, -math.log(max(P[i, j], 1e-300)) / P.shape[1])

@cuda.jit
def add_squares(parameter, factor, total):
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        cuda.atomic.add(total, 0, factor * parameter[i, j] ** 2)

def loss(parameters, P, Y, lam):
    total = cuda.to_device(np.zeros(1))
    add_logarithms[blocks(P.shape[1]), THREADS](P, Y, total)
    for one in parameters:
        add_squares[blocks(one.size), THREADS](one, lam / 2, total)
    return total.copy_to_host()[0]

# %% loss_in_plain_python
"""The loss is added up by a loop."""
def loss(parameters, P, Y, lam):
    probabilities, labels = P.copy_to_host(), Y.copy_to_host()
    total = 0.0
    for j in range(probabilities.shape[1]):
        for i in range(probabilities.shape[0]):
            if labels[i, j] == 1:
                total -= math.log(probabilities[i, j])
    squares = 0.0
    for one in parameters:
        squares += float(np.sum(one.copy_to_host() ** 2))
    return total / probabilities.shape[1] + 0.5 * lam * squares

# %% parts_side_by_side
"""A bias is a column of its weights, the slopes of biases are parts of one vector, and a ufunc runs on the device."""
from numba import vectorize
@vectorize(["float64(float64, float64)"], target="cuda")
def subtract(p, y):
    return p - y

def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    A1, P = new(W1.shape[0], m), new(W2.shape[0], m)
    gemm(1.0, W1, X, 0.0, A1)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    both, inputs = new(W2.shape[0], W2.shape[1] + 1), new(A1.shape[0] + 1, m)
    both[:, :-1], both[:, -1:], inputs[:-1], inputs[-1] = W2, b2, A1, 1.0
    gemm(1.0, both, inputs, 0.0, P)
    add_bias_and_normalise[blocks(m), THREADS](P, cuda.to_device(np.zeros(b2.shape)))
    return A1, P

def gradients(W1, b1, W2, b2, X, Y, lam):
    A1, P = forward(W1, b1, W2, b2, X)
    dZ2, dZ1, cut = subtract(P, Y), new(*A1.shape), b1.size
    gemm(1.0, transposed(W2), dZ2, 0.0, dZ1)
    times_slope[blocks(A1.size), THREADS](dZ1, A1)
    slopes = cuda.device_array(cut + b2.size, np.float64)
    add_rows[blocks(slopes.size), THREADS](dZ1, b1, dZ2, b2, lam, slopes)
    dW1, dW2 = mean_and_decay(dZ1, transposed(X), W1, lam), mean_and_decay(dZ2, transposed(A1), W2, lam)
    return dW1, slopes[:cut].reshape(cut, 1), dW2, slopes[cut:].reshape(b2.size, 1)

@cuda.jit
def add_rows(dZ1, b1, dZ2, b2, lam, slopes):
    entry = cuda.grid(1)
    if entry < slopes.size:
        total, i = 0.0, entry - b1.size
        for j in range(dZ1.shape[1]):
            total += dZ1[entry, j] if i < 0 else dZ2[i, j]
        slopes[entry] = total / dZ1.shape[1] + lam * (b1[entry, 0] if i < 0 else b2[i, 0])

# %% samples_as_rows
"""Inside, samples are rows: all products are transposed."""
@cuda.jit
def turn_with_bias_and_squash(Z, b, A):
    i, j = cuda.grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        A[i, j] = 1.0 / (1.0 + math.exp(-(Z[j, i] + b[i, 0])))

@cuda.jit
def turn(Z, A):
    i, j = cuda.grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        A[i, j] = Z[j, i]

def grid_of(A):
    return (math.ceil(A.shape[0] / 8), math.ceil(A.shape[1] / 8)), (8, 8)

def forward(W1, b1, W2, b2, X):
    m = X.shape[1]
    Z1, A1 = new(m, W1.shape[0]), new(W1.shape[0], m)
    gemm(1.0, X.T, W1.T, 0.0, Z1)
    turn_with_bias_and_squash[grid_of(A1)](Z1, b1, A1)
    Z2, P = new(m, W2.shape[0]), new(W2.shape[0], m)
    gemm(1.0, A1.T, W2.T, 0.0, Z2)
    turn[grid_of(P)](Z2, P)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P

# %% steps_by_gemm
"""A step is a product, too: that of the slope and of a matrix with ones in its diagonal."""
def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters, slopes, strict=True):
        gemm(-learning_rate, slope, cuda.to_device(np.eye(slope.shape[1])), 1.0, parameter)

# %% sums_of_rows_by_kernel
"""Sums over the samples by a kernel, one thread for each row."""
def mean_and_decay(dZ, right, parameter, lam):
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    if right.shape[1] == 1:
        sum_rows[blocks(result.size), THREADS](dZ, result, lam)
    else:
        gemm(1.0 / dZ.shape[1], dZ, right, lam, result)
    return result

@cuda.jit
def sum_rows(dZ, b, lam):
    i = cuda.grid(1)
    if i < b.shape[0]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k]
        b[i, 0] = total / dZ.shape[1] + lam * b[i, 0]

# %% weights_and_bias_in_one
"""Weights and bias are one matrix, and the samples have a row of ones: one product for both derivatives."""
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
