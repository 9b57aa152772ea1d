"""The root's half and the other half, again and again."""


def tree_broadcast(comm, values, root=0):
    place, first, last = (comm.rank - root) % comm.size, 0, comm.size
    while last - first > 1:
        middle = (first + last + 1) // 2
        if place == first:
            comm.Send(values, dest=(middle + root) % comm.size)
        elif place == middle:
            comm.Recv(values, source=(first + root) % comm.size)
        first, last = (first, middle) if place < middle else (middle, last)
    return values
