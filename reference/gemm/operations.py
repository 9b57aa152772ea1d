"""Operations of networks as products of matrices: convolution, a linear neuron, attention. NumPy arrays in and out.

Our own gemm computes all products of matrices; the host only arranges numbers.
"""

import numpy as np
from gemm import gemm
from numba import cuda


def multiply(A, B, alpha=1.0):
    """Return alpha A B by our gemm, NumPy arrays in and out; transposed views go to the device as they lie."""
    C = cuda.device_array((A.shape[0], B.shape[1]), np.float64)
    gemm(alpha, to_device(A), to_device(B), 0.0, C)
    return C.copy_to_host()


def to_device(matrix):
    """Return a matrix on the device, in the order in which its numbers lie; with gaps between them, as a copy."""
    whole = matrix.flags.c_contiguous or matrix.flags.f_contiguous
    return cuda.to_device(matrix if whole else np.ascontiguousarray(matrix))


def windows(shape, size, stride, padding):
    """Return how many rows and columns a convolution's result has, for images and kernels of these heights and widths.

    The first window begins `padding` before the edge, each next one `stride` further, and the last that fits counts.
    """
    return tuple((length + 2 * padding - width) // stride + 1 for length, width in zip(shape, size, strict=True))


def im2col(X, size, stride, padding):
    """Return a matrix with a column for each window, and a row for each place in it.

    X is (channels, height, width); the result is (channels · kernel height · kernel width, windows). A number of the
    image is in as many columns as there are windows over it: this copying is the price of the product.
    """
    rows, columns = windows(X.shape[1:], size, stride, padding)
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    places = [
        padded[:, i : i + stride * rows : stride, j : j + stride * columns : stride]
        for i in range(size[0])
        for j in range(size[1])
    ]
    return np.stack(places, axis=1).reshape(-1, rows * columns)


def col2im(columns, shape, size, stride, padding):
    """Return the image in which each number is the sum of all its copies in `columns`: im2col's transpose."""
    channels, height, width = shape
    rows, across = windows(shape[1:], size, stride, padding)
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    parts = columns.reshape(channels, *size, rows, across)
    for i in range(size[0]):
        for j in range(size[1]):
            padded[:, i : i + stride * rows : stride, j : j + stride * across : stride] += parts[:, i, j]
    return padded[:, padding : padding + height, padding : padding + width]


def convolve(X, K, stride=1, padding=0):
    """Return Y[f, p, q] = sum over c, i, j of K[f, c, i, j] X[c, p stride + i - padding, q stride + j - padding].

    X is (channels, height, width), zero beyond its edges; K is (filters, channels, kernel height, kernel width). As a
    product: (filters, c i j) times (c i j, windows).
    """
    size = K.shape[2:]
    Y = multiply(K.reshape(len(K), -1), im2col(X, size, stride, padding))
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))


def convolve_gradients(X, K, dY, stride=1, padding=0):
    """Return dX and dK, the derivatives of a loss L by X and K, where dY is that by Y.

    Y = K M with M = im2col(X), so that dK = dY Mᵀ and dM = Kᵀ dY; each number of X gets the sum over its copies in M.
    """
    size = K.shape[2:]
    flat, kernels = dY.reshape(len(K), -1), K.reshape(len(K), -1)
    dK = multiply(flat, im2col(X, size, stride, padding).T).reshape(K.shape)
    return col2im(multiply(kernels.T, flat), X.shape, size, stride, padding), dK


def predict(w, b, X):
    """Return a = wᵀ X + b, (n,): a linear neuron, w (inputs,), for n samples, X (inputs, n)."""
    return multiply(w.reshape(1, -1), X).ravel() + b


def neuron_gradients(w, b, X, y):
    """Return dw (inputs,) and db, the derivatives of the mean of (a - y)² over the samples.

    With one input and one sample: dw = 2 x (a - y) and db = 2 (a - y).
    """
    off = predict(w, b, X) - y
    return multiply(X, off.reshape(-1, 1), 2.0 / len(off)).ravel(), 2.0 * off.mean()


def attend(Q, K, V):
    """Return softmax(Q Kᵀ / √d) V, the softmax over each row; Q is (n, d), K (m, d), V (m, v), the result (n, v)."""
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)
