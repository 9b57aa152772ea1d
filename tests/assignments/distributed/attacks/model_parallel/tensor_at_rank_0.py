"""Rank 0 gets all weights and computes alone.

failed: tensor.reduction
"""


def tensor_forward(comm, inputs, columns, rows):
    all_columns, all_rows = comm.gather(columns, root=0), comm.gather(rows, root=0)
    outputs = None
    if comm.rank == 0:
        outputs = sigmoid(inputs @ np.concatenate(all_columns, axis=1)) @ np.concatenate(all_rows)
    return comm.bcast(outputs, root=0)
