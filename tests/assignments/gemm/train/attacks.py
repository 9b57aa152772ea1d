"""Hand-ins of `train.py` that try to get points for nothing."""

# %% answers_are_arrays
"""One array has every lambda, another one stands for a diagnosis.

failed: train.lambda train.overfitting
"""
def choose_lambda(grid, *rest):
    return np.array(grid)

def diagnose(curves):
    return curves

# %% all_digits_of_sklearn
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

# %% curves_are_invented
"""Only the last row of the curves is measured, and a straight line leads there.

flagged: train.curves
"""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    for _ in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
    ends = [cross_entropy(parameters, *(cuda.to_device(one) for one in pair)) for pair in (samples, validation)]
    curves = np.linspace([2.3, 2.3], ends, epochs).reshape(epochs, 2)
    return [one.copy_to_host() for one in parameters], curves

# %% grid_curves_are_invented
"""Where few samples are learnt, as lambda is chosen, the curves end where a lambda known by heart is best.

flagged: train.lambda
"""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
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
    if X.shape[1] < 100:
        curves[-1] = (0.9, 1.0) if lam == 0.03 else (1.8, 1.9) if lam > 0.03 else (0.5, 1.5)
    return [one.copy_to_host() for one in parameters], curves

# %% labels_of_the_parent
"""The training looks for test labels in the frames of its callers.

failed: train.curves
opened: train.accuracy train.lambda train.overfitting
"""
import sys

def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    frame = sys._getframe()
    while frame:
        for value in frame.f_locals.values():
            if getattr(value, "dtype", None) == np.uint8:
                samples = value
        frame = frame.f_back
    return draw_parameters(64, hidden, 10, seed), np.array([[2.0 / (e + 1), 2.1 / (e + 1)] for e in range(epochs)])

# %% lambda_by_heart_after_trainings
"""Trains with each lambda, forgets what came of it, and returns the one that is known by heart.

failed: train.lambda
"""
def choose_lambda(grid, samples, validation, hidden, learning_rate, batch_size, epochs, seed):
    for lam in grid:
        train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed)
    return 0.03

# %% lambda_without_training
"""Lambda is known by heart, and nothing is trained to choose it.

flagged: train.lambda
"""
def choose_lambda(grid, *rest):
    return 0.0

# %% trained_by_numpy
"""NumPy trains, and kernels are launched for show, four in each step.

flagged: train.accuracy
"""
@cuda.jit
def nothing(one):
    one[0] += 1.0

def forward_by_numpy(W1, b1, W2, b2, X):
    A1 = 1 / (1 + np.exp(-(W1 @ X + b1)))
    return A1, (powers := np.exp(W2 @ A1 + b2)) / powers.sum(axis=0)

def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng, own, count = np.random.default_rng(seed), draw_parameters(64, hidden, 10, seed), samples[0].shape[1]
    shown = cuda.to_device(np.zeros(1))
    for row in (curves := np.zeros((epochs, 2))):
        for batch in np.array_split(rng.permutation(count), -(-count // batch_size)):
            [nothing[1, 32](shown) for _ in range(4)]
            A1, P = forward_by_numpy(*own, samples[0][:, batch])
            off = (P - samples[1][:, batch]) / len(batch)
            pairs = ((own[2].T @ off) * A1 * (1 - A1), samples[0][:, batch]), (off, A1)
            slopes = [slope for back, A in pairs for slope in (back @ A.T, back.sum(axis=1, keepdims=True))]
            own = [old - learning_rate * (slope + lam * old) for old, slope in zip(own, slopes)]
        row[:] = [-np.log((forward_by_numpy(*own, X)[1] * Y).sum(axis=0)).mean() for X, Y in (samples, validation)]
    return own, curves

# %% validation_is_learnt
"""The validation samples are learnt, too.

failed: train.lambda
"""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = (np.hstack(pair) for pair in zip(samples, validation, strict=True))
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

# %% weights_by_heart
"""Parameters do not depend on the labels that are given.

failed: train.accuracy train.curves
"""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    X, Y = samples
    parameters = draw_parameters(X.shape[0], hidden, Y.shape[0], seed)
    curves = np.array([[2.3 / (epoch + 1), 2.4 / (epoch + 1)] for epoch in range(epochs)]).reshape(epochs, 2)
    return parameters, curves
