"""Numbers of samples by Iallgather, derivatives by Igatherv and Iallgatherv, costs by Ialltoall and Ialltoallv."""


def train(comm: MPI.Intracomm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    lengths = np.empty(comm.size, dtype=np.int64)
    comm.Iallgather(np.array([len(mine)], dtype=np.int64), lengths).Wait()
    samples, costs = int(lengths.sum()), []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        own, errors = np.full(comm.size, float(error(outputs, marks))), np.empty(comm.size)
        if step % 2:
            comm.Ialltoall(own, errors).Wait()
        else:
            ones = [1] * comm.size
            comm.Ialltoallv([own, ones, MPI.DOUBLE], [errors, ones, MPI.DOUBLE]).Wait()
        costs.append((float(errors.sum()) + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sums = np.concatenate([sum1.ravel(), sum2.ravel()])
        counts = [sums.size] * comm.size
        every = np.empty((comm.size, sums.size))
        if step % 2:
            comm.Iallgatherv(sums, [every, counts, None, MPI.DOUBLE]).Wait()
            total = every.sum(axis=0)
        else:
            request = comm.Igatherv(sums, [every, counts, None, MPI.DOUBLE] if comm.Get_rank() == 0 else None, root=0)
            request.wait()
            total = every.sum(axis=0) if comm.Get_rank() == 0 else np.empty(sums.size)
            comm.Ibcast(total, root=0).Wait()
        sum1, sum2 = total[: sum1.size].reshape(sum1.shape), total[sum1.size :].reshape(sum2.shape)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
