"""MPI's lower-case bcast does the work.

failed: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    values[:] = comm.bcast(values, root=root)
    return values
