"""Mistakes in what a layer's ranks add up.

failed: tensor.forward tensor.reduction
"""

# %% tensor_reduces_before_the_sigmoid
"""The hidden layer's inputs are added up, which have other columns.

failed: tensor.forward
"""
def tensor_forward(comm, inputs, columns, rows):
    total = sum(comm.allgather(np.sum(inputs @ columns, axis=1)))
    return np.outer(sigmoid(total), rows.sum(axis=0))

# %% tensor_reduces_to_rank_0
"""Only rank 0 has the output."""
def tensor_forward(comm, inputs, columns, rows):
    outputs = sigmoid(inputs @ columns) @ rows
    total = outputs.copy()
    comm.Reduce(outputs, total, root=0)
    return total

# %% tensor_without_reduction
"""Each rank returns its own summand."""
def tensor_forward(comm, inputs, columns, rows):
    return sigmoid(inputs @ columns) @ rows
