"""Rank 0 collects, adds up, and sends to all.

failed: ring.bytes
"""


def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    if comm.rank:
        comm.Send(total, dest=0)
        comm.Recv(total, source=0)
        return total
    for rank in range(1, comm.size):
        total = total + _taken(comm, rank, len(total))
    for rank in range(1, comm.size):
        comm.Send(total, dest=rank)
    return total


def _taken(comm, rank, length):
    arrived = np.empty(length)
    comm.Recv(arrived, source=rank)
    return arrived
