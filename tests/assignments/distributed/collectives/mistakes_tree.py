"""Trees of too many messages, one after the other.

failed: tree.messages
"""

# %% tree_by_bcast
"""MPI's own Bcast does the work."""
def tree_broadcast(comm, values, root=0):
    comm.Bcast(values, root=root)
    return values

# %% tree_is_a_chain
"""Each rank sends to the next one: P - 1 rounds."""
def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    if place:
        comm.Recv(values, source=(comm.rank - 1) % comm.size)
    if place < comm.size - 1:
        comm.Send(values, dest=(comm.rank + 1) % comm.size)
    return values

# %% tree_is_flat
"""The root sends to all itself."""
def tree_broadcast(comm, values, root=0):
    if comm.rank == root:
        for rank in range(comm.size):
            if rank != root:
                comm.Send(values, dest=rank)
    else:
        comm.Recv(values, source=root)
    return values
