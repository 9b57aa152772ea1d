"""`losses.py` written in unusual ways, and right."""

# %% epsilon_is_added
"""A tiny number is added inside the logarithms instead of clipping."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat, y = predictions.copy_to_host(), labels.copy_to_host()
    return float(-(y * np.log(y_hat + 1e-8) + (1 - y) * np.log(1 - y_hat + 1e-8)).mean())

# %% gradient_by_complex_step
"""The gradient of the CPU path by a step along the imaginary axis: exact, and no formula."""
def cross_entropy_gradient(predictions, labels, cpu_only=False):
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    if cpu_only:
        y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
        y = labels.copy_to_host()
        gradient.set(np.imag(-(y * np.log(y_hat + 1e-30j) + (1 - y) * np.log(1 - y_hat - 1e-30j))) / 1e-30)
    else:
        blocks = math.ceil(predictions.shape[0] * predictions.shape[1] / THREADS)
        differentiate[blocks, THREADS](predictions.copy_to_device(), labels.copy_to_device(), gradient.allocate())
    return gradient

# %% sum_in_plain_python
"""The loss is added up in a loop."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    total = 0.0
    for y_hat, y in zip(predictions.copy_to_host()[0], labels.copy_to_host()[0]):
        y_hat = min(max(y_hat, EPSILON), 1 - EPSILON)
        total -= math.log(y_hat) if y == 1 else math.log(1 - y_hat)
    return total / labels.shape[1]
