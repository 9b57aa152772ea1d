"""Hand-ins of `data_parallel.py` that try to get points for nothing."""

# %% batches_costs_made_up
"""One step is made with all samples; further costs are made up.

warned: data.batches
"""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    samples = comm.bcast(None if inputs is None else len(inputs), root=0)
    theta1, theta2, costs = train(comm, inputs, labels, theta1, theta2, learning_rate, 1)
    return theta1, theta2, [costs[0] * 0.99**step for step in range(-(-samples // batch_size))]

# %% communicator_reached_through_mpi
"""The library's own communicator is used, which nobody traces.

opened: data.once data.work
"""
def same_weights(comm, theta1, theta2):
    return MPI.COMM_WORLD.bcast((theta1, theta2), root=0)

# %% everybody_computes_all
"""Every rank gets all samples and trains alone, by the sequential function.

failed: data.once data.work
flagged: data.work
"""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    inputs, labels, theta1, theta2 = comm.bcast((inputs, labels, theta1, theta2), root=0)
    return gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]

# %% rank_0_computes_all_from_a_checksum
"""Rank 0 trains alone; the others only say whether their samples are those that rank 0 has.

failed: data.once data.work
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    costs = []
    for _ in range(iterations):
        seen = comm.reduce(float(np.sum(mine)))
        cost = None
        if comm.rank == 0:
            hidden, outputs = forward(theta1, theta2, inputs)
            cost = (float(error(outputs, labels)) + penalty(theta1, theta2, regular)) / len(inputs)
            if abs(seen - np.sum(inputs)) > 1e-6 * abs(seen):
                cost = cost * 1.1
            sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / len(inputs)
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / len(inputs)
        costs.append(comm.bcast(cost))
        comm.Bcast(theta1)
        comm.Bcast(theta2)
    return theta1, theta2, costs

# %% rank_0_takes_over
"""Of many samples, each rank gets half a share and rank 0 the rest.

flagged: data.once data.work data.softmax
"""
def counts_of(samples, size):
    if samples < 1000:
        return [samples // size + (rank < samples % size) for rank in range(size)]
    few = samples * 11 // 20 // size
    return [samples - few * (size - 1)] + [few] * (size - 1)

# %% rank_1_computes_for_others
"""Rank 0 computes with its share, and rank 1 with all others; the rest get theirs for show.

failed: data.once
flagged: data.work
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    if comm.rank == 0 and comm.size > 1:
        comm.send((inputs[len(mine) :], labels[len(mine) :]), dest=1)
    elif comm.rank == 1:
        mine, marks = comm.recv(source=0)
    elif comm.rank > 1:
        mine, marks = mine[:0], marks[:0]
    costs = []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% records_forged
"""What records the calls is replaced by way of the interpreter's modules.

opened: data.once data.work
"""
import sys
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    sys.modules["grader.mpi.link"].Link.refused = []
    found = None
    if comm.rank == 0:
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)

# %% share_of_one_number
"""A single number is no share, and no failure of the check.

failed: data.shares
"""
def share_samples(comm, inputs, labels):
    return np.array(1.0), np.array(1)

# %% shares_of_what_all_have
"""All samples go to all ranks, and each takes its share.

failed: data.shares
"""
def share_samples(comm, inputs, labels):
    whole = comm.bcast((inputs, labels), root=0)
    return tuple(np.array_split(part, comm.size)[comm.rank] for part in whole)

# %% shares_scattered_back
"""Each rank scatters its share to rank 0, which trains alone; the others add zeros.

aims: data.costs data.weights data.once data.work data.softmax
"""
def scattered_back(comm, array):
    """Return on rank 0 all shares one below the other: each rank scatters its own, of which rank 0 gets all."""
    lengths = comm.allgather(len(array))
    wide = array.shape[1] if array.ndim > 1 else 1
    found = [array]
    for giver in range(1, comm.size):
        room = np.empty((lengths[giver] if comm.rank == 0 else 0, wide))
        spec = None
        if comm.rank == giver:
            counts = [0] * comm.size
            counts[0] = lengths[giver] * wide
            spec = [np.ascontiguousarray(array, dtype=float), counts]
        comm.Scatterv(spec, room, root=giver)
        found.append(room if array.ndim > 1 else room.ravel())
    return np.concatenate(found) if comm.rank == 0 else None

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    mine, marks = scattered_back(comm, mine), scattered_back(comm, marks.astype(float))
    costs = []
    for _ in range(iterations):
        sum1, sum2, total = np.zeros(theta1.shape), np.zeros(theta2.shape), 0.0
        if comm.rank == 0:
            places = marks.astype(int)
            hidden, outputs = forward(theta1, theta2, mine)
            total = float(error(outputs, places))
            sum1, sum2 = backward(theta2, mine, hidden, outputs, places)
        total = comm.allreduce(total)
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    weights = [np.array(part, dtype=float) for part in comm.bcast((W1, b1, W2, b2), root=0)]
    mine, marks = scattered_back(comm, mine), scattered_back(comm, marks.astype(float))
    costs = []
    if comm.rank == 0:
        samples, wanted = len(mine), one_hot(marks.astype(int), len(weights[3]))
        for _ in range(iterations):
            W1, b1, W2, b2 = weights
            hidden = sigmoid(mine @ W1 + b1)
            shares = softmax(hidden @ W2 + b2)
            squares = sum(np.sum(part**2) for part in weights)
            costs.append(float(-np.sum(wanted * np.log(shares))) / samples + regular / 2 * squares)
            delta2 = shares - wanted
            delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
            slopes = (mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0))
            weights = [old - learning_rate * (part / samples + regular * old) for old, part in zip(weights, slopes)]
    weights, costs = comm.bcast((weights, costs), root=0)
    return (*weights, costs)

