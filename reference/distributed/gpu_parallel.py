"""Part 5: data parallel training whose products are made by a CUDA kernel, on each rank's GPU.

Only the products move to the GPU; what travels between the ranks is what travels in part 2.
"""

import numpy as np
from mpi4py import MPI
from numba import cuda

BLOCK = 16


@cuda.jit
def multiply_kernel(A, B, C):
    """Write A·B into C: thread (row, column) makes one entry."""
    row, column = cuda.grid(2)
    if row < C.shape[0] and column < C.shape[1]:
        total = 0.0
        for k in range(A.shape[1]):
            total += A[row, k] * B[k, column]
        C[row, column] = total


def multiply_on_gpu(A, B):
    """Return A·B, made by `multiply_kernel` in blocks of 16 × 16 threads."""
    A_device = cuda.to_device(np.ascontiguousarray(A, dtype=np.float64))
    B_device = cuda.to_device(np.ascontiguousarray(B, dtype=np.float64))
    C_device = cuda.device_array((A.shape[0], B.shape[1]))
    blocks = -(-A.shape[0] // BLOCK), -(-B.shape[1] // BLOCK)
    multiply_kernel[blocks, (BLOCK, BLOCK)](A_device, B_device, C_device)
    return C_device.copy_to_host()


def with_bias(values):
    """Return the rows with a 1 in front."""
    return np.insert(values, 0, 1.0, axis=1)


def sigmoid(z):
    """Return 1 / (1 + e^-z), entry by entry."""
    return 1.0 / (1.0 + np.exp(-z))


def deal(comm, inputs, labels):
    """Return this rank's samples and their labels; only rank 0 has them all."""
    pieces = None
    if comm.rank == 0:
        pieces = [*zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size), strict=True)]
    return comm.scatter(pieces, root=0)


def forward(theta1, theta2, inputs):
    """Return the outputs of the hidden and of the output layer: two products."""
    hidden = sigmoid(multiply_on_gpu(with_bias(inputs), theta1.T))
    return hidden, sigmoid(multiply_on_gpu(with_bias(hidden), theta2.T))


def backward(theta2, inputs, hidden, delta2):
    """Return the derivatives of both layers, summed over the samples: three products."""
    delta1 = multiply_on_gpu(delta2, theta2[:, 1:]) * hidden * (1.0 - hidden)
    return multiply_on_gpu(delta1.T, with_bias(inputs)), multiply_on_gpu(delta2.T, with_bias(hidden))


def add_up(comm, slope):
    """Return the sum of all ranks' derivatives."""
    comm.Allreduce(MPI.IN_PLACE, slope)
    return slope


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return theta1, theta2 and the costs on every rank, as `data_parallel.train` does.

    Each rank takes a GPU of its own if there are as many; else ranks share them.
    """
    cuda.select_device(comm.rank % len(cuda.gpus))
    mine, marks = deal(comm, inputs, labels)
    theta1, theta2 = comm.bcast((theta1, theta2), root=0)
    samples, wanted, costs = comm.allreduce(len(mine)), np.eye(len(theta2))[marks], []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        error = -np.sum(wanted * np.log(outputs) + (1.0 - wanted) * np.log(1.0 - outputs))
        squares = np.sum(theta1[:, 1:] ** 2) + np.sum(theta2[:, 1:] ** 2)
        costs.append((comm.allreduce(float(error)) + regular / 2.0 * squares) / samples)
        slopes = [add_up(comm, slope) for slope in backward(theta2, mine, hidden, outputs - wanted)]
        for slope, theta in zip(slopes, (theta1, theta2), strict=True):
            slope[:, 1:] += regular * theta[:, 1:]
        theta1, theta2 = theta1 - learning_rate / samples * slopes[0], theta2 - learning_rate / samples * slopes[1]
    return theta1, theta2, costs
