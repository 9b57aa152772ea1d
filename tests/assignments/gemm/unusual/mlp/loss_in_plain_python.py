"""The loss is added up by a loop.
"""


def loss(parameters, P, Y, lam):
    probabilities, labels = P.copy_to_host(), Y.copy_to_host()
    total = 0.0
    for j in range(probabilities.shape[1]):
        for i in range(probabilities.shape[0]):
            if labels[i, j] == 1:
                total -= math.log(probabilities[i, j])
    squares = 0.0
    for one in parameters:
        squares += float(np.sum(one.copy_to_host() ** 2))
    return total / probabilities.shape[1] + 0.5 * lam * squares
