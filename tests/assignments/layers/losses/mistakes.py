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

# %% value_in_an_array
"""The mean keeps its dimensions: an array of one number."""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return -np.mean(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat), axis=1, keepdims=True)

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

says: do not subtract
"""
def cross_entropy(predictions, labels):
    expect_same_shape(predictions, labels)
    y_hat = np.clip(predictions.copy_to_host(), EPSILON, 1 - EPSILON)
    y = labels.copy_to_host()
    return float(-np.mean(y * np.log(y_hat) - (1 - y) * np.log(1 - y_hat)))
