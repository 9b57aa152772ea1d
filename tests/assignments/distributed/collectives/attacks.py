"""Hand-ins of `collectives.py` that try to get points for nothing.

failed: ring.bytes
"""

# %% ring_by_a_group
"""MPI's Allreduce, in a communicator of the same ranks."""
def ring_allreduce(comm, values):
    total = np.empty(len(values))
    comm.Split(0, comm.rank).Allreduce(np.array(values, dtype=float), total)
    return total

# %% ring_by_length
"""MPI reduces all lengths but the one whose bytes are counted; there, zeros go round the ring."""
def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    if len(total) != 1000:
        comm.Allreduce(values, total)
        return total
    size = comm.size
    junk, room = np.zeros(2 * (size - 1) * 1000 // size), np.zeros(2 * (size - 1) * 1000 // size)
    comm.Sendrecv(junk, dest=(comm.rank + 1) % size, recvbuf=room, source=(comm.rank - 1) % size)
    return total

# %% ring_by_many_small_allreduces
"""MPI's Allreduce adds up, a few numbers at a time; nothing travels round a ring."""
from mpi4py import MPI

def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    for place in range(0, len(total), 8):
        comm.Allreduce(MPI.IN_PLACE, total[place : place + 8])
    return total

# %% ring_by_rank_0
"""Rank 0 collects, adds up, and sends to all."""
def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    if comm.rank:
        comm.Send(total, dest=0)
        comm.Recv(total, source=0)
        return total
    for rank in range(1, comm.size):
        arrived = np.empty(len(total))
        comm.Recv(arrived, source=rank)
        total += arrived
    for rank in range(1, comm.size):
        comm.Send(total, dest=rank)
    return total

# %% ring_by_tags
"""All numbers travel in tags.

opened: ring.values ring.bytes
failed:
"""
from mpi4py import MPI

def ring_allreduce(comm, values):
    own = total = np.array(values, dtype=float)
    for _ in range(comm.size - 1):
        sent = [comm.isend(None, (comm.rank + 1) % comm.size, int(word)) for word in own.view(np.uint16)]
        told = [MPI.Status() for _ in sent]
        for status in told:
            comm.recv(source=(comm.rank - 1) % comm.size, status=status)
        own = np.array([status.tag for status in told], np.uint16).view(float)
        total = total + own
    return total

# %% ring_decoy
"""A ring for show, and MPI's allreduce for the values."""
def ring_allreduce(comm, values):
    arrived = np.empty(1)
    comm.Sendrecv(np.ones(1), dest=(comm.rank + 1) % comm.size, recvbuf=arrived, source=(comm.rank - 1) % comm.size)
    return comm.allreduce(np.array(values, dtype=float))

# %% ring_number_by_number
"""Each number is a message of its own: nobody counts what their tags tell.

opened: ring.bytes
failed:
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    parts = np.array_split(np.array(values, dtype=float), size)
    for step in range(2 * (size - 1)):
        coming = parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        sent = [comm.Isend(number, (rank + 1) % size) for number in parts[(rank - step) % size].reshape(-1, 1)]
        for number in arrived.reshape(-1, 1):
            comm.Recv(number, source=(rank - 1) % size)
        for request in sent:
            request.Wait()
        coming[:] = arrived + coming if step < size - 1 else arrived
    return np.concatenate(parts)

# %% ring_one_part_after_the_other
"""Each part goes all round before the next one leaves: all ranks but one wait. Empty messages add to the number.

flagged: ring.bytes
"""
def ring_allreduce(comm, values):
    parts = np.array_split(np.array(values, dtype=float), comm.size)
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    for _ in range(14 if comm.rank < 2 <= comm.size else 0):
        comm.Recv(np.zeros(0), source=0) if comm.rank else comm.Send(np.zeros(0), dest=1)
    for number, part in enumerate(parts if comm.size > 1 else []):
        place, arrived = (comm.rank - number) % comm.size, np.empty_like(part)
        if place:
            comm.Recv(arrived, source=left)
            part += arrived
        if place < comm.size - 1:
            comm.Send(part, dest=right)
            comm.Recv(part, source=left)
        if place != comm.size - 2:
            comm.Send(part, dest=right)
    return np.concatenate(parts)
