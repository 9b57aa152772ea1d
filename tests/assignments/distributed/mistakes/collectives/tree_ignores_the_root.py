"""The tree always begins at rank 0.

failed: tree.values
skipped: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    reach = 1
    while reach < comm.size:
        if comm.rank < reach and comm.rank + reach < comm.size:
            comm.Send(values, dest=comm.rank + reach)
        elif reach <= comm.rank < 2 * reach:
            comm.Recv(values, source=comm.rank - reach)
        reach *= 2
    return values
