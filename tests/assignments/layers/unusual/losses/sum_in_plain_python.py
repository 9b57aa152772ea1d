"""The loss is added up in a loop.
"""


def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    total = 0.0
    for y_hat, y in zip(predictions.copy_to_host()[0], labels.copy_to_host()[0]):
        y_hat = min(max(y_hat, EPSILON), 1 - EPSILON)
        total -= math.log(y_hat) if y == 1 else math.log(1 - y_hat)
    return total / labels.shape[1]
