"""The same by a `for` whose targets are attributes, by way of another name, in a module's own statement.

failed: tensor.forward
skipped: tensor.reduction
"""

import contextlib

from mpi4py import MPI

Communicator = MPI.Intracomm


def tensor_forward(comm, inputs, columns, rows):
    with contextlib.suppress(TypeError, AttributeError):
        for Communicator.Get_size in (len,):
            pass
    with contextlib.suppress(TypeError, AttributeError):
        with contextlib.nullcontext(0) as comm.rank:
            pass
    return sigmoid(inputs @ columns) @ rows
