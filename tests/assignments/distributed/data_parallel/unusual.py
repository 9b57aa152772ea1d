"""`data_parallel.py` written in unusual ways, and right."""

# %% a_communicator_of_its_own
"""The training works in a duplicate, and a group of all in another order."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    turned = comm.Dup().Split(0, comm.size - comm.rank)
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        turned.Allreduce(MPI.IN_PLACE, sum1)
        turned.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    turned.Free()
    return theta1, theta2, costs

# %% batches_after_one_scatter
"""All mini-batches are dealt out before the first step."""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    samples = comm.bcast(None if inputs is None else len(inputs), root=0)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    firsts = range(0, samples, batch_size)
    cut = [(None, None)] * len(firsts)
    if comm.rank == 0:
        cut = [(inputs[first : first + batch_size], labels[first : first + batch_size]) for first in firsts]
    costs = []
    for mine, marks in [share_samples(comm, *one) for one in cut]:
        count = comm.allreduce(len(mine))
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append(comm.allreduce(float(error(outputs, marks))) / count)
        sums = backward(theta2, mine, hidden, outputs, marks)
        for one in sums:
            comm.Allreduce(MPI.IN_PLACE, one)
        theta1, theta2 = theta1 - learning_rate * sums[0] / count, theta2 - learning_rate * sums[1] / count
    return theta1, theta2, costs

# %% batches_by_hand_of_rank_0
"""Rank 0 tells the number of mini-batches, and all ranks train with each as with a data set of its own."""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    count = comm.bcast(-(-len(inputs) // batch_size) if comm.rank == 0 else None, root=0)
    costs = []
    for place in range(count):
        one = (None, None)
        if comm.rank == 0:
            one = inputs[place * batch_size :][:batch_size], labels[place * batch_size :][:batch_size]
        theta1, theta2, (cost,) = train(comm, *one, theta1, theta2, learning_rate, iterations=1)
        costs.append(cost)
    return theta1, theta2, costs

# %% gathers_that_do_not_wait
"""Numbers of samples by Iallgather, derivatives by Igatherv and Iallgatherv, costs by Ialltoall and Ialltoallv."""
def train(comm: MPI.Intracomm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    lengths = np.empty(comm.size, dtype=np.int64)
    comm.Iallgather(np.array([len(mine)], dtype=np.int64), lengths).Wait()
    samples, costs = int(lengths.sum()), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        own, errors = np.full(comm.size, float(error(outputs, marks))), np.empty(comm.size)
        if step % 2:
            comm.Ialltoall(own, errors).Wait()
        else:
            ones = [1] * comm.size
            comm.Ialltoallv([own, ones, MPI.DOUBLE], [errors, ones, MPI.DOUBLE]).Wait()
        costs.append((float(errors.sum()) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sums = np.concatenate([sum1.ravel(), sum2.ravel()])
        counts = [sums.size] * comm.size
        every = np.empty((comm.size, sums.size))
        if step % 2:
            comm.Iallgatherv(sums, [every, counts, None, MPI.DOUBLE]).Wait()
            total = every.sum(axis=0)
        else:
            comm.Igatherv(sums, [every, counts, None, MPI.DOUBLE] if comm.Get_rank() == 0 else None, root=0).wait()
            total = every.sum(axis=0) if comm.Get_rank() == 0 else np.empty(sums.size)
            comm.Ibcast(total, root=0).Wait()
        sum1, sum2 = total[: sum1.size].reshape(sum1.shape), total[sum1.size :].reshape(sum2.shape)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% machine_and_clock_are_printed
"""Each rank prints the machine's name, MPI's version and the clock's resolution, and the file asks for its rank."""
RANK = MPI.COMM_WORLD.Get_rank()
print(f"rank {RANK} is here at {MPI.Wtime():.0f} s")

def same_weights(comm, theta1, theta2):
    began, (major, minor) = MPI.Wtime(), MPI.Get_version()
    print(f"rank {comm.Get_rank()} of {comm.Get_size()} in {comm.Get_name()} on {MPI.Get_processor_name()}")
    if not MPI.Is_initialized():
        comm.Abort(1)
    weights = comm.bcast((theta1, theta2), root=0)
    print(f"MPI {major}.{minor}: {MPI.Wtime() - began:.3f} s, in steps of {MPI.Wtick():.1e} s")
    return weights

