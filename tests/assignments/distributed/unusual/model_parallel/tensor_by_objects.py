"""The summands are added up as objects."""


def tensor_forward(comm, inputs, columns, rows):
    return comm.allreduce(sigmoid(inputs @ columns) @ rows)
