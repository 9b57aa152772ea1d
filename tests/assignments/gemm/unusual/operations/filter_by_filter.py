"""Filters are convolved one after the other, each by a product of its own.
"""


def convolve(X, K, stride=1, padding=0):
    columns = im2col(X, K.shape[2:], stride, padding)
    rows = [multiply(one.reshape(1, -1), columns) for one in K]
    return np.stack(rows).reshape(len(K), *windows(X.shape[1:], K.shape[2:], stride, padding))
