"""Mistakes in `operations.py`, and what each costs.

failed: operations.convolve
"""

# %% convolve_by_numpy
"""NumPy multiplies."""
def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = K.reshape(len(K), -1) @ im2col(X, size, stride, padding)
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% convolve_ignores_padding
"""Padding is always 0."""
def convolve(X, K, stride=1, padding=0):
    padding = 0
    size = K.shape[2:]
    Y = multiply(K.reshape(len(K), -1), im2col(X, size, stride, padding))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% convolve_ignores_stride
"""Stride is always 1."""
def convolve(X, K, stride=1, padding=0):
    stride = 1
    size = K.shape[2:]
    Y = multiply(K.reshape(len(K), -1), im2col(X, size, stride, padding))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% convolve_square_only
"""The width of a convolution is computed from the height."""
def windows(shape, size, stride, padding):
    """Return how many rows and columns a convolution's result has, for images and kernels of these heights and widths."""
    rows = (shape[0] + 2 * padding - size[0]) // stride + 1
    return rows, rows

# %% convolve_turns_the_kernel
"""The kernel is turned round, as in mathematics."""
def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(np.ascontiguousarray(K[:, :, ::-1, ::-1]).reshape(len(K), -1), im2col(X, size, stride, padding))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% gradients_keep_the_padding
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

# %% gradients_overwrite
"""Copies of a number overwrite each other instead of being added.

failed: operations.gradients
"""
def col2im(columns, shape, size, stride, padding):
    channels, height, width = shape
    rows, across = windows(shape[1:], size, stride, padding)
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    parts = columns.reshape(channels, *size, rows, across)
    for i in range(size[0]):
        for j in range(size[1]):
            padded[:, i : i + stride * rows : stride, j : j + stride * across : stride] = parts[:, i, j]
    return padded[:, padding : padding + height, padding : padding + width]

# %% windows_in_another_order
"""A window's numbers go column by column, and those of K row by row, in both functions.

flagged: operations.gradients
"""
def im2col(X, size, stride, padding):
    rows, columns = windows(X.shape[1:], size, stride, padding)
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    places = [
        padded[:, i : i + stride * rows : stride, j : j + stride * columns : stride]
        for j in range(size[1])
        for i in range(size[0])
    ]
    return np.stack(places, axis=1).reshape(-1, rows * columns)

# %% windows_without_the_last
"""Both functions leave out the last windows of rows and columns."""
def windows(shape, size, stride, padding):
    return tuple((length + 2 * padding - width) // stride for length, width in zip(shape, size, strict=True))
