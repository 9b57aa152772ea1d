"""Mistakes in `collectives.py`, and what each costs.

failed: ring.bytes
"""

# %% ring_by_allreduce
"""MPI's own Allreduce does the work."""
def ring_allreduce(comm, values):
    total = np.empty(len(values))
    comm.Allreduce(np.array(values, dtype=float), total)
    return total

# %% ring_of_whole_arrays
"""The whole array goes round, P - 1 times."""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total, passing = np.array(values, dtype=float), np.array(values, dtype=float)
    for _ in range(size - 1):
        arrived = np.empty_like(passing)
        comm.Sendrecv(passing, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        total, passing = total + arrived, arrived
    return total

# %% ring_to_everybody
"""Every rank sends its array to every other."""
def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    for away in range(1, comm.size):
        arrived = np.empty(len(values))
        to, source = (comm.rank + away) % comm.size, (comm.rank - away) % comm.size
        comm.Sendrecv(np.array(values, dtype=float), dest=to, recvbuf=arrived, source=source)
        total += arrived
    return total
