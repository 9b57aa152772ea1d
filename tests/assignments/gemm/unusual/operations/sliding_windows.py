"""NumPy's view of sliding windows lays them out.
"""


def im2col(X, size, stride, padding):
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=(1, 2))[:, ::stride, ::stride]
    rows, columns = views.shape[1:3]
    return views.transpose(0, 3, 4, 1, 2).reshape(-1, rows * columns)
