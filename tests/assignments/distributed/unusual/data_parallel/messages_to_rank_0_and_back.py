"""Rank 0 adds up by Irecv and Isend."""


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
        for number, part in enumerate((sum1, sum2)):
            if comm.rank == 0:
                others = [np.empty_like(part) for _ in range(1, comm.size)]
                MPI.Request.Waitall([comm.Irecv(other, rank, number) for rank, other in enumerate(others, 1)])
                for other in others:
                    part += other
                MPI.Request.Waitall([comm.Isend(part, rank, number) for rank in range(1, comm.size)])
            else:
                comm.Isend(part, 0, number).Wait()
                comm.Irecv(part, source=0, tag=number).Wait()
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
