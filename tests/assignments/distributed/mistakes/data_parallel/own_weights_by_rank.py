"""Each rank begins with weights of its own seed.

failed: data.costs data.weights
"""


def same_weights(comm, theta1, theta2):
    shapes = comm.bcast(None if theta1 is None else (theta1.shape, theta2.shape), root=0)
    rng = np.random.default_rng(comm.rank)
    return [rng.uniform(-0.12, 0.12, shape) for shape in shapes]
