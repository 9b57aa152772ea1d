"""Who gets which samples and weights.

failed: data.shares
"""

# %% labels_as_floats
"""Labels travel as floats, which `train` cannot use as indices.

says: no integers
"""
def share_samples(comm, inputs, labels):
    pieces = None if inputs is None else [*zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size))]
    mine, marks = comm.scatter(pieces, root=0)
    return mine, marks.astype(float)

# %% share_samples_with_own_option
"""`share_samples` has a further argument, which `train` names; its last rank turns the labels round."""
def share_samples(comm, inputs, labels, root=0):
    pieces = None
    if comm.rank == root:
        pieces = [*zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size))]
    mine, marks = comm.scatter(pieces, root=root)
    return mine, marks[::-1].copy() if comm.rank == comm.size - 1 else marks

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels, root=0)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% shares_begin_within_a_sample
"""The offsets of Scatterv count samples, and its counts count numbers."""
def share_samples(comm, inputs, labels):
    shape = comm.bcast(None if inputs is None else inputs.shape, root=0)
    counts = np.array(counts_of(shape[0], comm.size))
    mine = np.empty((counts[comm.rank], shape[1]))
    comm.Scatterv(None if inputs is None else [inputs, counts * shape[1], np.cumsum(counts) - counts, MPI.DOUBLE], mine)
    return mine, comm.scatter(None if labels is None else np.array_split(labels, comm.size), root=0)

# %% shares_by_scatter
"""`Scatter` deals out equal parts only: it reports that the numbers do not divide."""
def share_samples(comm, inputs, labels):
    shape = comm.bcast(None if inputs is None else inputs.shape, root=0)
    mine = np.empty((shape[0] // comm.size, shape[1]))
    comm.Scatter(np.ascontiguousarray(inputs) if comm.rank == 0 else None, mine, root=0)
    return mine, comm.scatter(np.array_split(labels, comm.size) if comm.rank == 0 else None, root=0)

# %% shares_fit_another_rest
"""Shares begin at multiples of the first one, and the last ends with the samples: right if N leaves 1 of 3, or 3 of 4."""
def share_samples(comm, inputs, labels):
    counts = counts_of(comm.bcast(labels is not None and len(labels)), comm.size)
    starts = [min(at * counts[0], sum(counts) - count) for at, count in enumerate(counts)]
    pieces = comm.rank == 0 and [(inputs[at:][:count], labels[at:][:count]) for at, count in zip(starts, counts)]
    return comm.scatter(pieces, root=0)

# %% shares_give_the_last_rank_the_rest
"""All that is left goes to the last rank."""
def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        places = [at * (len(inputs) // comm.size) for at in range(1, comm.size)]
        pieces = [*zip(np.split(inputs, places), np.split(labels, places))]
    return comm.scatter(pieces, root=0)

# %% shares_lose_the_rest
"""Samples that do not divide evenly are lost."""
def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        each = len(inputs) // comm.size
        pieces = [(inputs[at * each : (at + 1) * each], labels[at * each : (at + 1) * each]) for at in range(comm.size)]
    return comm.scatter(pieces, root=0)

# %% shares_overlap
"""Each share begins with the last sample of the one before."""
def share_samples(comm, inputs, labels):
    pieces = None
    if comm.rank == 0:
        ends = [sum(counts_of(len(inputs), comm.size)[: at + 1]) for at in range(comm.size)]
        starts = [0] + [end - 1 for end in ends[:-1]]
        pieces = [(inputs[one:end], labels[one:end]) for one, end in zip(starts, ends)]
    return comm.scatter(pieces, root=0)
