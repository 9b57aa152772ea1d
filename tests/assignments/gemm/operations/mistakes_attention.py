"""Mistakes in attention.

failed: operations.attention
"""

# %% attention_by_numpy
"""NumPy multiplies with V."""
def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ V

# %% attention_of_columns
"""The softmax runs down the columns."""
def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores - scores.max(axis=0, keepdims=True))
    return multiply(weights / weights.sum(axis=0, keepdims=True), V)

# %% attention_overflows
"""Scores are taken to powers as they come."""
def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores)
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)

# %% attention_without_scale
"""1 / √d is missing."""
def attend(Q, K, V):
    scores = multiply(Q, K.T)  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)
