"""The training of `train.accuracy`: the network of the hand-out, with the functions of utils.py."""

import time

import network
import numpy as np

CLASSES = 10


def learn(data, labels, test, settings, epochs, seed):
    """Train on samples as rows, with one-hot labels, and return what the network makes of `test`, before and after.

    `settings` are sizes, learning rate and batch size.

    Returns:
        A dict with `predictions`, one row of classes before the training and one after each epoch, shape
        (epochs + 1, test samples), and `fit_s`, the wall time of the training.
    """
    np.random.seed(seed)  # noqa: NPY002 - the submission's random_weights draws from NumPy's global generator
    learner = network.NeuralNetwork(*settings, epochs, seed=seed)
    predictions = [learner.predict(test)]
    start = time.perf_counter()
    learner.fit((data, labels), after_epoch=lambda *_: predictions.append(learner.predict(test)))
    return {"predictions": np.array(predictions, np.uint8), "fit_s": time.perf_counter() - start}
