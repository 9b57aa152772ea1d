"""Even ranks send first, odd ones receive first."""


def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        if rank % 2 == 0 and rank != left:
            comm.Send(leaving, right)
            comm.Recv(arrived, left)
        else:
            request = comm.Isend(leaving, right)
            comm.Recv(arrived, left)
            request.wait()
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total
