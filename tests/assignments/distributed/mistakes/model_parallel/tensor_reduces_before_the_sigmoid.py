"""The hidden layer's inputs are added up, which have other columns.

failed: tensor.forward
skipped: tensor.reduction
"""


def tensor_forward(comm, inputs, columns, rows):
    total = sum(comm.allgather(np.sum(inputs @ columns, axis=1)))
    return np.outer(sigmoid(total), rows.sum(axis=0))
