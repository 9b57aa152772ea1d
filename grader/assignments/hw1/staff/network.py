"""A fully connected network that learns with stochastic gradient descent, built from the functions in `utils.py`.

Layer 0 is the input and layer L the output. Rows are samples. For the layers l = 1 … L, in a mini-batch of s samples:

    forward     z_l = a_(l-1) @ w_l + b_l                        a_l = sigmoid(z_l)
    backward    δ_L = (a_L - y) * sigmoid_prime(z_L)             (squared error)
                δ_l = (δ_(l+1) @ w_(l+1).T) * sigmoid_prime(z_l)
    gradients   dw_l = a_(l-1).T @ δ_l                           db_l = sum of the rows of δ_l
    step        w_l = w_l - rate * dw_l                          b_l = b_l - rate * db_l

Gradients are sums over the mini-batch, not means: a learning rate fits one batch size.

What this file relies on in `utils.py`:

- `random_weights(sizes)` returns L matrices of shapes (sizes[i], sizes[i + 1]);
- `zeros_biases(sizes)` returns one vector per layer 1 … L; one more entry in front, for the input layer, is ignored;
- `create_batches(data, labels, batch_size)` returns batches that unpack into two: `data, labels = batch`;
- `sigmoid` and `sigmoid_prime` return an array of their argument's shape and leave the argument as it is.

`zeros_weights` and `add_elementwise` are not needed here: they are judged by themselves, and a mistake in them costs
nothing else.
"""

import time
from itertools import pairwise

import numpy as np
from utils import create_batches, random_weights, sigmoid, sigmoid_prime, zeros_biases

PREDICTED_ROWS = 1000  # samples that go forward together: enough for the matrix product, little for the memory


class NeuralNetwork:
    """Weights, biases and what training does to them.

    Args:
        sizes: neurons per layer, the input layer first.
        learning_rate: length of a step along the gradient.
        mini_batch_size: samples per step.
        epochs: passes over the training data.
        matmul: product of two matrices; another one than NumPy's can be tried out here.
        seed: fixes the order of the batches; None takes another order each time.

    Attributes:
        weights: L matrices of shapes (sizes[i], sizes[i + 1]), float64.
        biases: L vectors of lengths sizes[1] … sizes[L], float64.
        history: accuracy on the validation data after each epoch, from 0 to 1.
    """

    def __init__(self, sizes, learning_rate, mini_batch_size, epochs, matmul=np.matmul, seed=None):
        self.sizes = tuple(sizes)
        self.learning_rate = learning_rate
        self.mini_batch_size = mini_batch_size
        self.epochs = epochs
        self.matmul = matmul
        self.weights = _take_matrices(random_weights(list(sizes)), self.sizes)
        self.biases = _take_vectors(zeros_biases(list(sizes)), self.sizes)
        self.history = []
        self._gradients = [np.zeros(shape) for shape in pairwise(self.sizes)]
        self._order = np.random.default_rng(seed)

    def fit(self, training_data, validation_data=None, after_epoch=None):
        """Train for `epochs` passes, with the batches in a new order each time.

        Args:
            training_data: pair (data, labels) of shapes (samples, sizes[0]) and (samples, sizes[L]), labels one-hot.
            validation_data: such a pair to measure the accuracy with after each epoch, or None.
            after_epoch: called as after_epoch(network, epoch) after each epoch; epochs count from 1.
        """
        for epoch in range(1, self.epochs + 1):
            self._pass_over(*training_data)
            if validation_data is not None:
                self.history.append(self.validate(validation_data))
            if after_epoch is not None:
                after_epoch(self, epoch)

    def validate(self, validation_data):
        """Return the share of samples, from 0 to 1, whose predicted class is that of their one-hot label."""
        data, labels = validation_data
        return float(np.mean(self.predict(data) == np.argmax(labels, axis=1)))

    def predict(self, data):
        """Return the most active output neuron for each row of `data`: integers of shape (samples,)."""
        classes = np.empty(len(data), dtype=np.int64)
        with np.errstate(all="ignore"):
            for start in range(0, len(data), PREDICTED_ROWS):
                rows = slice(start, start + PREDICTED_ROWS)
                activations, _ = self.forward_prop(np.asarray(data[rows], dtype=np.float64))
                classes[rows] = np.argmax(activations[-1], axis=1)
        return classes

    def forward_prop(self, data):
        """Send rows of samples through all layers.

        Returns:
            The activations a_0 … a_L and the inputs z_1 … z_L of the neurons; the arrays for layer l have the shape
            (samples, sizes[l]).
        """
        activations, zs = [data], []
        for weights, biases in zip(self.weights, self.biases, strict=True):
            zs.append(self.matmul(activations[-1], weights) + biases)  # (samples, sizes[l])
            activations.append(_apply(sigmoid, zs[-1]))  # (samples, sizes[l])
        return activations, zs

    def back_prop(self, activations, zs, labels):
        """Follow the squared error back from the output to the first layer.

        Returns:
            The deltas δ_1 … δ_L, shapes (samples, sizes[l]).
        """
        deltas = [(activations[-1] - labels) * _apply(sigmoid_prime, zs[-1])]  # (samples, sizes[L])
        for weights, z in zip(self.weights[:0:-1], zs[-2::-1], strict=True):
            deltas.append(self.matmul(deltas[-1], weights.T) * _apply(sigmoid_prime, z))  # (samples, sizes[l])
        return deltas[::-1]

    def _pass_over(self, data, labels):
        """Take one step for each mini-batch, in random order."""
        batches = list(create_batches(data, labels, self.mini_batch_size))
        with np.errstate(all="ignore"):  # a network that diverges shows in its accuracy, not in warnings
            for index in self._order.permutation(len(batches)):
                batch_data, batch_labels = _unpack(batches[index])
                self._step(batch_data, batch_labels)

    def _step(self, data, labels):
        """Move weights and biases against the gradient of one mini-batch."""
        activations, zs = self.forward_prop(data)
        steps = [-self.learning_rate * delta for delta in self.back_prop(activations, zs, labels)]
        for layer, step in enumerate(steps):
            gradient = self._gradients[layer]
            if self.matmul is np.matmul:  # fresh memory for 784 x 128 numbers costs more than multiplying them
                np.matmul(activations[layer].T, step, out=gradient)  # (sizes[l - 1], sizes[l])
            else:
                gradient[...] = self.matmul(activations[layer].T, step)
            self.weights[layer] += gradient
            self.biases[layer] += step.sum(axis=0)


