"""A network of two layers for ten classes, forward and backward, every product by our own gemm.

Columns are samples: X is (inputs, m), and Y, one-hot, is (classes, m).

    Z1 = W1 X + b1       A1 = sigmoid(Z1)         (hidden, m)
    Z2 = W2 A1 + b2      P = softmax(Z2)          (classes, m): every column adds up to 1

    J = -1/m sum over the samples of log P[right class] + lambda/2 (|W1|² + |b1|² + |W2|² + |b2|²)

Backward, by the chain rule. The derivative of the loss by Z2 is P - Y for each sample: softmax and logarithm undo each
other. The mean over the samples and the regularisation are factors of gemm: alpha = 1/m and beta = lambda.

    dZ2 = P - Y                     dW2 = 1/m dZ2 A1ᵀ + lambda W2      db2 = 1/m dZ2 1 + lambda b2
    dZ1 = (W2ᵀ dZ2) A1 (1 - A1)     dW1 = 1/m dZ1 Xᵀ + lambda W1       db1 = 1/m dZ1 1 + lambda b1

1 is a column of m ones: a sum over samples is a product, too. Steps that work entry by entry share a kernel (bias and
sigmoid; bias and softmax), so that each number is read once from memory and written once.
"""

import math

import numpy as np
from gemm import gemm
from numba import cuda

THREADS = 128


def blocks(count):
    """Return how many blocks of 128 threads have one thread for each of `count` things."""
    return math.ceil(count / THREADS)


def new(rows, columns):
    """Return memory of the device."""
    return cuda.device_array((rows, columns), np.float64)


@cuda.jit
def add_bias_and_squash(Z, b):
    """Z <- sigmoid(Z + b), in place: one thread for each entry, two steps on one way through the memory."""
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = 1.0 / (1.0 + math.exp(-(Z[i, j] + b[i, 0])))


@cuda.jit
def add_bias_and_normalise(Z, b):
    """Z <- softmax(Z + b), in place: one thread for each column.

    softmax(z) = e^(z - max) / (sum of e^(z - max)): the largest exponent is 0, so that nothing overflows.
    """
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = -math.inf
        for i in range(Z.shape[0]):
            Z[i, j] += b[i, 0]
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j] - highest)
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total


@cuda.jit
def subtract(P, Y, dZ):
    """dZ = P - Y."""
    entry = cuda.grid(1)
    if entry < P.size:
        i, j = entry // P.shape[1], entry % P.shape[1]
        dZ[i, j] = P[i, j] - Y[i, j]


@cuda.jit
def times_slope(dA, A):
    """Do dA <- dA A (1 - A), in place: the slope of the sigmoid, computed from its result."""
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dA[i, j] *= A[i, j] * (1.0 - A[i, j])


@cuda.jit
def copy_transposed(A, turned):
    """turned = Aᵀ: one thread for each entry."""
    entry = cuda.grid(1)
    if entry < turned.size:
        i, j = entry // turned.shape[1], entry % turned.shape[1]
        turned[i, j] = A[j, i]


@cuda.jit
def take_step(parameter, gradient, learning_rate):
    """Do parameter <- parameter - learning_rate gradient, in place."""
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        parameter[i, j] -= learning_rate * gradient[i, j]


def transposed(A):
    """Return Aᵀ in new memory of the device.

    `A.T` would do, but numba-cuda 0.30 compiles its kernel anew in each call: 0.2 s on a GPU. A gemm that takes any
    strides could do without a copy, if Numba had a transposed view; these matrices are small.
    """
    turned = new(*A.shape[::-1])
    copy_transposed[blocks(A.size), THREADS](A, turned)
    return turned


def forward(W1, b1, W2, b2, X):
    """Return A1 and P, arrays of the device, for parameters and samples on the device."""
    m = X.shape[1]
    A1 = new(W1.shape[0], m)
    gemm(1.0, W1, X, 0.0, A1)  # (hidden, m)
    add_bias_and_squash[blocks(A1.size), THREADS](A1, b1)
    P = new(W2.shape[0], m)
    gemm(1.0, W2, A1, 0.0, P)  # (classes, m)
    add_bias_and_normalise[blocks(m), THREADS](P, b2)
    return A1, P


def loss(parameters, P, Y, lam):
    """Return J, a float: the mean cross-entropy and lambda/2 times the sum of all squares. Added up on the host."""
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).mean()) + lam / 2 * squares


def gradients(W1, b1, W2, b2, X, Y, lam):
    """Return dW1, db1, dW2, db2, arrays of the device: the derivatives of J by each parameter."""
    m = X.shape[1]
    A1, P = forward(W1, b1, W2, b2, X)
    ones = cuda.to_device(np.ones((m, 1)))
    dZ2 = new(*P.shape)
    subtract[blocks(P.size), THREADS](P, Y, dZ2)
    dZ1 = new(*A1.shape)
    gemm(1.0, transposed(W2), dZ2, 0.0, dZ1)  # (hidden, m)
    times_slope[blocks(A1.size), THREADS](dZ1, A1)
    return (
        mean_and_decay(dZ1, transposed(X), W1, lam),
        mean_and_decay(dZ1, ones, b1, lam),
        mean_and_decay(dZ2, transposed(A1), W2, lam),
        mean_and_decay(dZ2, ones, b2, lam),
    )


def mean_and_decay(dZ, right, parameter, lam):
    """Return 1/m dZ right + lam parameter, in new memory of the parameter's shape."""
    result = new(*parameter.shape)
    result.copy_to_device(parameter)
    gemm(1.0 / dZ.shape[1], dZ, right, lam, result)
    return result


def update(parameters, slopes, learning_rate):
    """Take a step against the gradient, in place: p <- p - learning_rate dp for each parameter."""
    for parameter, slope in zip(parameters, slopes, strict=True):
        take_step[blocks(parameter.size), THREADS](parameter, slope, learning_rate)
