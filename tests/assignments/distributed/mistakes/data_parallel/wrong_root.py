"""The weights are broadcast from the last rank, which has none.

failed: data.costs
"""


def same_weights(comm, theta1, theta2):
    shapes = comm.bcast(None if theta1 is None else (theta1.shape, theta2.shape), root=0)
    found = []
    for theta, shape in zip((theta1, theta2), shapes):
        weights = np.full(shape, 0.05) if theta is None else np.array(theta)
        comm.Bcast(weights, root=comm.size - 1)
        found.append(weights)
    return found
