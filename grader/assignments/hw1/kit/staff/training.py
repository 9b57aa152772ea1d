"""What the worker runs for `train.accuracy`: the network of the hand-out, your utils, predictions back."""

import time

import borrowed
import network
import numpy as np
import utils

CLASSES = 10


def train(images, labels, _control_labels, test_images, settings, epochs, _control_steps, seed):
    """Train on grey levels of 0 to 255 and return what the network makes of the test images, before and after.

    `settings` are sizes, learning rate and batch size.

    Returns:
        A dict with `predictions`, one row of classes before the training and one after each epoch, shape
        (epochs + 1, test samples), and `fit_s`, the wall time of the training.
    """
    test, data, one_hot = test_images / 256, images / 256, np.eye(CLASSES)
    np.random.seed(seed)  # noqa: NPY002 - random_weights draws from NumPy's global generator
    learner = network.NeuralNetwork(*settings, epochs, seed=seed)
    predictions = [learner.predict(test)]
    start = time.perf_counter()
    learner.fit((data, one_hot[labels]), after_epoch=lambda *_: predictions.append(learner.predict(test)))
    return {"predictions": np.array(predictions, np.uint8), "fit_s": time.perf_counter() - start}


def train_with_our_sigmoid(*args):
    """Return what `train` returns, with the staff's sigmoid in the place of the submitted one."""
    utils.sigmoid = network.sigmoid = borrowed.sigmoid
    return train(*args)
