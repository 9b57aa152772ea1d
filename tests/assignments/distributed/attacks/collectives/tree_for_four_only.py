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
