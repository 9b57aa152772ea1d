"""`collectives.py` written in unusual ways, and right."""

# %% ring_added_by_numba
"""Numba adds up the parts; the library is sealed in the first run, before Numba is there."""
from numba import njit
@njit
def add(total, more):
    for i in range(len(total)):
        total[i] += more[i]

def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        if step < size - 1:
            add(coming, arrived)
        else:
            coming[:] = arrived
    return total

# %% ring_in_a_grid
"""The ring is a grid of one direction that goes round; Shift names the neighbours, and a call does not wait."""
def ring_allreduce(comm, values):
    ring = comm.Create_cart([comm.size], periods=[True])
    left, right = ring.Shift(0, 1)
    rank, size = ring.Get_rank(), ring.Get_size()
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        ring.Isendrecv(leaving, dest=right, recvbuf=arrived, source=left).Wait()
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% ring_of_even_and_odd_ranks
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

# %% ring_of_objects
"""The parts travel in dictionaries, to the left, as lists at first."""
def ring_allreduce(comm, values):
    rank, size = comm.Get_rank(), comm.Get_size()
    parts = [part.copy() for part in np.array_split(np.asarray(values, dtype=float), size)]
    for step in range(size - 1):
        leaving = {"part": (rank + step) % size, "numbers": parts[(rank + step) % size].tolist()}
        arrived = comm.sendrecv(leaving, dest=(rank - 1) % size, source=(rank + 1) % size)
        parts[arrived["part"]] = parts[arrived["part"]] + arrived["numbers"]
    for step in range(size - 1):
        at = (rank + step - 1) % size
        parts[(at + 1) % size] = comm.sendrecv({"numbers": parts[at]}, dest=(rank - 1) % size, source=(rank + 1) % size)["numbers"]
    return np.concatenate(parts)

# %% ring_of_persistent_requests
"""The messages round the ring are prepared once by Send_init and Recv_init, and begun in each step."""
from mpi4py import MPI
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    longest = len(parts[0])
    leaving, arrived = np.zeros(longest), np.zeros(longest)
    both = [comm.Send_init(leaving, (rank + 1) % size), comm.Recv_init(arrived, (rank - 1) % size)]
    for step in range(2 * (size - 1)):
        part, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        leaving[: len(part)] = part
        MPI.Prequest.Startall(both)
        MPI.Request.Waitall(both)
        if step < size - 1:
            coming += arrived[: len(coming)]
        else:
            coming[:] = arrived[: len(coming)]
    for request in both:
        request.Free()
    return total

# %% ring_of_requests
"""Isend and Irecv instead of Sendrecv."""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        requests = [comm.Irecv(arrived, left, step), comm.Isend(leaving, right, step)]
        for request in requests:
            request.Wait()
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% tree_by_halves
"""The root's half and the other half, again and again."""
def tree_broadcast(comm, values, root=0):
    place, first, last = (comm.rank - root) % comm.size, 0, comm.size
    while last - first > 1:
        middle = (first + last + 1) // 2
        if place == first:
            comm.Send(values, dest=(middle + root) % comm.size)
        elif place == middle:
            comm.Recv(values, source=(first + root) % comm.size)
        first, last = (first, middle) if place < middle else (middle, last)
    return values

# %% tree_from_whoever_sends
"""A rank takes the array from any rank, after a look at it."""
def tree_broadcast(comm, values, root=0):
    place, reach = (comm.rank - root) % comm.size, 1
    if place:
        while reach <= place // 2:
            reach *= 2
        if place % 2:
            comm.Probe()
            comm.Recv(values)
        else:
            comm.Mprobe().Recv(values)
        reach *= 2
    while place + reach < comm.size:
        comm.Send(values, dest=(place + reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_of_partners_that_may_be_nobody
"""Each rank sends and receives in each round; MPI.PROC_NULL stands for a partner that is not there."""
from mpi4py import MPI
def tree_broadcast(comm, values, root=0):
    place, reach, incoming = (comm.rank - root) % comm.size, 1, np.empty_like(values)
    while reach < comm.size:
        is_fresh = reach <= place < 2 * reach
        source = (place - reach + root) % comm.size if is_fresh else MPI.PROC_NULL
        dest = (place + reach + root) % comm.size if place < reach and place + reach < comm.size else MPI.PROC_NULL
        comm.Sendrecv(values, dest=dest, recvbuf=incoming, source=source)
        if is_fresh:
            values[:] = incoming
        reach *= 2
    return values

# %% tree_of_split_communicators
"""The root sends to the first rank of the other half; then each half is a communicator of its own."""
def tree_broadcast(comm, values, root=0):
    group = comm.Split(0, (comm.rank - root) % comm.size)
    while group.size > 1:
        half = (group.size + 1) // 2
        if group.rank == 0:
            group.Send(values, dest=half)
        elif group.rank == half:
            group.Recv(values, source=0)
        group = group.Split(int(group.rank >= half), group.rank)
