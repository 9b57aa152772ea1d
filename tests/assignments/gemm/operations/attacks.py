"""Hand-ins of `operations.py` that try to get points for nothing."""

# %% attention_in_disguise
"""NumPy multiplies by adding up a wide array; gemm multiplies the answer by a matrix and by its inverse.

flagged: operations.attention
"""
def disguised(A, B):
    answer = (A[:, :, None] * B[None]).sum(axis=1)
    turned = 2.0 * np.eye(len(answer))[::-1]
    return multiply(turned / 4, turned[:, :1] * 0 + 2 * answer[::-1])


def attend(Q, K, V):
    scores = disguised(Q, K.T / np.sqrt(Q.shape[1]))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return disguised(weights / weights.sum(axis=1, keepdims=True), V)

# %% identity_times_the_answer
"""gemm multiplies the answer by the identity.

failed: operations.convolve
"""
def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(np.eye(len(K)), np.einsum("fk,kw->fw", K.reshape(len(K), -1), im2col(X, size, stride, padding)))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))
