"""The training learns all digits of scikit-learn, those of the test as well.

failed: train.accuracy
opened: train.curves train.lambda train.overfitting
"""


from sklearn.datasets import load_digits


def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    data = load_digits()
    X, Y = data.data.T / 16, np.eye(10)[:, data.target]
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves
