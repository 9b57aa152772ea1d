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
