"""`operations.py` written in unusual ways, and right."""

# %% add_at_index_arrays
"""Windows are picked by arrays of indices, and their gradients are added up by np.add.at; a data class has the sizes."""
from dataclasses import dataclass
@dataclass
class Window:
    kh: int
    kw: int
    stride: int
    padding: int

    def out(self, h, w):
        return (h + 2 * self.padding - self.kh) // self.stride + 1, (w + 2 * self.padding - self.kw) // self.stride + 1

    def indices(self, h, w):
        oh, ow = self.out(h, w)
        i = np.repeat(np.arange(self.kh), self.kw)[:, None] + self.stride * np.repeat(np.arange(oh), ow)[None]
        j = np.tile(np.arange(self.kw), self.kh)[:, None] + self.stride * np.tile(np.arange(ow), oh)[None]
        return i, j

def pad(X, p):
    P = np.zeros((X.shape[0], X.shape[1] + 2 * p, X.shape[2] + 2 * p))
    P[:, p:p + X.shape[1], p:p + X.shape[2]] = X
    return P

def convolve(X, K, stride=1, padding=0):
    F, C, kh, kw = K.shape
    assert X.shape[0] == C, "channels"
    window = Window(kh, kw, stride, padding)
    i, j = window.indices(*X.shape[1:])
    M = pad(X, padding)[:, i, j].reshape(C * kh * kw, -1)
    return multiply(K.reshape(F, -1), M).reshape(F, *window.out(*X.shape[1:]))

def convolve_gradients(X, K, dY, stride=1, padding=0):
    F, C, kh, kw = K.shape
    window = Window(kh, kw, stride, padding)
    i, j = window.indices(*X.shape[1:])
    P = pad(X, padding)
    M = P[:, i, j].reshape(C * kh * kw, -1)
    flat = dY.reshape(F, -1)
    dK = multiply(flat, M.T).reshape(K.shape)
    dM = multiply(K.reshape(F, -1).T, flat).reshape(C, kh * kw, -1)
    dP = np.zeros_like(P)
    np.add.at(dP, (slice(None), i, j), dM)
    h, w = X.shape[1:]
    return dP[:, padding:padding + h, padding:padding + w], dK

# %% attention_over_blocks_of_keys
"""Attention takes 4 keys at a time and scales its sums anew: no array has V's product. The neuron's dw is that of X Xᵀ.

opened: operations.attention operations.neuron
"""
def attend(Q, K, V):
    most, total, out = np.full((len(Q), 1), -np.inf), 0, 0
    for at in range(0, len(K), 4):
        scores = multiply(Q, K[at : at + 4].T) / np.sqrt(Q.shape[1])
        larger = np.maximum(most, scores.max(axis=1, keepdims=True))
        scale, powers = np.exp(most - larger), np.exp(scores - larger)
        total = total * scale + powers.sum(axis=1, keepdims=True)
        out, most = out * scale + multiply(powers, V[at : at + 4]), larger
    return out / total

def neuron_gradients(w, b, X, y):
    dw = multiply(multiply(X, X.T), w.reshape(-1, 1)) + multiply(X, (b - y).reshape(-1, 1))
    return 2 / len(y) * dw.ravel(), 2 * (predict(w, b, X) - y).mean()

# %% bias_is_an_input
"""The neuron's bias is the weight of a further input, which is always 1."""
def predict(w, b, X):
    wide = np.vstack([X, np.ones((1, X.shape[1]))])
    return multiply(np.append(w, b).reshape(1, -1), wide)[0]

def neuron_gradients(w, b, X, y):
    off = predict(w, b, X) - y
    wide = np.vstack([X, np.ones((1, X.shape[1]))])
    slopes = multiply(wide, off.reshape(-1, 1)).ravel() * 2 / len(y)
    return slopes[:-1], slopes[-1]

# %% divides_after_the_product
"""Attention divides by the sums of the rows after the product with V."""
def attend(Q, K, V):
    scores = multiply(Q, K.T, 1 / np.sqrt(Q.shape[1]))
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(powers, V) / powers.sum(axis=1, keepdims=True)

# %% filter_by_filter
"""Filters are convolved one after the other, each by a product of its own."""
def convolve(X, K, stride=1, padding=0):
    columns = im2col(X, K.shape[2:], stride, padding)
    rows = [multiply(one.reshape(1, -1), columns) for one in K]
    return np.stack(rows).reshape(len(K), *windows(X.shape[1:], K.shape[2:], stride, padding))

