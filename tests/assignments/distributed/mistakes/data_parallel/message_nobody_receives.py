"""Rank 1 reports its end to rank 0, which does not listen.

failed: data.costs data.weights data.once data.work
says: Nobody receives what rank 1 sends to rank 0 by isend, tag 9 (data_parallel.py:
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
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    if comm.rank == 1:
        comm.isend("done", dest=0, tag=9)
    return theta1, theta2, costs
