"""Every rank sends before it receives.

failed: ring.values
skipped: ring.bytes
says: waits in Send to rank 0 (collectives.py:
"""


def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Send(leaving, dest=right)
        comm.Recv(arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total
