"""The root sends to all itself.

failed: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    if comm.rank == root:
        for rank in range(comm.size):
            if rank != root:
                comm.Send(values, dest=rank)
    else:
        comm.Recv(values, source=root)
    return values
