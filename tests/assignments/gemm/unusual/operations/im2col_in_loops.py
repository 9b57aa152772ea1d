"""Windows are copied one by one.
"""


def im2col(X, size, stride, padding):
    rows, columns = windows(X.shape[1:], size, stride, padding)
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    found = np.empty((X.shape[0] * size[0] * size[1], rows * columns))
    for p in range(rows):
        for q in range(columns):
            window = padded[:, p * stride : p * stride + size[0], q * stride : q * stride + size[1]]
            found[:, p * columns + q] = window.ravel()
    return found
