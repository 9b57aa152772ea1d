"""The kernel is turned round, as in mathematics.

failed: operations.convolve
"""


def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(np.ascontiguousarray(K[:, :, ::-1, ::-1]).reshape(len(K), -1), im2col(X, size, stride, padding))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))
