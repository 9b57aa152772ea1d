"""Samples travel by an Alltoallv in which only rank 0 gives something."""


def share_samples(comm, inputs, labels):
    shape, marks = comm.bcast((None if inputs is None else inputs.shape, labels), root=0)
    counts = counts_of(shape[0], comm.size)
    mine = np.empty((counts[comm.rank], shape[1]))
    given = [count * shape[1] if comm.rank == 0 else 0 for count in counts]
    taken = [mine.size if rank == 0 else 0 for rank in range(comm.size)]
    own = np.array(inputs, dtype=float) if comm.rank == 0 else np.empty((0, shape[1]))
    comm.Alltoallv([own, given, MPI.DOUBLE], [mine, taken, MPI.DOUBLE])
    first = sum(counts[: comm.rank])
    return mine, np.array(marks[first : first + counts[comm.rank]])
