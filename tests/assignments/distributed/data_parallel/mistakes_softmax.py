"""What ranks combine in the softmax network, gone wrong.

failed: data.softmax
"""

# %% softmax_divided_by_own_share
"""In the softmax network each rank divides by the number of its own samples."""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = len(mine), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.allreduce(slope) for slope in slopes]
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% softmax_l2_once_per_rank
"""In the softmax network the L2 term is added up over the ranks."""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares))) / samples + regular / 2 * squares))
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.allreduce(slope / samples + regular * old) for slope, old in zip(slopes, (W1, b1, W2, b2))]
        W1, b1, W2, b2 = (old - learning_rate * slope for old, slope in zip((W1, b1, W2, b2), slopes))
    return W1, b1, W2, b2, costs

# %% softmax_steps_by_own_share
"""In the softmax network each rank steps by the derivatives of its own share."""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs
