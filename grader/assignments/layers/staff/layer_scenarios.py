"""Layers of the submission, driven one at a time: build, call, return data."""

import contextlib

import layers
from matrices import as_matrix, read

from grader.worker.substitutes import name_error


def linear_forward(W, b, A, cpu_only):
    """Return Z = W A + b."""
    return {"Z": _linear(W, b).forward(as_matrix(A), cpu_only).copy_to_host()}


def forward_on_cpu(W, b, A):
    """Return Z alone by the CPU path, for `grader bench`."""
    return linear_forward(W, b, A, True)["Z"]


def forward_on_gpu(W, b, A):
    """Return Z alone by the GPU path, for `grader bench`."""
    return linear_forward(W, b, A, False)["Z"]


def linear_backward(W, b, A, dZ, cpu_only, forward_on_cpu=False):
    """Return the three derivatives; the pass forward may go by the CPU path all the same."""
    layer = _linear(W, b)
    _forward(layer, as_matrix(A), cpu_only or forward_on_cpu)
    return {"dA": read(layer.backward(as_matrix(dZ), cpu_only)), "dW": read(layer.dW), "db": read(layer.db)}


def linear_backward_twice(W, b, A, dZ, cpu_only):
    """Return dW and db of a second batch like the first one: they must not add up, if only because a step ends them."""
    layer = _linear(W, b)
    for _ in range(2):
        _forward(layer, as_matrix(A), cpu_only)
        layer.backward(as_matrix(dZ), cpu_only)
        dW, db = read(layer.dW), read(layer.db)
        with contextlib.suppress(Exception):  # `update` has checks of its own
            layer.update(0.0, cpu_only)
    return {"dW": dW, "db": db}


def linear_update(W, b, A, dW, db, learning_rate, cpu_only):
    """Return the parameters after one step against gradients that are given."""
    layer = _linear(W, b)
    if getattr(layer, "dW", None) is None or getattr(layer, "db", None) is None:  # backward makes them
        layer.backward(layer.forward(as_matrix(A), cpu_only), cpu_only)
    layer.dW.set(dW)
    layer.db.set(db)
    layer.update(learning_rate, cpu_only)
    return {"W": layer.W.copy_to_host(), "b": layer.b.copy_to_host()}


def activation(kind, Z, dA, cpu_only, other=None):
    """Return what an activation makes of Z, and of dA on the way back.

    In between, a second object of the class gets `other`: the two objects must not share what they remember.
    """
    layer = getattr(layers, kind)()
    A = read(layer.forward(as_matrix(Z), cpu_only))
    if other is not None:
        getattr(layers, kind)().forward(as_matrix(other), cpu_only)
    return {"A": A, "dZ": read(layer.backward(as_matrix(dA), cpu_only))}


def activation_update(kind):
    """Let an activation take a step, on either path: it does nothing, and raises nothing."""
    for cpu_only in (True, False):
        getattr(layers, kind)().update(0.5, cpu_only)
    return {}


def weights(inputs, outputs, seed):
    """Return the parameters of a new layer."""
    layer = layers.Linear(inputs, outputs, seed)
    return {"W": layer.W.copy_to_host(), "b": layer.b.copy_to_host()}


def try_shapes(A, wrong_A, dZ, wrong_dZ):
    """Return what wrong shapes raise, on the GPU."""
    raised = {}
    linear = layers.Linear(A.shape[0], dZ.shape[0], 1)
    raised["Linear.forward of a matrix with a wrong number of rows"] = name_error(linear.forward, as_matrix(wrong_A))
    _forward_on_both(linear, as_matrix(A))
    raised["Linear.backward of a matrix of a wrong width"] = name_error(linear.backward, as_matrix(wrong_dZ))
    for kind in ("ReLU", "Sigmoid"):
        layer = getattr(layers, kind)()
        _forward_on_both(layer, as_matrix(dZ))
        words = f"{kind}.backward of a matrix of another shape than Z"
        raised[words] = name_error(layer.backward, as_matrix(wrong_dZ))
    return raised


def _linear(W, b):
    outputs, inputs = W.shape
    layer = layers.Linear(inputs, outputs, 0)
    layer.W.set(W)
    layer.b.set(b)
    return layer


def _forward(layer, A, cpu_only):
    """Call `forward`, on the other path if this one raises: only `backward` is judged here."""
    try:
        layer.forward(A, cpu_only)
    except Exception:  # noqa: BLE001 - the submission's code may raise anything
        with contextlib.suppress(Exception):
            layer.forward(A, not cpu_only)


def _forward_on_both(layer, A):
    """Call `forward` on the GPU, and then on the CPU: one of them may keep nothing for `backward`."""
    _forward(layer, A, False)
    _forward(layer, A, True)
