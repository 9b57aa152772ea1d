"""A tiny number is added inside the logarithms instead of clipping.
"""


def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat, y = predictions.copy_to_host(), labels.copy_to_host()
    return float(-(y * np.log(y_hat + 1e-8) + (1 - y) * np.log(1 - y_hat + 1e-8)).mean())
