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
