"""Windows are a view with strides of its own; versions of the libraries are printed."""

from numpy.lib.stride_tricks import as_strided


def im2col(X, size, stride, padding):
    print("NumPy", np.__version__)
    rows, columns = windows(X.shape[1:], size, stride, padding)
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    channel, row, column = padded.strides
    shape = (len(X), *size, rows, columns)
    view = as_strided(padded, shape=shape, strides=(channel, row, column, stride * row, stride * column))
    return view.reshape(-1, rows * columns)
