"""Each rank's share travels as a dictionary."""


def share_samples(comm, inputs, labels):
    parts = None
    if comm.rank == 0:
        whole = zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size))
        parts = [{"inputs": mine, "labels": marks} for mine, marks in whole]
    part = comm.scatter(parts, root=0)
    return part["inputs"], part["labels"]
