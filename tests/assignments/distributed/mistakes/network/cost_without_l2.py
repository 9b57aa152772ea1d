"""The L2 term is forgotten in `cost`.

failed: sequential.cost
"""


def cost(theta1, theta2, inputs, labels, regular=0.0):
    _, outputs = forward(theta1, theta2, inputs)
    return error(outputs, labels) / len(inputs)
