"""The derivatives are reduced at rank 0, and only rank 0 steps.

failed: data.costs data.weights
"""


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
        for total, part in ((np.zeros_like(sum1), sum1), (np.zeros_like(sum2), sum2)):
            comm.Reduce(part, total, root=0)
            part[:] = total
        if comm.rank == 0:
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
