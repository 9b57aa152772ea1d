"""Part 3: two of MPI's collective operations, made of messages between two ranks."""

import numpy as np


def ring_allreduce(comm, values):
    """Return the sum of all ranks' arrays, by messages to the right neighbour only.

    The array is cut into one part per rank. In the first round trip, each part is added up on its way round the ring;
    then each rank has one complete part. In the second round trip, the complete parts travel round. Each rank sends
    P - 1 parts in each round trip: 2 (P - 1) / P of the array, however many ranks there are.
    """
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total


def tree_broadcast(comm, values, root=0):
    """Give all ranks the root's array, in place: in each round, every rank that has it sends it to one that does not.

    After k rounds 2^k ranks have it, so the last rank has it after log2 P rounds, not after P - 1.
    """
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size)
        reach *= 2
    return values
