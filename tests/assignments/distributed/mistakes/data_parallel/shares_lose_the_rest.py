"""Samples that do not divide evenly are lost.

failed: data.shares
"""


def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        each = len(inputs) // comm.size
        pieces = [(inputs[at * each : (at + 1) * each], labels[at * each : (at + 1) * each]) for at in range(comm.size)]
    return comm.scatter(pieces, root=0)
