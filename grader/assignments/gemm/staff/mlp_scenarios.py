"""The network of the submission: numbers go to the device, one of its functions is called, results come back."""

import importlib

import mlp

NAMES = ("W1", "b1", "W2", "b2")


def forward(parameters, X):
    """Return the hidden layer and the probabilities."""
    A1, P = mlp.forward(*_sent(parameters), *_sent([X]))
    return {"A1": as_host(A1), "P": as_host(P)}


def loss(parameters, P, Y, lam):
    """Return J."""
    return {"J": mlp.loss(_sent(parameters), *_sent([P, Y]), lam)}


def gradients(parameters, X, Y, lam):
    """Return the derivatives of J, and the parameters, which have to be what they were."""
    on_device = _sent(parameters)
    slopes = mlp.gradients(*on_device, *_sent([X, Y]), lam)
    kept = {name: as_host(parameter) for name, parameter in zip(NAMES, on_device, strict=True)}
    return {f"d{name}": as_host(slope) for name, slope in zip(NAMES, slopes, strict=True)} | kept


def update(parameters, slopes, learning_rate):
    """Return the parameters after one step."""
    on_device = _sent(parameters)
    mlp.update(on_device, _sent(slopes), learning_rate)
    return {name: as_host(parameter) for name, parameter in zip(NAMES, on_device, strict=True)}


def as_host(array):
    """Return an array of the device as an array of the host; an array of the host is returned unchanged."""
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array


def _sent(arrays):
    cuda = importlib.import_module("numba.cuda")  # the one that the submission's own import has loaded
    return [cuda.to_device(array) for array in arrays]
