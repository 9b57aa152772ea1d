"""Mini-batches that are not the sheet's.

warned: data.batches
"""

# %% batches_all_at_once
"""All samples make one mini-batch."""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    return train(comm, inputs, labels, theta1, theta2, learning_rate, 1)

# %% batches_lose_the_rest
"""The last mini-batch, which is not full, is left out."""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    samples, costs = comm.bcast(None if inputs is None else len(inputs), root=0), []
    for first in range(0, samples - batch_size + 1, batch_size):
        batch = slice(first, first + batch_size)
        given = (None, None) if inputs is None else (inputs[batch], labels[batch])
        theta1, theta2, cost = train(comm, *given, theta1, theta2, learning_rate, 1)
        costs += cost
    return theta1, theta2, costs

# %% batches_of_each_share
"""Each rank cuts its share into mini-batches of the whole size: there are fewer steps."""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    size = batch_size * comm.size
    samples, costs = comm.bcast(None if inputs is None else len(inputs), root=0), []
    for first in range(0, samples, size):
        batch = slice(first, first + size)
        given = (None, None) if inputs is None else (inputs[batch], labels[batch])
        theta1, theta2, cost = train(comm, *given, theta1, theta2, learning_rate, 1)
        costs += cost
    return theta1, theta2, costs
