"""Scores are taken to powers as they come.

failed: operations.attention
"""


def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores)
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)
