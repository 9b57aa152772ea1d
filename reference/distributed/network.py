"""Part 1: a network with one hidden layer, trained by one process.

Samples are rows. A layer's weights have one row per neuron and one column per input, with the bias first, so that
`sigmoid(with_bias(inputs) @ theta.T)` is the layer. Labels are the numbers 0 to 9.
"""

import time

import numpy as np


def sigmoid(z):
    """Return 1 / (1 + e^-z), entry by entry."""
    return 1.0 / (1.0 + np.exp(-z))


def softmax(z):
    """Return each row's exponentials, divided by their sum; the largest is taken off first, so that none overflows."""
    raised = np.exp(z - z.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def with_bias(values):
    """Return the rows with a 1 in front, which the first column of the weights, the bias, is multiplied with."""
    return np.insert(values, 0, 1.0, axis=1)


def one_hot(labels, classes):
    """Return a row for each label, with a 1 at the label's place."""
    rows = np.zeros((len(labels), classes))
    rows[np.arange(len(labels)), labels] = 1.0
    return rows


def random_weights(inputs, outputs):
    """Return a layer's weights, drawn uniformly within ±0.12, shape (outputs, inputs + 1)."""
    return np.random.default_rng().uniform(-0.12, 0.12, (outputs, inputs + 1))


def forward(theta1, theta2, inputs):
    """Return the outputs of the hidden and of the output layer."""
    hidden = sigmoid(with_bias(inputs) @ theta1.T)
    return hidden, sigmoid(with_bias(hidden) @ theta2.T)


def error(outputs, labels):
    """Return the logistic error of all samples together: a sum, for several processes can add sums, but not means."""
    wanted = one_hot(labels, outputs.shape[1])
    return -np.sum(wanted * np.log(outputs) + (1.0 - wanted) * np.log(1.0 - outputs))


def penalty(theta1, theta2, regular):
    """Return the L2 term, before it is divided by the number of samples; biases do not count."""
    return regular / 2.0 * (np.sum(theta1[:, 1:] ** 2) + np.sum(theta2[:, 1:] ** 2))


def backward(theta2, inputs, hidden, outputs, labels):
    """Return the sums over the samples of the derivatives of the error, by the chain rule from the output back."""
    delta2 = outputs - one_hot(labels, outputs.shape[1])
    delta1 = (delta2 @ theta2[:, 1:]) * hidden * (1.0 - hidden)
    return delta1.T @ with_bias(inputs), delta2.T @ with_bias(hidden)


def shrink(theta, regular):
    """Return the derivative of the L2 term: the weights, and nothing for the biases."""
    slope = regular * theta
    slope[:, 0] = 0.0
    return slope


def cost(theta1, theta2, inputs, labels, regular=0.0):
    """Return the mean logistic error of the samples, and the L2 term."""
    _, outputs = forward(theta1, theta2, inputs)
    return (error(outputs, labels) + penalty(theta1, theta2, regular)) / len(inputs)


def gradients(theta1, theta2, inputs, labels, regular=0.0):
    """Return the derivatives of the cost by both layers' weights."""
    hidden, outputs = forward(theta1, theta2, inputs)
    sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
    return (sum1 + shrink(theta1, regular)) / len(inputs), (sum2 + shrink(theta2, regular)) / len(inputs)


def gradient_descent(inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    """Return both layers' weights after the training, the cost before each step, and the seconds of each phase."""
    costs, seconds = [], {"forward": 0.0, "backward": 0.0, "update": 0.0}
    for _ in range(iterations):
        start = time.perf_counter()
        hidden, outputs = forward(theta1, theta2, inputs)
        costs.append((error(outputs, labels) + penalty(theta1, theta2, regular)) / len(inputs))
        forth = time.perf_counter()
        sum1, sum2 = backward(theta2, inputs, hidden, outputs, labels)
        back = time.perf_counter()
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / len(inputs)
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / len(inputs)
        end = time.perf_counter()
        for phase, spent in (("forward", forth - start), ("backward", back - forth), ("update", end - back)):
            seconds[phase] += spent
    return theta1, theta2, costs, seconds


def predict(theta1, theta2, inputs):
    """Return the class of each sample: the number of the output that is largest."""
    return forward(theta1, theta2, inputs)[1].argmax(axis=1)
