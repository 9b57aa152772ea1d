"""Every rank gets all samples and trains alone, by the sequential function.

failed: data.once data.work
flagged: data.work
"""


from network import backward, error, forward, gradient_descent, penalty, shrink


def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    inputs, labels, theta1, theta2 = comm.bcast((inputs, labels, theta1, theta2), root=0)
    return gradient_descent(inputs, labels, theta1, theta2, learning_rate, iterations, regular)[:3]
