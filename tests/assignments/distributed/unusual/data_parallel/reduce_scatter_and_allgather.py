"""Each rank adds up a part, and all parts are gathered."""


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
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
