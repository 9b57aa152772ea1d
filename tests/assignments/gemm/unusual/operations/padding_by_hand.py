"""Zeros around the image are made by hand.
"""


def im2col(X, size, stride, padding):
    rows, columns = windows(X.shape[1:], size, stride, padding)
    channels, height, width = X.shape
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    padded[:, padding : padding + height, padding : padding + width] = X
    places = [
        padded[:, i : i + stride * rows : stride, j : j + stride * columns : stride]
        for i in range(size[0])
        for j in range(size[1])
    ]
    return np.stack(places, axis=1).reshape(-1, rows * columns)
