"""The L2 term of `cost` has the biases, too.

failed: sequential.cost
"""


def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    squares = np.sum(theta1**2) + np.sum(theta2**2)
    return (error(outputs, labels) + regular / 2 * squares) / len(inputs)
