"""Trees that try to get points for nothing.

failed: tree.messages
"""

# %% tree_as_a_chain
"""A chain; a request of an earlier run, waited for at the end, says that the receive ended after the send."""
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
"""On 7 ranks three of the messages are empty, and MPI's bcast makes up for them, from four ranks in turn."""
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
"""A tree on up to four ranks; on more of them, the root sends to each itself."""
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
"""MPI's lower-case bcast does the work."""
def tree_broadcast(comm, values, root=0):
    values[:] = comm.bcast(values, root=root)
    return values
