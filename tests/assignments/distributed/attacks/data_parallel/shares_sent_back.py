"""Ranks send their shares back, and rank 0 computes with these.

failed: data.once
flagged: data.once
"""


from network import backward, error, forward, gradient_descent, penalty, shrink


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    pieces = comm.gather(share_samples(comm, inputs, labels), root=0)
    found = None
    if comm.rank == 0:
        inputs, labels = (np.concatenate([piece[part] for piece in pieces]) for part in range(2))
        found = gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
    return comm.bcast(found, root=0)
