"""The derivative by X has the frame of padding.

failed: operations.gradients
"""


def col2im(columns, shape, size, stride, padding):
    channels, height, width = shape
    rows, across = windows(shape[1:], size, stride, padding)
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    parts = columns.reshape(channels, *size, rows, across)
    for i in range(size[0]):
        for j in range(size[1]):
            padded[:, i : i + stride * rows : stride, j : j + stride * across : stride] += parts[:, i, j]
    return padded
