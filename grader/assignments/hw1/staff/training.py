"""What the worker runs for `train.accuracy`: staff network, submitted utils, predictions back to the parent."""

import learning
import network
import numpy as np
import utils

from grader.worker.sliced.owncode import replaced_parts

BORROWED = ("create_batches", "random_weights", "sigmoid", "sigmoid_prime", "zeros_biases")


def train(images, labels, control_labels, test_images, settings, epochs, control_steps, seed):
    """Train on grey levels of 0 to 255 and return what the network makes of the test images, before and after.

    Labels of the test images never come here; the parent has them and counts. A second network takes `control_steps`
    steps on the same images, with labels that say nothing. `settings` are sizes, learning rate and batch size.

    Returns:
        The dict of `learning.learn`; with `control`, the classes that the second network gives; `replaced`, names of
        what is no longer what network.py and utils.py define.
    """
    data, test, one_hot = images / 256, test_images / 256, np.eye(learning.CLASSES)
    learnt = learning.learn(data, one_hot[labels], test, settings, epochs, seed)
    control = Shortened(*settings, control_steps, seed=seed)
    control.fit((data, one_hot[control_labels]))
    return learnt | {
        "control": control.predict(test).astype(np.uint8),
        "replaced": _replaced(),
    }


class Shortened(network.NeuralNetwork):
    """A network that takes a few steps, on batches of everything: nobody can tell from the data that it is short.

    Of NeuralNetwork's arguments, `epochs` is the number of steps.
    """

    def _pass_over(self, data, labels):
        """Take one step on one of the batches that an epoch would have."""
        if not hasattr(self, "_batches"):
            self._batches = list(network.create_batches(data, labels, self.mini_batch_size))
        batch_data, batch_labels = self._batches[self._order.integers(len(self._batches))]
        with np.errstate(all="ignore"):
            self._step(np.asarray(batch_data, np.float64), np.asarray(batch_labels, np.float64))


def _replaced():
    """Return names of the network that are not the submission's functions, or not what network.py says."""
    exchanged = {name for name in BORROWED if getattr(network, name, None) is not getattr(utils, name, None)}
    return sorted(exchanged.union(replaced_parts(network)))
