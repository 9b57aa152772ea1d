"""The slope of the hidden layer's sigmoid is forgotten.

failed: sequential.gradients
"""


def backward(theta2, inputs, hidden, outputs, labels):
    delta2 = outputs - one_hot(labels, outputs.shape[1])
    delta1 = delta2 @ theta2[:, 1:]
    return delta1.T @ with_bias(inputs), delta2.T @ with_bias(hidden)
