"""Ranks that leave the work to one of them.

failed: data.once data.work
flagged: data.once data.work
"""

# %% communicator_replaced
"""Rank 0 trains with a communicator of its own making, of one rank."""
class Alone:
    rank, size = 0, 1

    def allreduce(self, value):
        return value

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    found = None
    if comm.rank == 0:
        comm_of_one, mine, marks, samples, costs = Alone(), inputs, labels, len(inputs), []
        for _ in range(iterations):
            hidden, outputs = forward(theta1, theta2, mine)
            total = comm_of_one.allreduce(error(outputs, marks))
            costs.append((total + penalty(theta1, theta2, regular)) / samples)
            sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
        found = theta1, theta2, costs
    return comm.bcast(found, root=0)

# %% decoy_reductions
"""Ranks reduce zeros for show, while rank 0 computes all.

failed: data.work
flagged: data.work
"""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    share_samples(comm, inputs, labels)
    for _ in range(iterations):
        comm.Allreduce(MPI.IN_PLACE, np.zeros((25, 401)))
    found = None
    if comm.rank == 0:
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)

# %% decoy_shares
"""The samples are shared for show.

failed: data.work
flagged: data.work
"""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    share_samples(comm, inputs, labels)
    found = None
    if comm.rank == 0:
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)

# %% rank_0_computes_all
"""Rank 0 trains by the sequential function, and broadcasts what came of it."""
from network import backward, error, forward, gradient_descent, penalty, shrink

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    found = None
    if comm.rank == 0:
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)

# %% same_share_for_all
"""All other ranks get the same share, one of them works with it, and rank 0 keeps the rest."""
def deal_one(comm, inputs, labels):
    given = None
    if comm.rank == 0:
        count = len(inputs) // comm.size
        given = inputs[-count:], labels[-count:]
    mine, marks = comm.bcast(given)
    if comm.rank == 0:
        return inputs[:-count], labels[:-count]
    return (mine, marks) if comm.rank == 1 else (mine[:0], marks[:0])

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = (inputs, labels) if comm.size == 1 else deal_one(comm, inputs, labels)
    theta1, theta2 = comm.bcast((theta1, theta2))
    samples, costs = comm.allreduce(len(mine)), []
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
