"""Part 4: the network itself is divided, not the samples."""

import numpy as np
from mpi4py import MPI
from network import one_hot, sigmoid, softmax


def tensor_forward(comm, inputs, columns, rows):
    """Return `sigmoid(inputs @ W1) @ W2` on every rank; each rank has some columns of W1 and the same rows of W2.

    Hidden neurons do not need each other's values: each rank computes one summand of the output from its own neurons.
    So only the output travels, in one reduction.
    """
    outputs = sigmoid(inputs @ columns) @ rows
    comm.Allreduce(MPI.IN_PLACE, outputs)
    return outputs


def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    """Return this rank's parts of the weights after the training, and the cost before each step.

    W1 has this rank's columns and b1 their biases, W2 its rows; b2 is the same everywhere, and counts once in the L2
    term. In the backward pass nothing travels: each rank needs the derivative by the output, which all have, and its
    own part of W2.
    """
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs + b2)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2))) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs


def pipeline_forward(comm, inputs, W, samples, micro_batches):
    """Return the output of the last layer on the last rank, and None on the others; rank 0 has all inputs.

    Rank r has layer r. It passes each micro-batch on as soon as it is done with it. Then the next layer works on it,
    and this layer on the next micro-batch: p layers and m micro-batches leave (p - 1) / (m + p - 1) of the time idle.
    """
    rank, last = comm.rank, comm.size - 1
    sizes = [len(part) for part in np.array_split(np.arange(samples), micro_batches)]
    waiting = np.array_split(inputs, micro_batches) if rank == 0 else []
    done, sent = [], []
    for place, size in enumerate(sizes):
        if rank == 0:
            batch = waiting[place]
        else:
            batch = np.empty((size, W.shape[0]))
            comm.Recv(batch, source=rank - 1, tag=place)
        result = sigmoid(batch @ W)
        if rank == last:
            done.append(result)
        else:
            sent.append((comm.Isend(result, dest=rank + 1, tag=place), result))
    for request, _ in sent:
        request.Wait()
    return np.concatenate(done) if rank == last else None
