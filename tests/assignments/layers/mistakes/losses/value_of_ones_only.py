"""Samples with the label 0 do not count.

failed: loss.value
"""


def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat)))
