"""Part 2: each rank trains with its share of the samples, and all ranks make the same step."""

import numpy as np  # noqa: F401 - you will need it
from mpi4py import MPI  # noqa: F401 - for names such as MPI.IN_PLACE; the communicator is handed to you


def share_samples(comm, inputs, labels):
    """Return this rank's inputs and labels; ranks other than 0 get None for both."""
    raise NotImplementedError(
        "data_parallel.py: fill in share_samples: give each rank its share; N need not divide by the number of ranks"
    )


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return (theta1, theta2, costs) on every rank; ranks other than 0 get None for the first four."""
    raise NotImplementedError(
        "data_parallel.py: fill in train: share the samples once; in each step, add up what the ranks found, and "
        "make the same step on all"
    )


def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    """Return (theta1, theta2, costs) on every rank after one pass; ranks other than 0 get None for the first four."""
    raise NotImplementedError(
        "data_parallel.py: fill in train_batches: divide each mini-batch among the ranks, and make one step with it"
    )


def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return (W1, b1, W2, b2, costs) on every rank; ranks other than 0 get None for the first six."""
    raise NotImplementedError(
        "data_parallel.py: fill in train_softmax: train the softmax network of part 4 with the samples divided"
    )
