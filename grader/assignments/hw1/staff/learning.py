"""The training of `train.accuracy`: the network of the hand-out, with the functions of utils.py."""

import time

import network
import numpy as np

CLASSES = 10


def learn(data, labels, settings, epochs, seed):
    """Train on samples as rows, with one-hot labels.

    `settings` are sizes, learning rate and batch size.

    Returns:
        A dict with `parameters`, what `parameters_of` returns before the training and after each epoch, and `fit_s`,
        the wall time of the training.
    """
    np.random.seed(seed)  # noqa: NPY002 - the submission's random_weights draws from NumPy's global generator
    learner = network.NeuralNetwork(*settings, epochs, seed=seed)
    parameters = [parameters_of(learner)]
    start = time.perf_counter()
    learner.fit((data, labels), after_epoch=lambda *_: parameters.append(parameters_of(learner)))
    return {"parameters": parameters, "fit_s": time.perf_counter() - start}


def parameters_of(learner):
    """Return copies of the weights, and then of the biases, of all layers."""
    return [np.array(part, np.float32) for part in (*learner.weights, *learner.biases)]
