"""What ranks combine, what they divide by, and when they step.

failed: data.costs data.weights
"""

# %% costs_of_the_own_share
"""Each rank returns the costs of its own share.

failed: data.costs
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((float(error(outputs, marks)) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% costs_on_rank_0_only
"""Only rank 0 returns the costs.

failed: data.weights
"""
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
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs if comm.rank == 0 else []

# %% data_sent_every_iteration
"""The samples are shared in every iteration.

failed: data.once
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        mine, marks = share_samples(comm, inputs, labels)
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% divided_by_the_own_share
"""Each rank divides by the number of its own samples."""
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
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / len(mine)
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / len(mine)
    return theta1, theta2, costs

# %% only_rank_0_steps
"""The derivatives are reduced at rank 0, and only rank 0 steps."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples, costs = comm.allreduce(len(mine)), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        costs.append((comm.allreduce(float(error(outputs, marks))) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        for total, part in ((np.zeros_like(sum1), sum1), (np.zeros_like(sum2), sum2)):
            comm.Reduce(part, total, root=0)
            part[:] = total
        if comm.rank == 0:
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% own_weights_by_rank
"""Each rank begins with weights of its own seed."""
def same_weights(comm, theta1, theta2):
    shapes = comm.bcast(None if theta1 is None else (theta1.shape, theta2.shape), root=0)
    rng = np.random.default_rng(comm.rank)
    return [rng.uniform(-0.12, 0.12, shape) for shape in shapes]
