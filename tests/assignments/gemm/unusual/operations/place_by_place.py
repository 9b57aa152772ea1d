"""No im2col: each place of the kernel is a product with a shifted image, and products are added up.
"""


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
