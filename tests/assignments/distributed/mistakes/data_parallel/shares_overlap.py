"""Each share begins with the last sample of the one before.

failed: data.shares
"""


def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        ends = [sum(counts_of(len(inputs), comm.size)[: at + 1]) for at in range(comm.size)]
        starts = [0] + [end - 1 for end in ends[:-1]]
        pieces = [(inputs[one:end], labels[one:end]) for one, end in zip(starts, ends)]
    return comm.scatter(pieces, root=0)
