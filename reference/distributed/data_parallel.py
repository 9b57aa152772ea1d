"""Part 2: each rank trains with its share of the samples, and all ranks make the same step.

The data set travels once, before the first step. In each step two small things travel: the sums of the derivatives, and
the sum of the errors. Sums, because shares differ in size: a mean of means would give each sample of a small share more
weight than one of a large share.
"""

import numpy as np
from mpi4py import MPI
from network import backward, error, forward, one_hot, penalty, shrink, sigmoid, softmax


def counts_of(samples, size):
    """Return how many samples each rank gets: as equal as possible, with one more for the first ranks."""
    return [samples // size + (rank < samples % size) for rank in range(size)]


def share_samples(comm, inputs, labels):
    """Return this rank's share of the samples and their labels; only rank 0 has them all, the others pass None.

    The samples need not divide evenly: `Scatterv` takes the counts of each rank.
    """
    shape = comm.bcast(None if inputs is None else inputs.shape, root=0)
    counts = counts_of(shape[0], comm.size)
    mine = np.empty((counts[comm.rank], shape[1]))
    marks = np.empty(counts[comm.rank], dtype=np.int64)
    whole = whole_marks = None
    if comm.rank == 0:
        whole = [np.ascontiguousarray(inputs, dtype=float), [count * shape[1] for count in counts]]
        whole_marks = [np.ascontiguousarray(labels, dtype=np.int64), counts]
    comm.Scatterv(whole, mine, root=0)
    comm.Scatterv(whole_marks, marks, root=0)
    return mine, marks


def same_weights(comm, theta1, theta2):
    """Return rank 0's weights on every rank."""
    shapes = comm.bcast(None if theta1 is None else (theta1.shape, theta2.shape), root=0)
    found = []
    for theta, shape in zip((theta1, theta2), shapes, strict=True):
        weights = np.empty(shape) if theta is None else np.array(theta, dtype=float)
        comm.Bcast(weights, root=0)
        found.append(weights)
    return found


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return the weights and the cost before each step, alike on all ranks.

    Inputs, labels and weights are rank 0's; the others pass None.
    """
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs


def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    """Return the weights and the cost of each mini-batch before its step, alike on all ranks, after one pass.

    Each mini-batch is divided among the ranks, so that each sample travels once; the weights travel with each batch.
    """
    samples, costs = comm.bcast(None if inputs is None else len(inputs), root=0), []
    for first in range(0, samples, batch_size):
        batch = slice(first, first + batch_size)
        given = (None, None) if inputs is None else (inputs[batch], labels[batch])
        theta1, theta2, cost = train(comm, *given, theta1, theta2, learning_rate, 1)
        costs += cost
    return theta1, theta2, costs


def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return the softmax network's weights and the cost before each step, alike on all ranks.

    The four derivatives travel as one array: one reduction instead of four, and so one latency. The L2 term is not a
    sum over samples: it is added once, afterwards.
    """
    mine, marks = share_samples(comm, inputs, labels)
    weights = [np.array(part, dtype=float) for part in comm.bcast((W1, b1, W2, b2), root=0)]
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(weights[3])), []
    ends = np.cumsum([part.size for part in weights])
    for _ in range(iterations):
        W1, b1, W2, b2 = weights
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = sum(np.sum(part**2) for part in weights)
        total = comm.allreduce(float(-np.sum(wanted * np.log(shares))))
        costs.append(total / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = (mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0))
        summed = np.concatenate([slope.ravel() for slope in slopes])
        comm.Allreduce(MPI.IN_PLACE, summed)
        parts = [part.reshape(old.shape) for part, old in zip(np.split(summed, ends[:-1]), weights, strict=True)]
        weights = [
            old - learning_rate * (part / samples + regular * old) for old, part in zip(weights, parts, strict=True)
        ]
    return (*weights, costs)
