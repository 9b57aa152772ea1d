"""b2 is added before the reduction, on every rank.

failed: tensor.training
"""


def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2 + b2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2))) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slope1 = inputs.T @ delta1
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (slope1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs
