"""Each window is a row, and the product is transposed.
"""


def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(im2col(X, size, stride, padding).T, K.reshape(len(K), -1).T).T
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))
