"""A kernel lays out the windows.
"""


import math


@cuda.jit
def lay_out(X, high, wide, stride, padding, across, columns):
    row, window = cuda.grid(2)
    if row < columns.shape[0] and window < columns.shape[1]:
        c, place = row // (high * wide), row % (high * wide)
        y = window // across * stride + place // wide - padding
        x = window % across * stride + place % wide - padding
        inside = 0 <= y < X.shape[1] and 0 <= x < X.shape[2]
        columns[row, window] = X[c, y, x] if inside else 0.0


def convolve(X, K, stride=1, padding=0):
    high, wide = K.shape[2:]
    rows, across = windows(X.shape[1:], (high, wide), stride, padding)
    columns = cuda.device_array((len(X) * high * wide, rows * across), np.float64)
    grid = math.ceil(columns.shape[0] / 16), math.ceil(columns.shape[1] / 16)
    lay_out[grid, (16, 16)](cuda.to_device(X), high, wide, stride, padding, across, columns)
    Y = cuda.device_array((len(K), rows * across), np.float64)
    gemm(1.0, cuda.to_device(K.reshape(len(K), -1)), columns, 0.0, Y)
    return Y.copy_to_host().reshape(len(K), rows, across)
