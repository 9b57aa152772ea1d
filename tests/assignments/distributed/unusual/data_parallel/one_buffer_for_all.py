"""Derivatives and error travel in one array."""


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
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
