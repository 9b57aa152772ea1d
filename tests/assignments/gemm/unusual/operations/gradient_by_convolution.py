"""The derivative by the image is a convolution of dY, spread and turned; that by the kernels one of the image with dY.
"""


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
