"""Everything travels by lower-case calls."""


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    pieces = None
    if comm.Get_rank() == 0:
        pieces = list(zip(np.array_split(inputs, comm.Get_size()), np.array_split(labels, comm.Get_size())))
    mine, marks = comm.scatter(pieces, root=0)
    theta1, theta2 = comm.bcast((theta1, theta2), root=0)
    samples = comm.allreduce(len(mine), op=MPI.SUM)
    costs = []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(error(outputs, marks))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = (comm.allreduce(part) for part in backward(theta2, mine, hidden, outputs, marks))
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
