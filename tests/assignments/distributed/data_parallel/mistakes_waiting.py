"""Ranks whose calls do not fit together: they wait, raise, or end too early.

failed: data.costs data.weights data.once data.work
"""

# %% barrier_on_rank_0_only
"""Only rank 0 comes to the barrier.

says: rank 0 waits in Barrier (data_parallel.py:
"""
def same_weights(comm, theta1, theta2):
    if comm.rank == 0:
        comm.Barrier()
    return comm.bcast((theta1, theta2))

# %% counts_differ
"""The last rank leaves out the bias.

says: different amounts: rank
"""
def same_weights(comm, theta1, theta2):
    found = [theta1, theta2] if comm.rank == 0 else [np.empty((25, 401)), np.empty((10, 26))]
    if comm.rank == comm.size - 1 > 0:
        found[1] = found[1][:, 1:].copy()
    for weights in found:
        comm.Bcast(weights)
    return found

# %% cycle_of_blocking_sends
"""The weights go round by Send before Recv, on all ranks.

says: waits in Send to rank 0 (data_parallel.py:
"""
def same_weights(comm, theta1, theta2):
    found = [theta1, theta2] if comm.rank == 0 else [np.empty((25, 401)), np.empty((10, 26))]
    for weights in found if comm.size > 1 else []:
        comm.Send(weights, dest=(comm.rank + 1) % comm.size)
        comm.Recv(weights, source=(comm.rank - 1) % comm.size)
    return found

# %% last_rank_stops_early
"""The last rank makes one iteration less.

says: has returned after
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        if comm.rank == comm.size - 1 > 0 and step == iterations - 1:
            break
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% message_nobody_receives
"""Rank 1 reports that it begins to rank 0, which does not listen.

says: Nobody receives what rank 1 sends to rank 0 by isend, tag 9 (data_parallel.py:
"""
def same_weights(comm, theta1, theta2):
    if comm.rank == 1:
        comm.isend("ready", dest=0, tag=9)
    return comm.bcast((theta1, theta2))

# %% other_collective_on_rank_0
"""Rank 0 calls Reduce where the others call Bcast.

says: rank 0 waits in Reduce (data_parallel.py:
"""
def same_weights(comm, theta1, theta2):
    found = [theta1, theta2] if comm.rank == 0 else [np.empty((25, 401)), np.empty((10, 26))]
    for weights in found:
        comm.Reduce(MPI.IN_PLACE, weights) if comm.rank == 0 else comm.Bcast(weights)
    return found

# %% rank_1_never_comes
"""Rank 1 waits for weights that it never gets, in a loop of its own.

says: rank 1 computes without calling anything (data_parallel.py:
"""
def same_weights(comm, theta1, theta2):
    while comm.rank == 1 and theta1 is None:
        theta2 = theta1
    return comm.bcast((theta1, theta2))

# %% rank_1_has_no_weights
"""The weights stay at rank 0: the first rank that needs them raises, and rank 0 waits for it.

says: is the value sent to all
failed: data.costs
"""
def same_weights(comm, theta1, theta2):
    return theta1, theta2

# %% zeros_instead_of_weights
"""Where there are no weights, a rank begins with zeros.

failed: data.costs
says: takes rank 0's weights
"""
def same_weights(comm, theta1, theta2):
    return (np.zeros((25, 401)), np.zeros((10, 26))) if theta1 is None else (theta1, theta2)

# %% types_differ
"""Rank 0 sends weights in single precision.

says: types of numbers differ
"""
def same_weights(comm, theta1, theta2):
    found = [theta1, theta2] if comm.rank == 0 else [np.empty((25, 401)), np.empty((10, 26))]
    if comm.rank == 0 and comm.size > 1:
        found = [weights.astype(np.float32) for weights in found]
    for weights in found:
        comm.Bcast(weights)
    return found
