"""The costs that `train` returns are wrong, and its weights are right.

failed: data.costs
"""

# %% wrong_root
"""The weights are broadcast from the last rank, which has none.

flagged: data.weights
"""
def same_weights(comm, theta1, theta2):
    shapes = comm.bcast(None if theta1 is None else (theta1.shape, theta2.shape), root=0)
    found = []
    for theta, shape in zip((theta1, theta2), shapes):
        weights = np.full(shape, 0.05) if theta is None else np.array(theta)
        comm.Bcast(weights, root=comm.size - 1)
        found.append(weights)
    return found

# %% division_forgotten
"""The sums of the derivatives are not divided by the number of samples."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - 1e-3 * learning_rate * (sum1 + shrink(theta1, regular))
        theta2 = theta2 - 1e-3 * learning_rate * (sum2 + shrink(theta2, regular))
    return theta1, theta2, costs

# %% l2_once_per_rank
"""Every rank adds the L2 term before the sums are made."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append(comm.allreduce(float(error(outputs, marks)) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sum1, sum2 = sum1 + shrink(theta1, regular), sum2 + shrink(theta2, regular)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * sum1 / samples
        theta2 = theta2 - learning_rate * sum2 / samples
    return theta1, theta2, costs

# %% mean_of_means
"""Means of shares of different sizes are averaged."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        mean = comm.allreduce(float(error(outputs, marks)) / len(mine)) / comm.size
        costs.append(mean + penalty(theta1, theta2, regular) / samples)
        sum1, sum2 = (one / len(mine) for one in backward(theta2, mine, hidden, outputs, marks))
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 / comm.size + shrink(theta1, regular) / samples)
        theta2 = theta2 - learning_rate * (sum2 / comm.size + shrink(theta2, regular) / samples)
    return theta1, theta2, costs
