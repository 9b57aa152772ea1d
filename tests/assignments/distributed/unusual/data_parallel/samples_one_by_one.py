"""Each sample travels by itself, with the samples dealt out in turn, and the labels in dictionaries."""


def share_samples(comm, inputs, labels):
    parts = [{"labels": labels[rank :: comm.size]} for rank in range(comm.size)] if comm.rank == 0 else None
    marks = comm.scatter(parts, root=0)["labels"]
    count, width = comm.bcast(None if inputs is None else inputs.shape, root=0)
    if comm.rank == 0:
        for place in range(count):
            if place % comm.size:
                comm.Send(inputs[place], dest=place % comm.size)
        return np.array(inputs[:: comm.size]), marks
    mine = np.empty((len(marks), width))
    for row in mine:
        comm.Recv(row, source=0)
    return mine, marks
