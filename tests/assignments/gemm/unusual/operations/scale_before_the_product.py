"""1/√d goes into Q before the product.
"""


def attend(Q, K, V):
    scores = multiply(Q / np.sqrt(Q.shape[1]), K.T)  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)
