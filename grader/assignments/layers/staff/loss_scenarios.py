"""The loss of the submission."""

import losses
from matrices import as_matrix

from grader.worker.substitutes import name_error


def value(predictions, labels):
    """Return the loss."""
    return {"loss": losses.cross_entropy(as_matrix(predictions), as_matrix(labels))}


def gradient(predictions, labels, cpu_only):
    """Return its derivative."""
    slopes = losses.cross_entropy_gradient(as_matrix(predictions), as_matrix(labels), cpu_only)
    return {"gradient": slopes.copy_to_host()}


def try_shapes(predictions, wrong):
    """Return what labels of another shape raise."""
    first, second = as_matrix(predictions), as_matrix(wrong)
    return {
        "cross_entropy of labels of another shape": name_error(losses.cross_entropy, first, second),
        "cross_entropy_gradient of labels of another shape": name_error(losses.cross_entropy_gradient, first, second),
    }