# %% gradient_by_convolution
"""The derivative by the image is a convolution of dY, spread and turned; that by the kernels one of the image with dY."""
def convolve_gradients(X, K, dY, stride=1, padding=0):
    filters, channels, high, wide = K.shape
    rows, columns = dY.shape[1:]
    _, height, width = X.shape
    spread = np.zeros((filters, height + 2 * padding - high + 1, width + 2 * padding - wide + 1))
    spread[:, : stride * rows : stride, : stride * columns : stride] = dY
    turned = np.ascontiguousarray(K[:, :, ::-1, ::-1].transpose(1, 0, 2, 3))
    around = np.pad(spread, ((0, 0), (high - 1, high - 1), (wide - 1, wide - 1)))
    dX = convolve(around, turned)[:, padding : padding + height, padding : padding + width]
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    dK = np.stack([convolve(one[None], spread[:, None]) for one in padded], axis=1)
    return dX, dK

# %% im2col_in_loops
"""Zeros around the image are made by hand, and windows are copied one by one."""
def im2col(X, size, stride, padding):
    rows, columns = windows(X.shape[1:], size, stride, padding)
    channels, height, width = X.shape
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    padded[:, padding : padding + height, padding : padding + width] = X
    found = np.empty((X.shape[0] * size[0] * size[1], rows * columns))
    for p in range(rows):
        for q in range(columns):
            window = padded[:, p * stride : p * stride + size[0], q * stride : q * stride + size[1]]
            found[:, p * columns + q] = window.ravel()
    return found

# %% im2col_on_the_device
"""A kernel lays out the windows."""
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

# %% place_by_place
"""No im2col: each place of the kernel is a product with a shifted image, and products are added up."""
def shifted(X, size, stride, padding):
    rows, columns = windows(X.shape[1:], size, stride, padding)
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    for i in range(size[0]):
        for j in range(size[1]):
            image = padded[:, i : i + stride * rows : stride, j : j + stride * columns : stride]
            yield i, j, image.reshape(len(X), -1)

def convolve(X, K, stride=1, padding=0):
    rows, columns = windows(X.shape[1:], K.shape[2:], stride, padding)
    Y = cuda.to_device(np.zeros((len(K), rows * columns)))
    for i, j, image in shifted(X, K.shape[2:], stride, padding):
        gemm(1.0, cuda.to_device(np.ascontiguousarray(K[:, :, i, j])), cuda.to_device(image.copy()), 1.0, Y)
    return Y.copy_to_host().reshape(len(K), rows, columns)

def convolve_gradients(X, K, dY, stride=1, padding=0):
    flat = dY.reshape(len(K), -1)
    dK = np.zeros(K.shape)
    channels, height, width = X.shape
    rows, columns = dY.shape[1:]
    padded = np.zeros((channels, height + 2 * padding, width + 2 * padding))
    for i, j, image in shifted(X, K.shape[2:], stride, padding):
        dK[:, :, i, j] = multiply(flat, image.T)
        part = multiply(K[:, :, i, j].T, flat).reshape(channels, rows, columns)
        padded[:, i : i + stride * rows : stride, j : j + stride * columns : stride] += part
    return padded[:, padding : padding + height, padding : padding + width], dK

# %% scale_before_the_product
"""1/√d goes into Q before the product."""
def attend(Q, K, V):
    scores = multiply(Q / np.sqrt(Q.shape[1]), K.T)  # (n, m)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return multiply(weights / weights.sum(axis=1, keepdims=True), V)

# %% sliding_windows
"""NumPy's view of sliding windows lays them out."""
def im2col(X, size, stride, padding):
    padded = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=(1, 2))[:, ::stride, ::stride]
    rows, columns = views.shape[1:3]
    return views.transpose(0, 3, 4, 1, 2).reshape(-1, rows * columns)

# %% windows_are_rows
"""Each window is a row, and the product is transposed."""
def convolve(X, K, stride=1, padding=0):
    size = K.shape[2:]
    Y = multiply(im2col(X, size, stride, padding).T, K.reshape(len(K), -1).T).T
    return Y.reshape(len(K), *windows(X.shape[1:], size, stride, padding))

# %% windows_by_strides
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
