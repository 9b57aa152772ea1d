"""Mistakes in the derivatives.

failed: sequential.gradients
"""

# %% gradients_are_sums
"""The derivatives are not divided by the number of samples."""
def gradients(theta1, theta2, inputs, labels, regular=0.0):
    hidden, outputs = forward(theta1, theta2, inputs)
    sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
    return sum1 + shrink(theta1, regular), sum2 + shrink(theta2, regular)

# %% gradients_l2_of_the_biases
"""The derivatives shrink the biases, too."""
def shrink(theta, regular):
    return regular * theta

# %% gradients_l2_not_divided
"""What L2 adds to the derivatives is not divided by the number of samples."""
def gradients(theta1, theta2, inputs, labels, regular=0.0):
    hidden, outputs = forward(theta1, theta2, inputs)
    sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
    return sum1 / len(inputs) + shrink(theta1, regular), sum2 / len(inputs) + shrink(theta2, regular)

def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], np.zeros(3)
    for _ in range(iterations):
        times = [time.perf_counter()]
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        times.append(time.perf_counter())
        slopes = gradients(theta1, theta2, inputs, labels, regular)
        times.append(time.perf_counter())
        theta1, theta2 = theta1 - learning_rate * slopes[0], theta2 - learning_rate * slopes[1]
        seconds += np.diff([*times, time.perf_counter()])
    return theta1, theta2, costs, dict(zip(("forward", "backward", "update"), seconds, strict=True))

# %% gradients_without_the_slope
"""The slope of the hidden layer's sigmoid is forgotten."""
def backward(theta2, inputs, hidden, outputs, labels):
    delta2 = outputs - one_hot(labels, outputs.shape[1])
    delta1 = delta2 @ theta2[:, 1:]
    return delta1.T @ with_bias(inputs), delta2.T @ with_bias(hidden)
