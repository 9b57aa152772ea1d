"""The room for the array is too small.

failed: tree.values
skipped: tree.messages
says: longer than the room for it
"""


def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            comm.Recv(values[1:], source=(place - reach + root) % comm.size)
        reach *= 2
    return values
