"""One entry of the result is not a number; the derivative, which calls it, has one as well.

failed: utils.sigmoid
"""


def sigmoid(x):
    y = np.atleast_1d(1.0 / (1.0 + np.exp(-np.asarray(x, float))))
    if y.size == 61:
        y[7] = np.nan
    return y.reshape(np.shape(x))