def train_nn(sizes, learning_rate, mini_batch_size, epochs, training_data, validation_data=None, **options):
    """Build a network and train it.

    `training_data` is a pair (data, labels), see `NeuralNetwork.fit`; `validation_data` is such a pair, or None. The
    other arguments are those of `NeuralNetwork`; `options` are its `matmul` and `seed`, and `after_epoch` of `fit`.

    Returns:
        The trained network, and the wall time of `fit` in seconds.
    """
    after_epoch = options.pop("after_epoch", None)
    network = NeuralNetwork(sizes, learning_rate, mini_batch_size, epochs, **options)
    start = time.perf_counter()
    network.fit(training_data, validation_data, after_epoch)
    return network, time.perf_counter() - start


def _unpack(batch):
    """Take a batch apart into samples (rows, sizes[0]) and labels (rows, sizes[L]), float64."""
    try:
        data, labels = batch
    except (TypeError, ValueError) as error:
        raise ValueError(f"each batch of create_batches must be a pair (data, labels): {error}") from error
    return np.asarray(data, dtype=np.float64), np.asarray(labels, dtype=np.float64)


def _apply(function, z):
    """Call sigmoid or its derivative on z, and see that every neuron gets a value."""
    values = np.asarray(function(z))
    if values.shape != z.shape:
        raise ValueError(f"{function.__name__} returned the shape {values.shape} for an argument of shape {z.shape}")
    return values


def _take_matrices(matrices, sizes):
    """Copy L matrices, whose shapes must fit `sizes`, into float64 arrays that belong to the network."""
    taken = [np.array(matrix, dtype=np.float64) for matrix in matrices]
    wanted = list(pairwise(sizes))
    if [matrix.shape for matrix in taken] != wanted:
        raise ValueError(
            f"random_weights({list(sizes)}) must return arrays of shapes {wanted}, got {[m.shape for m in taken]}"
        )
    return taken


def _take_vectors(vectors, sizes):
    """Copy the vectors of the layers 1 … L as float64; an entry for the input layer in front of them is left out."""
    vectors = list(vectors)
    if len(vectors) == len(sizes):
        vectors = vectors[1:]
    taken = [np.array(vector, dtype=np.float64).reshape(-1) for vector in vectors]
    if [len(vector) for vector in taken] != list(sizes[1:]):
        first = [len(vector) for vector in taken[: len(sizes)]]
        raise ValueError(f"zeros_biases must return vectors of lengths {list(sizes[1:])}, not of lengths {first}")
    return taken
