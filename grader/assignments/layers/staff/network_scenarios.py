"""The whole network of the submission: order of calls, one step of training, and a whole training."""

import contextlib
import time
from types import SimpleNamespace

import layers
import network
import numpy as np
from matrices import as_matrix, read

from grader.worker import substitutes


def _recorder(name, factor, calls):
    """Return a layer that notes how it is called: forward adds 1 and multiplies, backward multiplies and adds 1."""

    class Recorder(substitutes.Silent, layers.Linear):
        def __init__(self):
            with contextlib.suppress(Exception):  # the submission's own fields, which its network may use
                super().__init__(1, 1)
            with contextlib.suppress(AttributeError):  # properties, which have their values by now
                self.W = self.b = as_matrix(np.ones((1, 1)))  # a network may count their numbers

        def forward(self, X, cpu_only=False):
            calls.append(["forward", name, bool(cpu_only)])
            return as_matrix((X.copy_to_host() + 1) * factor)

        def backward(self, dY, cpu_only=False):
            calls.append(["backward", name, bool(cpu_only)])
            return as_matrix(dY.copy_to_host() * factor + 1)

        def update(self, _learning_rate, cpu_only=False):
            calls.append(["update", name, bool(cpu_only)])

    return Recorder()


def call_in_turn(X, dY, factors, cpu_only):
    """Return what a network of recorders makes of X and dY, the second time, and how they were called both times.

    `in_training` has the calls of a step of training, as far as it comes: recorders have no derivatives.
    """
    calls, other, net = [], network.FFN(), network.FFN()
    for name, factor in enumerate(factors):
        net.add(_recorder(name, factor, calls))
    other.add(_recorder(99, 1, calls))  # layers of one network must not be in another
    for _ in range(2):  # `backward` may have turned the list of layers round
        Y = read(net.forward(as_matrix(X), cpu_only))
        dX = read(net.backward(as_matrix(dY), cpu_only))
    in_turn = [*calls]
    calls.clear()
    with contextlib.suppress(Exception):
        net.train(as_data([X[:1]], [np.ones((1, X.shape[1]))]), 0.5, 1, cpu_only)
    return {"Y": Y, "dX": dX, "calls": in_turn, "in_training": calls}


def train_parts(parameters, X, Y, setting, cpu_only, names=("W1", "b1", "W2", "b2")):
    """Return the parameters of these names after a training of Linear, ReLU, Linear and Sigmoid with one batch.

    `parameters` are W1, b1, W2 and b2 at first; `setting` is learning rate and epochs.
    """
    net, (first, _, second, _) = build_network(parameters[0].shape[0], 0)
    for layer, W, b in ((first, *parameters[:2]), (second, *parameters[2:])):
        layer.W.set(W)
        layer.b.set(b)
    net.train(as_data([X], [Y]), *setting, cpu_only)
    layer_of = {"1": first, "2": second}
    return {name: getattr(layer_of[name[1]], name[0]).copy_to_host() for name in names}


def train_twice(hidden, points, labels, setting):
    """Return what networks make of points after two trainings with the same seeds, and after one with others."""
    learning_rate, epochs, seed = setting
    predictions = {}
    for name, start in (("first", seed), ("second", seed), ("other", seed + 17)):
        net, parts = build_network(hidden, start)
        net.train(as_data(points, labels), learning_rate, epochs, True)
        predictions[name] = _predict(parts, points[0])
    return predictions


def train(hidden, points, labels, other_labels, hidden_points, setting):
    """Train on the CPU path, and return predictions for the hidden points.

    A second network learns `other_labels` of the same points, which follow another rule. `setting` is learning rate,
    epochs and seed.

    Returns:
        A dict with `before`, `after` and `control`, predictions of shape (hidden points,); `losses`, as `train`
        returned them; and `fit_s`, the wall time of the training.
    """
    learning_rate, epochs, seed = setting
    (net, parts), (control, control_parts) = (build_network(hidden, seed) for _ in range(2))
    before = _predict(parts, hidden_points)
    start = time.perf_counter()
    losses = net.train(as_data(points, labels), learning_rate, epochs, True)
    fit_s = time.perf_counter() - start
    after = _predict(parts, hidden_points)
    control.train(as_data(points, other_labels), learning_rate, epochs, True)
    return {
        "before": before,
        "after": after,
        "control": _predict(control_parts, hidden_points),
        "losses": list(losses) if isinstance(losses, list | tuple) else None,
        "fit_s": fit_s,
    }


def _predict(parts, points):
    """Return the output of the layers for points, one after the other: a network's knowledge lies in its layers."""
    values = as_matrix(points)
    for part in parts:
        values = part.forward(values, True)
    return read(values).ravel()


def build_network(hidden, seed):
    """Return a network of four layers, the first of which takes points; and the list of layers."""
    first, second = layers.Linear(2, hidden, seed), layers.Linear(hidden, 1, seed + 1)
    parts = [first, layers.ReLU(), second, layers.Sigmoid()]
    net = network.FFN()
    for part in parts:
        net.add(part)
    return net, parts


def as_data(points, labels):
    """Return a data set of these batches, if possible one of the submission, whose further fields `train` may use."""
    batches = [(as_matrix(X), as_matrix(Y)) for X, Y in zip(points, labels, strict=True)]
    try:
        from dataset import Dataset  # noqa: PLC0415 - the file may be missing, and costs nothing here

        data = Dataset(sum(X.shape[1] for X in points), points[0].shape[1])
        data.batches = batches
    except Exception:  # noqa: BLE001 - the data set's own check says what is wrong
        return SimpleNamespace(batches=batches)
    return data
