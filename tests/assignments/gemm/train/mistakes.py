"""Mistakes in `train.py`, and what each costs.

failed: train.curves
"""

# %% curves_as_two_lists
"""`train` returns two lists in place of one array of curves, and `choose_lambda` takes all three values."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    learnt_curve, unseen_curve = [], []
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for batch in np.split(order, range(batch_size, X.shape[1], batch_size)):
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        learnt_curve.append(cross_entropy(parameters, *learnt))
        unseen_curve.append(cross_entropy(parameters, *unseen))
    return [one.copy_to_host() for one in parameters], learnt_curve, unseen_curve

def choose_lambda(grid, *settings):
    ends = [train(*settings[:3], lam, *settings[3:])[2][-1] for lam in grid]
    return grid[int(np.argmin(ends))]

# %% curves_exchanged
"""The curves hold validation first."""
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
        curves[epoch] = cross_entropy(parameters, *unseen), cross_entropy(parameters, *learnt)
    return [one.copy_to_host() for one in parameters], curves

# %% curves_first
"""`train` returns the curves first."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for batch in np.split(order, range(batch_size, X.shape[1], batch_size)):
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return curves, [one.copy_to_host() for one in parameters]

def choose_lambda(grid, *settings):
    ends = [train(*settings[:3], lam, *settings[3:])[0][-1, 1] for lam in grid]
    return grid[int(np.argmin(ends))]

# %% curves_in_columns
"""Curves have a row for training and one for validation, and the other functions take them so."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((2, epochs))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[:, epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves

def choose_lambda(grid, *settings):
    ends = [train(*settings[:3], lam, *settings[3:])[1][1, -1] for lam in grid]
    return grid[int(np.argmin(ends))]

def diagnose(curves):
    training, validation = curves[0][-1], curves[1][-1]
    if validation > OVERFITTED * training:
        return "larger"
    return "smaller" if training > HARDLY_LEARNT else "keep"

# %% curves_of_each_batch
"""The curves have a row for each batch."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = []
    for _ in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1], batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
            curves.append((cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)))
    return [one.copy_to_host() for one in parameters], np.array(curves)

# %% curves_with_lambda
"""The curves hold J instead of the cross-entropy."""
def cross_entropy(parameters, X, Y):
    _, P = forward(*parameters, X)
    return loss(parameters, P, Y, 1e-4)

# %% diagnosis_by_training_only
"""Only the training curve is looked at.

failed: train.overfitting
"""
def diagnose(curves):
    training = curves[-1][0]
    return "smaller" if training > HARDLY_LEARNT else "keep"

# %% diagnosis_exchanged
"""Overfitting asks for less regularisation.

failed: train.overfitting
"""
def diagnose(curves):
    training, validation = curves[-1]
    if validation > OVERFITTED * training:
        return "smaller"
    return "larger" if training > HARDLY_LEARNT else "keep"

# %% labels_exchanged
"""Labels do not follow their samples into the batches.

failed: train.accuracy
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
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, start : start + batch_size].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves

# %% no_update
"""Parameters stay as they are drawn.

failed: train.accuracy train.curves
"""
def update(parameters, slopes, learning_rate):
    pass

# %% one_batch_per_epoch
"""Only the first batch of an epoch is learnt.

failed: train.accuracy
"""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        batch = rng.permutation(X.shape[1])[:batch_size]
        X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
        update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves

# %% parameters_in_another_order
"""`train` returns [W1, W2, b1, b2]."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for batch in np.split(order, range(batch_size, X.shape[1], batch_size)):
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [parameters[place].copy_to_host() for place in (0, 2, 1, 3)], curves

# %% parameters_left_on_the_device
"""The parameters are not copied back when the training has ended."""
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
    return parameters, curves

# %% train_drops_the_rest
"""The last, smaller batch is dropped."""
def train(samples, validation, hidden, lam, learning_rate, batch_size, epochs, seed):
    rng = np.random.default_rng(seed)
    X, Y = samples
    parameters = [cuda.to_device(one) for one in draw_parameters(X.shape[0], hidden, Y.shape[0], seed)]
    learnt, unseen = ([cuda.to_device(one) for one in pair] for pair in (samples, validation))
    curves = np.zeros((epochs, 2))
    for epoch in range(epochs):
        order = rng.permutation(X.shape[1])
        for start in range(0, X.shape[1] - batch_size + 1, batch_size):
            batch = order[start : start + batch_size]
            X_batch, Y_batch = cuda.to_device(X[:, batch].copy()), cuda.to_device(Y[:, batch].copy())
            update(parameters, gradients(*parameters, X_batch, Y_batch, lam), learning_rate)
        curves[epoch] = cross_entropy(parameters, *learnt), cross_entropy(parameters, *unseen)
    return [one.copy_to_host() for one in parameters], curves
