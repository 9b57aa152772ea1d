"""`Scatter` deals out equal parts only: it reports that the numbers do not divide.

failed: data.shares
"""


def share_samples(comm, inputs, labels):
    shape = comm.bcast(None if inputs is None else inputs.shape, root=0)
    mine = np.empty((shape[0] // comm.size, shape[1]))
    comm.Scatter(np.ascontiguousarray(inputs) if comm.rank == 0 else None, mine, root=0)
    return mine, comm.scatter(np.array_split(labels, comm.size) if comm.rank == 0 else None, root=0)
