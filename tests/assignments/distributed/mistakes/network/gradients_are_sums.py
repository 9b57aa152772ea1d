"""The derivatives are not divided by the number of samples.

failed: sequential.gradients
"""


def gradients(theta1, theta2, inputs, labels, regular=0.0):
    hidden, outputs = forward(theta1, theta2, inputs)
    sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
    return sum1 + shrink(theta1, regular), sum2 + shrink(theta2, regular)
