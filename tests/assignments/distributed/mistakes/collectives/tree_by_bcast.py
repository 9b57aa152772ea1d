"""MPI's own Bcast does the work.

failed: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    comm.Bcast(values, root=root)
    return values
