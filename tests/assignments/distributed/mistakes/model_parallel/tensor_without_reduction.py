"""Each rank returns its own summand.

failed: tensor.forward
skipped: tensor.reduction
"""


def tensor_forward(comm, inputs, columns, rows):
    return sigmoid(inputs @ columns) @ rows
