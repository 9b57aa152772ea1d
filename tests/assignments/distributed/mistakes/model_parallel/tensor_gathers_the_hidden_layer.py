"""The hidden layer travels, and all rows of W2 with it.

failed: tensor.reduction
"""


def tensor_forward(comm, inputs, columns, rows):
    hidden = np.concatenate(comm.allgather(sigmoid(inputs @ columns)), axis=1)
    return hidden @ np.concatenate(comm.allgather(rows))
