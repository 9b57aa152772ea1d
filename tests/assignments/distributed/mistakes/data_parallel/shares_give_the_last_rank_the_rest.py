"""All that is left goes to the last rank.

failed: data.shares
"""


def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        each = len(inputs) // comm.size
        ends = [each * (at + 1) for at in range(comm.size - 1)] + [len(inputs)]
        pieces = [(inputs[one:end], labels[one:end]) for one, end in zip([0] + ends[:-1], ends)]
    return comm.scatter(pieces, root=0)
