"""Trees whose values are wrong, or that never end.

failed: tree.values tree.messages
"""

# %% tree_for_powers_of_two
"""On 3 ranks, one sends to a rank that listens no more."""
def tree_broadcast(comm, values, root=0):
    place, reach = (comm.rank - root) % comm.size, 1
    while reach < comm.size:
        if place < reach:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_gives_its_name_to_another_array
"""What comes is named `values`, and not written into the array: the caller's stays as it is.

failed: tree.values
"""
def tree_broadcast(comm, values, root=0):
    place, reach = (comm.rank - root) % comm.size, 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            values = comm.recv(source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_ignores_the_root
"""The tree always begins at rank 0.

failed: tree.values
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

# %% tree_receives_into_a_part
"""The room for the array is too small.

says: longer than the room for it
"""
def tree_broadcast(comm, values, root=0):
    place, reach = (comm.rank - root) % comm.size, 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            comm.Recv(values[1:], source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_with_two_tags
"""What is sent with tag 1 is received with tag 2.

says: tag 2 (collectives.py:
"""
def tree_broadcast(comm, values, root=0):
    place, reach = (comm.rank - root) % comm.size, 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size, tag=1)
        elif reach <= place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size, tag=2)
        reach *= 2
    return values
