"""Each rank sends to the next one: P - 1 rounds.

failed: tree.messages
"""


def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    if place:
        comm.Recv(values, source=(comm.rank - 1) % comm.size)
    if place < comm.size - 1:
        comm.Send(values, dest=(comm.rank + 1) % comm.size)
    return values
