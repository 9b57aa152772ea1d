"""NumPy multiplies with V.

failed: operations.attention
"""


def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V
