# %% own_array_missing
"""The sum begins with zeros, so that the array of the rank itself is missing.

failed: sum.values
skipped: sum.messages
"""


def sum_of_all(comm, values):
    rank, size = comm.Get_rank(), comm.Get_size()
    total, travelling, arriving = np.zeros_like(values), values.copy(), np.empty_like(values)
    for _ in range(size - 1):
        comm.Sendrecv(travelling, dest=(rank + 1) % size, recvbuf=arriving, source=(rank - 1) % size)
        total += arriving
        travelling, arriving = arriving, travelling
    return total


# %% left_to_mpi
"""MPI's own collective operation adds up.

failed: sum.messages
"""


def sum_of_all(comm, values):
    total = np.empty_like(values)
    comm.Allreduce(values, total)
    return total
