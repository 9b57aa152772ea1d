"""The collective operations of the submission, on each rank with an array of its own."""

import collectives


def ring(here, arrays):
    """Add up one array of each rank."""
    return {"sum": collectives.ring_allreduce(here.comm, arrays[here.rank].copy())}


def tree(here, arrays, root):
    """Give all ranks the root's array; what stands in the array afterwards counts, whatever is returned."""
    own = arrays[here.rank].copy()
    collectives.tree_broadcast(here.comm, own, root)
    return {"values": own}