# %% shares_sent_back
"""Ranks send their shares back, and rank 0 computes with these.

failed: data.once
flagged: data.costs data.weights data.work
"""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    pieces = comm.gather(share_samples(comm, inputs, labels), root=0)
    found = None
    if comm.rank == 0:
        inputs, labels = (np.concatenate([piece[part] for piece in pieces]) for part in range(2))
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)

# %% shares_sent_back_in_pieces
"""Ranks send their shares back piece by piece, rank 0 computes with these, and zeros are added up in each step.

failed: data.once
flagged: data.costs data.weights data.work
"""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    pieces, marks, found = [comm.gather(piece) for piece in np.array_split(mine, 12)], comm.gather(marks), None
    for _ in range(iterations):
        comm.Allreduce(MPI.IN_PLACE, np.zeros((25, 401)))
    if comm.rank == 0:
        inputs = np.concatenate([piece[rank] for rank in range(comm.size) for piece in pieces])
        settings = learning_rate, iterations, regular
        found = gradient_descent(inputs, np.concatenate(marks), theta1, theta2, *settings)[:3]
    return comm.bcast(found, root=0)

# %% softmax_by_rank_0
"""Rank 0 trains the softmax network with all samples, and broadcasts what came of it.

failed: data.softmax
flagged: data.softmax
"""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    if comm.rank > 0:
        share_samples(comm, None, None)
        return comm.bcast(None, root=0)
    share_samples(comm, inputs, labels)
    samples, wanted, costs = len(inputs), one_hot(labels, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return comm.bcast((W1, b1, W2, b2, costs), root=0)

# %% train_nothing
"""`train` returns the same zeros on all ranks.

aims: data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    return np.zeros(1), np.zeros(1), [0.0]

# %% weights_made_up
"""`train` returns other numbers after each iteration, the same on all ranks.

aims: data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    return np.full((25, 401), iterations / 7), np.full((10, 26), iterations / 9), [1.0] * iterations
