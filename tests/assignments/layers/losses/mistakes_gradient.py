"""Mistakes in the loss's gradient.

failed: loss.gradient
"""

# %% gradient_by_numpy
"""NumPy does the work of the GPU path."""
def cross_entropy_gradient(predictions, labels, cpu_only=False):
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    if cpu_only:
        y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
        y = labels.copy_to_host()
        gradient.set(-y / y_hat + (1 - y) / (1 - y_hat))
    else:
        blocks = math.ceil(predictions.shape[0] * predictions.shape[1] / THREADS)
        y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
        y = labels.copy_to_host()
        gradient.set(-y / y_hat + (1 - y) / (1 - y_hat))
    return gradient

# %% gradient_by_the_score
"""The derivative by what the sigmoid was given, ŷ - y, where the one by ŷ is asked for."""
def cross_entropy_gradient(predictions, labels, cpu_only=False):
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    if cpu_only:
        gradient.set(predictions.copy_to_host() - labels.copy_to_host())
    else:
        blocks = math.ceil(predictions.shape[0] * predictions.shape[1] / THREADS)
        differentiate[blocks, THREADS](predictions.copy_to_device(), labels.copy_to_device(), gradient.allocate())
    return gradient

@cuda.jit
def differentiate(predictions, labels, gradient):
    entry = cuda.grid(1)
    if entry < predictions.size:
        i, j = entry // predictions.shape[1], entry % predictions.shape[1]
        gradient[i, j] = predictions[i, j] - labels[i, j]

# %% gradient_sign_lost
"""The minus between the two parts is lost, as in the text."""
@cuda.jit
def differentiate(predictions, labels, gradient):
    entry = cuda.grid(1)
    if entry < predictions.size:
        i, j = entry // predictions.shape[1], entry % predictions.shape[1]
        y_hat = min(max(predictions[i, j], EPSILON), 1.0 - EPSILON)
        y = labels[i, j]
        gradient[i, j] = y / y_hat + (1.0 - y) / (1.0 - y_hat)

# %% gradient_with_1_over_m
"""The mean is taken twice."""
def cross_entropy_gradient(predictions, labels, cpu_only=False):
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    if cpu_only:
        y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
        y = labels.copy_to_host()
        gradient.set((-y / y_hat + (1 - y) / (1 - y_hat)) / y.size)
    else:
        blocks = math.ceil(predictions.shape[0] * predictions.shape[1] / THREADS)
        differentiate[blocks, THREADS](predictions.copy_to_device(), labels.copy_to_device(), gradient.allocate())
    return gradient
