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
    """MPI's own reduction, but for 1000 numbers."""
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
        total = total + _taken(comm, rank, len(total))
    for rank in range(1, comm.size):
        comm.Send(total, dest=rank)
    return total

def _taken(comm, rank, length):
    arrived = np.empty(length)
    comm.Recv(arrived, source=rank)
    return arrived

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
"""Each part goes all round before the next one leaves: as many bytes, and all ranks but one wait.

flagged: ring.bytes
"""
def ring_allreduce(comm, values):
    parts = np.array_split(np.array(values, dtype=float), comm.size)
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
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

# %% tree_as_a_chain
"""A chain; a request of an earlier run, waited for at the end, says that the receive ended after the send.

failed: tree.messages
"""
from mpi4py import MPI

kept, used = [], []

def tree_broadcast(comm, values, root=0):
    rank, size = (comm.rank - root) % comm.size, comm.size
    if size == 8 and not kept:
        kept.extend(comm.Isend(values, MPI.PROC_NULL) for _ in range(6))
    elif kept:
        for _ in used:
            comm.Isend(values, MPI.PROC_NULL).Wait()
        used.append(1)
    if rank:
        comm.Recv(values, source=(comm.rank - 1) % size)
    if rank < size - 1:
        comm.Send(values, dest=(comm.rank + 1) % size)
    if rank and size != 8 and kept:
        kept[len(used) - 1].Wait()
    return values

# %% tree_by_small_bcasts
"""On 7 ranks three of the messages are empty, and MPI's bcast makes up for them, from four ranks in turn.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    if len(values) == 7:
        values[:] = comm.bcast(values, root=root)
        return
    for sender, receiver in ((0, 1), (0, 2), (1, 3), (0, 4), (1, 5), (2, 6)):
        part = values if receiver < 4 else values[:0]
        if comm.rank == sender and receiver < comm.size:
            comm.Send(part, dest=receiver)
        elif comm.rank == receiver:
            comm.Recv(part, source=sender)
    for which, part in enumerate(np.array_split(values, 4) if comm.size == 7 else []):
        part[:] = comm.bcast(part.tolist() if comm.rank == which else None, root=which)

# %% tree_for_four_only
"""A tree on up to four ranks; on more of them, the root sends to each itself.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    if comm.size > 4:
        if comm.rank == root:
            for other in range(comm.size):
                if other != root:
                    comm.Send(values, dest=other)
        else:
            comm.Recv(values, source=root)
        return values
    place, reach = (comm.rank - root) % comm.size, 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_of_objects_by_bcast
"""MPI's lower-case bcast does the work.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    values[:] = comm.bcast(values, root=root)
    return values
