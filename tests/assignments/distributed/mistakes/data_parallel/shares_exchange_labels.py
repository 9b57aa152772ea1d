"""The labels are dealt out in reverse order.

failed: data.shares
"""


def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        pieces = list(zip(np.array_split(inputs, comm.size), np.array_split(labels[::-1], comm.size)))
    return comm.scatter(pieces, root=0)
