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
    samples = comm.allreduce(len(mine))
    costs = []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = (add_up(comm, part) for part in backward(theta2, mine, hidden, outputs, marks))
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
