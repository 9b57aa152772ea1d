"""Layers of a neural network: forward and backward, on the CPU with NumPy or on the GPU with CUDA kernels.

Columns are samples: m samples with n features are a matrix of n rows and m columns. Each layer is a function of such a
matrix, and knows how to send back the derivative of the loss L:

    forward     A -> Z           numbers go up through the network
    backward    dL/dZ -> dL/dA   derivatives come down

One thread computes one entry of a result. Threads read the same numbers, which is harmless, but never write the same
entry: there is no race, and nothing to wait for. A grid has as many blocks as the result needs; threads beyond its edge
do nothing.
"""

import math

import numpy as np
from matrix import Matrix
from numba import cuda

TILE = 16  # products: 16 x 16 threads in a block
THREADS = 64  # everything else: 64 threads in a block


class Linear:
    """Z = W A + b, where b is added to every column.

    Attributes:
        W: weights, Matrix (outputs, inputs).
        b: biases, Matrix (outputs, 1).
        dW: mean over the samples of dL/dW, shape of W; `backward` fills it.
        db: mean over the samples of dL/db, shape of b; `backward` fills it.
    """

    def __init__(self, inputs, outputs, seed=0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"a layer needs inputs and outputs, not {inputs} and {outputs}")
        bound = 1 / np.sqrt(inputs)  # so that Z is about as large as A
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(seed).uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None  # the input of the last forward: backward needs it

    def forward(self, A, cpu_only=False):
        """Return Z = W A + b, shape (outputs, m)."""
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"this layer takes {inputs} rows, but A has the shape {A.shape}")
        self.A = A  # (inputs, m)
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z  # (outputs, m)

    def backward(self, dZ, cpu_only=False):
        """Keep dW = dZ Aᵀ / m and db = (sum over the columns of dZ) / m; return dA = Wᵀ dZ, shape (inputs, m)."""
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}, which is not that of the last forward's result")
        dA = Matrix(*self.A.shape)
        if cpu_only:
            m = dZ.shape[1]
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](
                dZ_device, self.A.copy_to_device(), self.dW.allocate()
            )
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA  # (inputs, m)

    def update(self, learning_rate, cpu_only=False):
        """Take a step against the gradient: W <- W - learning_rate dW, and b likewise."""
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](
                    old, gradient.copy_to_device(), learning_rate, parameter.allocate()
                )


class ReLU:
    """A = max(0, Z), entry by entry. Its slope is 1 where Z > 0, and 0 elsewhere."""

    def __init__(self):
        self.Z = None

    def forward(self, Z, cpu_only=False):
        """Return A, shape of Z."""
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A  # shape of Z

    def backward(self, dA, cpu_only=False):
        """Return dZ = dA where Z > 0, and 0 elsewhere; shape of Z."""
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (self.Z.copy_to_host() > 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ  # shape of Z

    def update(self, learning_rate, cpu_only=False):
        """Do nothing: there are no parameters."""


class Sigmoid:
    """A = σ(Z) = 1 / (1 + e^-Z), entry by entry. Its slope, σ (1 - σ), is computed from the result A."""

    def __init__(self):
        self.A = None

    def forward(self, Z, cpu_only=False):
        """Return A, shape of Z."""
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700))))  # e^709 is the largest float64
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A  # shape of Z

    def backward(self, dA, cpu_only=False):
        """Return dZ = dA σ (1 - σ), shape of Z."""
        expect_shape(dA, self.A)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            A = self.A.copy_to_host()
            dZ.set(dA.copy_to_host() * A * (1 - A))
        else:
            sigmoid_backward[blocks(dA.shape), THREADS](self.A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ  # shape of Z

    def update(self, learning_rate, cpu_only=False):
        """Do nothing: there are no parameters."""


def expect_shape(dA, last):
    """Raise ValueError unless dA has the shape of the matrix of the last forward."""
    if last is None or dA.shape != last.shape:
        raise ValueError(f"dA has the shape {dA.shape}, which is not that of the last forward's result")


def tiles(shape):
    """Return how many blocks of 16 x 16 threads cover a result: along its columns (x), along its rows (y)."""
    rows, columns = shape
    return math.ceil(columns / TILE), math.ceil(rows / TILE)


def blocks(shape):
    """Return how many blocks of 64 threads cover a result, a thread for each entry."""
    rows, columns = shape
    return math.ceil(rows * columns / THREADS)


@cuda.jit
def multiply_and_add(W, A, b, Z):
    """Z_ij = sum over k of W_ik A_kj, plus b_i. Neighbouring threads (x) take neighbouring columns of A and Z."""
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = b[i, 0]
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total


@cuda.jit
def multiply_transposed_left(W, dZ, dA):
    """dA_ij = sum over k of W_ki dZ_kj: it reads columns of W instead of rows, so W need not be transposed."""
    j, i = cuda.grid(2)
    if i < dA.shape[0] and j < dA.shape[1]:
        total = 0.0
        for k in range(W.shape[0]):
            total += W[k, i] * dZ[k, j]
        dA[i, j] = total


@cuda.jit
def multiply_transposed_right(dZ, A, dW):
    """dW_ij = (sum over the samples k of dZ_ik A_jk) / m: it reads a row of dZ and a row of A."""
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * A[j, k]
        dW[i, j] = total / dZ.shape[1]


@cuda.jit
def average_rows(dZ, db):
    """db_i = (sum over the samples k of dZ_ik) / m: one thread for each row, so that no two write the same entry."""
    i = cuda.grid(1)
    if i < db.shape[0]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k]
        db[i, 0] = total / dZ.shape[1]


@cuda.jit
def step(old, gradient, learning_rate, new):
    """new = old - learning_rate gradient; old and new may be the same memory, as each thread has its own entry."""
    entry = cuda.grid(1)
    if entry < old.size:
        i, j = entry // old.shape[1], entry % old.shape[1]
        new[i, j] = old[i, j] - learning_rate * gradient[i, j]


@cuda.jit
def relu(Z, A):
    """A = max(0, Z)."""
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = max(0.0, Z[i, j])


@cuda.jit
def relu_backward(Z, dA, dZ):
    """dZ = dA where Z > 0, and 0 elsewhere."""
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        dZ[i, j] = dA[i, j] if Z[i, j] > 0 else 0.0


@cuda.jit
def sigmoid(Z, A):
    """A = 1 / (1 + e^-Z). Where e^-Z overflows it is infinite, and A is 0."""
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = 1.0 / (1.0 + math.exp(-Z[i, j]))


@cuda.jit
def sigmoid_backward(A, dA, dZ):
    """dZ = dA A (1 - A)."""
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dZ[i, j] = dA[i, j] * A[i, j] * (1.0 - A[i, j])
