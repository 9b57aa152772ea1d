"""What the worker runs for `train.accuracy`: staff network, submitted utils, parameters back to the parent."""

import learning
import network
import numpy as np


def train(images, labels, control_labels, settings, epochs, control_steps, seed):
    """Train on grey levels of 0 to 255 and return what the network was before it and after each epoch.

    No test image ever comes here: the parent predicts. A second network takes `control_steps` steps on the same images,
    with shuffled labels. `settings` are sizes, learning rate and batch size.

    Returns:
        The dict of `learning.learn`, and `control`, the parameters of the second network.
    """
    data, one_hot = images / 256, np.eye(learning.CLASSES)
    learnt = learning.learn(data, one_hot[labels], settings, epochs, seed)
    control = Shortened(*settings, control_steps, seed=seed)
    control.fit((data, one_hot[control_labels]))
    return learnt | {"control": learning.parameters_of(control)}


class Shortened(network.NeuralNetwork):
    """A network that takes only some steps, on batches of all data: a submission cannot tell that it is short.

    Of NeuralNetwork's arguments, `epochs` is the number of steps.
    """

    def _pass_over(self, data, labels):
        """Take one step on one of the batches that an epoch would have."""
        if not hasattr(self, "_batches"):
            self._batches = list(network.create_batches(data, labels, self.mini_batch_size))
        batch_data, batch_labels = self._batches[self._order.integers(len(self._batches))]
        with np.errstate(all="ignore"):
            self._step(np.asarray(batch_data, np.float64), np.asarray(batch_labels, np.float64))
