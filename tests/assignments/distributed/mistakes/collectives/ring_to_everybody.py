"""Every rank sends its array to every other.

failed: ring.bytes
"""


def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    for away in range(1, comm.size):
        arrived = np.empty(len(values))
        to, source = (comm.rank + away) % comm.size, (comm.rank - away) % comm.size
        comm.Sendrecv(np.array(values, dtype=float), dest=to, recvbuf=arrived, source=source)
        total += arrived
    return total
