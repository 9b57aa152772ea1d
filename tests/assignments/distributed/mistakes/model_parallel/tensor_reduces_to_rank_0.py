"""Only rank 0 has the output.

failed: tensor.forward
skipped: tensor.reduction
"""


def tensor_forward(comm, inputs, columns, rows):
    outputs = sigmoid(inputs @ columns) @ rows
    total = outputs.copy()
    comm.Reduce(outputs, total, root=0)
    return total
