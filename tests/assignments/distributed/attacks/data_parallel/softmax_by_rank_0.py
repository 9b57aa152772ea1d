"""Rank 0 trains the softmax network with all samples, and broadcasts what came of it.

failed: data.softmax
flagged: data.softmax
"""


def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    if comm.rank > 0:
        share_samples(comm, None, None)
        return comm.bcast(None, root=0)
    share_samples(comm, inputs, labels)
    samples, wanted, costs = len(inputs), one_hot(labels, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return comm.bcast((W1, b1, W2, b2, costs), root=0)
