"""NumPy multiplies.

failed: operations.convolve
"""


def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = K.reshape(len(K), -1) @ im2col(X, size, stride, padding)
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))
