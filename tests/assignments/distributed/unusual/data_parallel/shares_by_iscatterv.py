"""Samples and labels travel by Iscatterv, and one Waitall."""


def share_samples(comm, inputs, labels):
    shape = comm.bcast(None if inputs is None else inputs.shape, root=0)
    counts = counts_of(shape[0], comm.size)
    mine, marks = np.empty((counts[comm.rank], shape[1])), np.empty(counts[comm.rank], dtype=np.int64)
    whole = whole_marks = None
    if comm.rank == 0:
        whole = [np.ascontiguousarray(inputs, dtype=float), [count * shape[1] for count in counts]]
        whole_marks = [np.ascontiguousarray(labels, dtype=np.int64), counts]
    MPI.Request.Waitall([comm.Iscatterv(whole, mine, root=0), comm.Iscatterv(whole_marks, marks, root=0)])
    return mine, marks
