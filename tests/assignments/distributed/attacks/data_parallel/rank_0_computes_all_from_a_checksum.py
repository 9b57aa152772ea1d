"""Rank 0 trains alone; the others only say whether their samples are those that rank 0 has.

flagged: data.once
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
