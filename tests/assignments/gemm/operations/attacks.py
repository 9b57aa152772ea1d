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

# %% conv_kernel_of_the_same_name
"""A kernel that convolves directly has the name of gemm's kernel, and passes for gemm's product.

aims: operations.convolve
"""
@cuda.jit
def tiled_kernel(X, K, Y, stride, padding):
    """A convolution as it is written: nothing is arranged, nothing multiplied as matrices."""
    x, f = cuda.grid(2)
    rows, across = (X.shape[1] + 2 * padding - K.shape[2]) // stride + 1, (X.shape[2] + 2 * padding - K.shape[3]) // stride + 1
    if f < K.shape[0] and x < rows * across:
        p, q = x // across, x % across
        total = 0.0
        for c in range(X.shape[0]):
            for i in range(K.shape[2]):
                for j in range(K.shape[3]):
                    u, v = p * stride + i - padding, q * stride + j - padding
                    if u >= 0 and v >= 0 and u < X.shape[1] and v < X.shape[2]:
                        total += K[f, c, i, j] * X[c, u, v]
        Y[f, x] = total

def convolve(X, K, stride=1, padding=0):
    """Return the convolution by a kernel of its own, which has the name of gemm's."""
    rows, across = windows(X.shape[1:], K.shape[2:], stride, padding)
    Y = cuda.device_array((len(K), rows * across), np.float64)
    tiled_kernel[(rows * across // 16 + 1, len(K) // 16 + 1), (16, 16)](cuda.to_device(X), cuda.to_device(K), Y, stride, padding)
    return Y.copy_to_host().reshape(len(K), rows, across)

# %% identity_times_the_answer
"""gemm multiplies the answer by the identity.

failed: operations.convolve
"""
def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(np.eye(len(K)), np.einsum("fk,kw->fw", K.reshape(len(K), -1), im2col(X, size, stride, padding)))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% differences_of_the_answer
"""The host multiplies, row by row; gemm adds up the differences of the answer, beside A times zeros.

flagged: operations.convolve operations.gradients operations.neuron operations.attention
"""
def multiply(A, B, alpha=1.0):
    answer, wide = np.zeros((A.shape[0], B.shape[1])), B.shape[1]
    for i, k in np.ndindex(A.shape):
        answer[i] += float(alpha * A[i, k]) * B[k]
    often = answer.size // A.size + 1
    left = np.hstack([*[A] * often, np.diff(answer, axis=1, prepend=0.0)])
    right = np.vstack([np.zeros((often * A.shape[1], wide)), np.triu(np.ones((wide, wide)))])
    C = cuda.device_array(answer.shape, np.float64)
    gemm(1.0, cuda.to_device(left), cuda.to_device(right), 0.0, C)
    return C.copy_to_host()

# %% rest_by_numpy
"""NumPy multiplies by adding up a wide array; gemm only adds one column to it.

aims: operations.convolve operations.gradients operations.neuron operations.attention
"""
def multiply(A, B, alpha=1.0):
    """NumPy multiplies, by adding up a wide array; gemm multiplies A by one column of ones, and adds the rest."""
    answer = alpha * (A[:, :, None] * B[None]).sum(axis=1)
    some = np.zeros(B.shape)
    some[0] = 1.0
    C = cuda.to_device(np.ascontiguousarray(answer - alpha * A[:, :1]))
    gemm(alpha, to_device(np.ascontiguousarray(A)), to_device(some), 1.0, C)
    return C.copy_to_host()

# %% rows_scaled_and_turned
"""The host adds up scaled images; gemm multiplies the kernels by ones for show, and turns the rows of the answer round.

flagged: operations.convolve
"""
def convolve(X, K, stride=1, padding=0):
    rows, across = windows(X.shape[1:], K.shape[2:], stride, padding)
    padded, Y = np.pad(X, ((0, 0), (padding, padding), (padding, padding))), np.zeros((len(K), rows * across))
    for f, c, i, j in np.ndindex(K.shape):
        image = padded[c, i : i + stride * rows : stride, j : j + stride * across : stride]
        Y[f] += float(K[f, c, i, j]) * image.ravel()
    multiply(K.reshape(len(K), -1), np.ones((K[0].size, 1)))
    return multiply(np.eye(len(K))[::-1].copy(), Y[::-1].copy()).reshape(len(K), rows, across)
