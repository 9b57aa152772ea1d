"""A rank takes the array from any rank, after a look at it."""


def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    if place:
        while reach <= place // 2:
            reach *= 2
        comm.Probe()
        comm.Recv(values)
        reach *= 2
    while place + reach < comm.size:
        comm.Send(values, dest=(place + reach + root) % comm.size)
        reach *= 2
    return values
