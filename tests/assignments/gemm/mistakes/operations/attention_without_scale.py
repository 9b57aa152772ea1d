"""1 / √d is missing.

failed: operations.attention
"""


def attend(Q, K, V):
    scores = multiply(Q, K.T)  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)
