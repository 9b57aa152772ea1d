"""Mistakes in `losses.py`, and what each costs.

failed: loss.value
"""

# %% constants
"""Constants stand for the loss and its slopes, which are large enough for wrong predictions.

failed: loss.value, loss.gradient, loss.extremes
"""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    return 1.0

def cross_entropy_gradient(predictions, labels, cpu_only=False):
    expect_same_shape(predictions, labels)
    gradient = Matrix(*predictions.shape)
    gradient.set(np.full(predictions.shape, 2.0))
    return gradient

# %% gradient_by_numpy
"""NumPy does the work of the GPU path.

failed: loss.gradient
"""
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

# %% gradient_sign_lost
"""The minus between the two parts is lost, as in the text.

failed: loss.gradient
"""
@cuda.jit
def differentiate(predictions, labels, gradient):
    entry = cuda.grid(1)
    if entry < predictions.size:
        i, j = entry // predictions.shape[1], entry % predictions.shape[1]
        y_hat = min(max(predictions[i, j], EPSILON), 1.0 - EPSILON)
        y = labels[i, j]
        gradient[i, j] = y / y_hat + (1.0 - y) / (1.0 - y_hat)

# %% gradient_with_1_over_m
"""The mean is taken twice.

failed: loss.gradient
"""
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

# %% not_safe_at_0_and_1
"""Predictions are used as they are.

failed: loss.extremes
"""
EPSILON = 0.0

# %% shapes_unchecked
"""Labels of another shape are taken.

failed: layers.shapes
"""
def expect_same_shape(predictions, labels):
    pass

# %% value_as_in_the_text
"""The minus in front is lost."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(np.mean(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))

# %% value_is_the_sum
"""The sum instead of the mean."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.sum(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))

# %% value_of_base_2
"""Logarithms to base 2.

says: base 2
"""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.mean(y * np.log2(y_hat) + (1 - y) * np.log2(1 - y_hat)))

# %% value_of_ones_only
"""Samples with the label 0 do not count."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat)))

# %% value_sign_of_the_second_part
"""The two parts of the sum are subtracted; 0 and 1 are kept away from the logarithms all the same.

says: added, not subtracted
"""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat) - (1 - y) * np.log(1 - y_hat)))
