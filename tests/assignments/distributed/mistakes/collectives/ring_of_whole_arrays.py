"""The whole array goes round, P - 1 times.

failed: ring.bytes
"""


def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total, passing = np.array(values, dtype=float), np.array(values, dtype=float)
    for _ in range(size - 1):
        arrived = np.empty_like(passing)
        comm.Sendrecv(passing, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        total, passing = total + arrived, arrived
    return total
