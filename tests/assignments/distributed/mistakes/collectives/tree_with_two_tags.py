"""What is sent with tag 1 is received with tag 2.

failed: tree.values
skipped: tree.messages
says: tag 2 (collectives.py:
"""


def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size, tag=1)
        elif reach <= place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size, tag=2)
        reach *= 2
    return values