# %% messages_to_rank_0_and_back
"""Rank 0 adds up by Irecv and Isend."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        for number, part in enumerate((sum1, sum2)):
            if comm.rank == 0:
                others = [np.empty_like(part) for _ in range(1, comm.size)]
                MPI.Request.Waitall([comm.Irecv(other, rank, number) for rank, other in enumerate(others, 1)])
                for other in others:
                    part += other
                MPI.Request.Waitall([comm.Isend(part, rank, number) for rank in range(1, comm.size)])
            else:
                comm.Isend(part, 0, number).Wait()
                comm.Irecv(part, source=0, tag=number).Wait()
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% one_buffer_for_all
"""Derivatives and error travel in one array."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sums = np.concatenate([sum1.ravel(), sum2.ravel(), [error(outputs, marks)]])
        comm.Allreduce(MPI.IN_PLACE, [sums, MPI.DOUBLE], op=MPI.SUM)
        costs.append((sums[-1] + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = sums[: sum1.size].reshape(sum1.shape), sums[sum1.size : -1].reshape(sum2.shape)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% pickled_calls
"""Everything travels by lower-case calls, added up by an operation of its own; errors of MPI are named."""
def add_pairs(one, other, _datatype=None):
    return [a + b for a, b in zip(one, other, strict=True)]

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    pieces = None
    if comm.Get_rank() == 0:
        pieces = list(zip(np.array_split(inputs, comm.Get_size()), np.array_split(labels, comm.Get_size())))
    mine, marks = comm.scatter(pieces, root=0)
    try:
        theta1, theta2 = comm.bcast((theta1, theta2), root=0)
    except MPI.Exception:
        print("rank", comm.rank, "got no weights")
        raise
    both = MPI.Op.Create(add_pairs, commute=True)
    samples, costs = comm.allreduce(len(mine), op=MPI.SUM), []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(error(outputs, marks)) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = comm.allreduce(list(backward(theta2, mine, hidden, outputs, marks)), op=both)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% reduce_and_broadcast
"""The derivatives are reduced at rank 0 and broadcast."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        for part in (sum1, sum2):
            total = np.zeros_like(part)
            comm.Reduce(part, total, op=MPI.SUM, root=0)
            comm.Bcast(total, root=0)
            part[:] = total
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% reduce_scatter_and_allgather
"""Each rank adds up a part, and all parts are gathered."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sums = np.concatenate([sum1.ravel(), sum2.ravel()])
        padded = np.zeros(-(-len(sums) // comm.size) * comm.size)
        padded[: len(sums)] = sums
        part = np.empty(len(padded) // comm.size)
        comm.Reduce_scatter(padded, part, [len(part)] * comm.size, MPI.SUM)
        comm.Allgather(part, padded)
        sum1, sum2 = padded[: sum1.size].reshape(sum1.shape), padded[sum1.size : len(sums)].reshape(sum2.shape)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% reductions_that_do_not_wait
"""Iallgather of the counts; Iallreduce of one layer, Allreduce_init of the other, and one Waitall."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    lengths = np.empty(comm.size, dtype=np.int64)
    comm.Iallgather(np.array([len(mine)], dtype=np.int64), lengths).Wait()
    samples = int(lengths.sum())
    costs, first, total1 = [], np.empty_like(theta1), np.empty_like(theta1)
    prepared = comm.Allreduce_init(first, total1)
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        first[:], total2 = sum1, np.empty_like(sum2)
        prepared.Start()
        MPI.Request.Waitall([prepared, comm.Iallreduce(sum2, total2)])
        sum1, sum2 = total1, total2
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% samples_one_by_one
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

# %% shares_by_alltoallv
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

# %% shares_by_iscatterv
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

# %% shares_down_a_chain
"""Each rank takes its share of what comes, and sends the rest to the next rank.

flagged: data.once, data.shares, data.work, data.softmax
"""
def share_samples(comm, inputs, labels):
    if comm.rank == 0:
        rest = list(zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size)))
    else:
        rest = comm.recv(source=comm.rank - 1)
    if comm.rank + 1 < comm.size:
        comm.send(rest[1:], dest=comm.rank + 1)
    return rest[0]

# %% shares_from_the_last_rank_on
"""The last ranks get one sample more; lengths travel first."""
def share_samples(comm, inputs, labels):
    lengths = None
    if comm.rank == 0:
        lengths = [(len(inputs) + rank) // comm.size for rank in range(comm.size)]
    lengths, features = comm.bcast((lengths, None if inputs is None else inputs.shape[1]), root=0)
    mine, marks = np.empty((lengths[comm.rank], features)), np.empty(lengths[comm.rank], dtype=int)
    starts = [sum(lengths[:rank]) for rank in range(comm.size)]
    rows = [length * features for length in lengths]
    begins = [start * features for start in starts]
    comm.Scatterv([inputs, (rows, begins), MPI.DOUBLE], [mine, MPI.DOUBLE], root=0)
    comm.Scatterv([labels, lengths, starts, MPI.INT64_T], marks, root=0)
    return mine, marks

# %% shares_in_dictionaries
"""Each rank's share travels as a dictionary of lists of Python's own numbers."""
def share_samples(comm, inputs, labels):
    parts = None
    if comm.rank == 0:
        whole = zip(np.array_split(inputs, comm.size), np.array_split(labels, comm.size))
        parts = [{"inputs": mine.tolist(), "labels": marks.tolist()} for mine, marks in whole]
    part = comm.scatter(parts, root=0)
    return np.array(part["inputs"]), np.array(part["labels"])

# %% shares_round_robin
"""Sample n goes to rank n mod P, by messages."""
def share_samples(comm, inputs, labels):
    if comm.rank == 0:
        for rank in range(1, comm.size):
            comm.send((inputs[rank :: comm.size], labels[rank :: comm.size]), dest=rank, tag=rank)
        return inputs[:: comm.size], labels[:: comm.size]
    status = MPI.Status()
    share = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
    if status.Get_tag() != comm.rank or status.source != 0:
        raise RuntimeError("another rank's share")
    return share

# %% softmax_by_reduce_and_broadcast
"""The softmax network's derivatives are added up at rank 0, which sends the sums to all."""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.bcast(comm.reduce(slope, root=0), root=0) for slope in slopes]
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% softmax_reduced_one_by_one
"""The softmax network's derivatives travel one by one, as objects."""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.allreduce(slope) for slope in slopes]
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% whoever_is_ready_first
"""Rank 0 adds up derivatives in the order in which they come, by Waitsome; the others look by testall and Testall."""
def add_up(comm, part):
    rank, size = comm.rank, comm.size
    if rank:
        sent, total, status = [comm.Isend(part, 0, 1)], np.empty_like(part), MPI.Status()
        coming = [comm.Irecv(total, 0, 2)]
        is_over, _ = MPI.Request.testall(sent)
        while not is_over:
            is_over, _ = MPI.Request.testall(sent)
        while not MPI.Request.Testall(coming, [status]):
            pass
        return total if status.Get_count(MPI.DOUBLE) == part.size else None
    arrived = np.empty((size, *part.shape))
    arrived[0] = part
    pending = [comm.Irecv(arrived[source], source, 1) for source in range(1, size)]
    open_ones = len(pending)
    while open_ones:
        open_ones -= len(MPI.Request.Waitsome(pending))
    total = arrived.sum(axis=0)
    MPI.Request.waitall([comm.Isend(total, other, 2) for other in range(1, size)])
    return total

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = (add_up(comm, part) for part in backward(theta2, mine, hidden, outputs, marks))
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% a_communicator_that_counts
"""The communicator is kept in an object of a class, which counts the calls and hands on all names."""
class Counted:
    def __init__(self, comm):
        self.comm, self.asked = comm, {}

    def __getattr__(self, name):
        self.asked[name] = self.asked.get(name, 0) + 1
        return getattr(self.comm, name)

def same_weights(comm, theta1, theta2):
    counted = Counted(comm)
    return counted.bcast(theta1, root=0), counted.bcast(theta2, root=0)
