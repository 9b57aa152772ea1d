"""Rings whose values are wrong, or that never end.

failed: ring.values ring.bytes
"""

# %% ring_of_blocking_sends
"""Every rank sends before it receives.

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

# %% ring_one_step_short
"""The second round trip ends one step too early."""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(max(2 * size - 3, 0)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% ring_parts_lose_the_rest
"""The parts lose what does not divide evenly.

failed: ring.values
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = [total[at * (len(total) // size) : (at + 1) * (len(total) // size)] for at in range(size)]
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

# %% ring_returns_the_mean
"""The ring returns the mean."""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total, passing = np.array(values, dtype=float), np.array(values, dtype=float)
    for _ in range(size - 1):
        arrived = np.empty_like(passing)
        comm.Sendrecv(passing, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        total, passing = total + arrived, arrived
    return total / size

# %% ring_wrong_neighbour
"""Every rank receives from the rank that it sends to.

says: Sendrecv from rank
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=right)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total
