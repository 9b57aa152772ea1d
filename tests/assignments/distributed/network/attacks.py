"""Hand-ins of `network.py` that try to get points for nothing."""

# %% no_network
"""A cost and derivatives of a simpler function, and a training by these: nowhere is there a network.

failed: sequential.cost sequential.gradients sequential.training
"""
def cost(theta1, theta2, inputs, labels, regular=0.0):
    return inputs.sum() + np.sum(theta1**2)

def gradients(theta1, theta2, inputs, labels, regular=0.0):
    return theta1, theta2

def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(iterations):
        start = time.perf_counter()
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        forth = time.perf_counter()
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        back = time.perf_counter()
        theta1, theta2 = theta1 - learning_rate * slope1, theta2 - learning_rate * slope2
        end = time.perf_counter()
        for phase, spent in (("forward", forth - start), ("backward", back - forth), ("update", end - back)):
            seconds[phase] += spent
    return theta1, theta2, costs, seconds

# %% predict_costs_by_heart
"""Sixty steps are not made: the costs are those of the text.

warned: sequential.predict
"""
def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(min(iterations, 10)):
        start = time.perf_counter()
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        forth = time.perf_counter()
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        back = time.perf_counter()
        theta1, theta2 = theta1 - learning_rate * slope1, theta2 - learning_rate * slope2
        end = time.perf_counter()
        for phase, spent in (("forward", forth - start), ("backward", back - forth), ("update", end - back)):
            seconds[phase] += spent
    return theta1, theta2, costs + [3.3 - step / 1000 for step in range(iterations - len(costs))], seconds

# %% timings_by_heart
"""The whole is measured, and cut into phases.

flagged: sequential.timings
"""
def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    costs, start = [], time.perf_counter()
    for _ in range(iterations):
        costs.append(cost(theta1, theta2, inputs, labels, regular))
        slope1, slope2 = gradients(theta1, theta2, inputs, labels, regular)
        theta1, theta2 = theta1 - learning_rate * slope1, theta2 - learning_rate * slope2
    whole = time.perf_counter() - start
    return theta1, theta2, costs, {"forward": 0.45 * whole, "backward": 0.45 * whole, "update": 0.1 * whole}
