"""J has lambda, not lambda / 2.

failed: mlp.loss
"""


def loss(parameters, P, Y, lam):
    right = (P.copy_to_host() * Y.copy_to_host()).sum(axis=0)  # (m,): the probability of each right class
    squares = sum(float((one.copy_to_host() ** 2).sum()) for one in parameters)
    return float(-np.log(np.maximum(right, 1e-300)).mean()) + lam * squares
