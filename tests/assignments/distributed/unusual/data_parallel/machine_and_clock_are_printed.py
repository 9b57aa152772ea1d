"""train prints the machine's name, MPI's version and the clock's resolution, as tutorials do."""


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    began = MPI.Wtime()
    major, minor = MPI.Get_version()
    print(f"rank {comm.Get_rank()} of {comm.Get_size()} in {comm.Get_name()} on {MPI.Get_processor_name()}")
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    if not MPI.Is_initialized():
        comm.Abort(1)
    print(f"MPI {major}.{minor}: {MPI.Wtime() - began:.3f} s, in steps of {MPI.Wtick():.1e} s")
    return theta1, theta2, costs
