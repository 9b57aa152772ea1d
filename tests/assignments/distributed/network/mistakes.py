"""Mistakes in `network.py`, and what each costs.

failed: sequential.cost
"""

# %% cost_is_the_sum
"""The cost is a sum over the samples, not a mean."""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return error(outputs, labels) + penalty(theta1, theta2, regular)

# %% cost_l2_of_the_biases
"""The L2 term of `cost` has the biases, too."""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    squares = np.sum(theta1**2) + np.sum(theta2**2)
    return (error(outputs, labels) + regular / 2 * squares) / len(inputs)

# %% cost_of_base_2
"""The logarithms of the cost are to base 2.

says: base 2
"""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return error(outputs, labels) / np.log(2) / len(inputs) + penalty(theta1, theta2, regular) / len(inputs)

# %% cost_over_outputs
"""The error is a mean over the outputs, too.

says: do not average them
"""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return (error(outputs, labels) / outputs.shape[1] + penalty(theta1, theta2, regular)) / len(inputs)

# %% cost_second_sign
"""The second term of the error has the wrong sign, in a function that all costs use."""
def error(outputs, labels):
    """Return the logistic error of all samples together: a sum, for several processes can add sums, but not means."""
    wanted = one_hot(labels, outputs.shape[1])
    return -np.sum(wanted * np.log(outputs) - (1.0 - wanted) * np.log(1.0 - outputs))

# %% cost_without_l2
"""The L2 term is forgotten in `cost`."""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return error(outputs, labels) / len(inputs)

# %% costs_after_the_step
"""The costs are those after each step.

failed: sequential.training
"""
def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(iterations):
        start = time.perf_counter()
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        seconds["backward"] += time.perf_counter() - start
        start = time.perf_counter()
        theta1, theta2 = theta1 - learning_rate * slope1, theta2 - learning_rate * slope2
        seconds["update"] += time.perf_counter() - start
        start = time.perf_counter()
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        seconds["forward"] += time.perf_counter() - start
    return theta1, theta2, costs, seconds

# %% no_timings
"""The seconds of the phases stay 0.

failed: sequential.timings
"""
def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(iterations):
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        theta1, theta2 = theta1 - learning_rate * slope1, theta2 - learning_rate * slope2
    return theta1, theta2, costs, seconds

# %% uphill
"""The step goes up the derivatives.

failed: sequential.training
"""
def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(iterations):
        start = time.perf_counter()
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        seconds["forward"] += time.perf_counter() - start
        start = time.perf_counter()
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        seconds["backward"] += time.perf_counter() - start
        start = time.perf_counter()
        theta1, theta2 = theta1 + learning_rate * slope1, theta2 + learning_rate * slope2
        seconds["update"] += time.perf_counter() - start
    return theta1, theta2, costs, seconds
