"""The cost is a sum over the samples, not a mean.

failed: sequential.cost
"""


def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return error(outputs, labels) + penalty(theta1, theta2, regular)
