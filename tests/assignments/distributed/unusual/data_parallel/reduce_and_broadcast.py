"""The derivatives are reduced at rank 0 and broadcast."""


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
        for part in (sum1, sum2):
            total = np.zeros_like(part)
            comm.Reduce(part, total, op=MPI.SUM, root=0)
            comm.Bcast(total, root=0)
            part[:] = total
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
