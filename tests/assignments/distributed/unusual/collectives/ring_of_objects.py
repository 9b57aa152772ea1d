"""The parts travel as objects, to the left."""


def ring_allreduce(comm, values):
    rank, size = comm.Get_rank(), comm.Get_size()
    parts = [part.copy() for part in np.array_split(np.asarray(values, dtype=float), size)]
    for step in range(size - 1):
        arrived = comm.sendrecv(parts[(rank + step) % size], dest=(rank - 1) % size, source=(rank + 1) % size)
        parts[(rank + step + 1) % size] = parts[(rank + step + 1) % size] + arrived
    for step in range(size - 1):
        at = (rank + step - 1) % size
        parts[(at + 1) % size] = comm.sendrecv(parts[at], dest=(rank - 1) % size, source=(rank + 1) % size)
    return np.concatenate(parts)
