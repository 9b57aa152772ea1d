"""Arguments of the layers, drawn anew each time, and their right results."""

from typing import NamedTuple

import numpy as np

from grader.assignments.layers import recipe
from grader.authoring import Array
from grader.authoring.judges import networks

Right = dict[str, tuple[Array, Array]]
"""Name of a result -> the right value, and the size of the numbers that are summed for it."""
SHARE = 1e-5  # how far a result may be off, as a share of what is summed. Sums in float32 stay within it, in any order


class LinearCase(NamedTuple):
    """The arrays of a linear layer, in the order in which scenarios take them."""

    W: Array
    b: Array
    A: Array
    dZ: Array  # noqa: N815 - as on the sheet


def draw_linear(rng: np.random.Generator, sizes: tuple[int, int, int] = recipe.SIZES) -> LinearCase:
    """Return a layer of `sizes` (outputs, inputs, samples)."""
    outputs, inputs, samples = sizes
    shapes = (outputs, inputs), (outputs, 1), (inputs, samples), (outputs, samples)
    return LinearCase(*(rng.normal(size=shape) for shape in shapes))


def solve_forward(W: Array, b: Array, A: Array) -> Right:
    """Return "Z" -> (right value, size of what is summed for it)."""
    return {"Z": (W @ A + b, np.abs(W) @ np.abs(A) + np.abs(b))}


def solve_backward(W: Array, _b: Array, A: Array, dZ: Array) -> Right:
    """Return each of the three derivatives -> (right value, size of its sum), by the sheet's formulas."""
    m, big_W, big_A, big_dZ = A.shape[1], np.abs(W), np.abs(A), np.abs(dZ)
    return {
        "dA": (W.T @ dZ, big_W.T @ big_dZ),
        "dW": (dZ @ A.T / m, big_dZ @ big_A.T / m),
        "db": (dZ.sum(axis=1, keepdims=True) / m, big_dZ.sum(axis=1, keepdims=True) / m),
    }


def solve_update(W: Array, b: Array, _A: Array, dW: Array, db: Array, rate: float) -> Right:
    """Return "W" and "b" -> (value after a step against these derivatives, size of its sum)."""
    pairs = {"W": (W, dW), "b": (b, db)}
    return {name: (old - rate * slope, np.abs(old) + rate * np.abs(slope)) for name, (old, slope) in pairs.items()}


def draw_activation(rng: np.random.Generator, shape: tuple[int, int] = recipe.SIZES[::2]) -> tuple[Array, Array]:
    """Return Z, of both signs and never nearer to 0 than 0.01, and dA."""
    return rng.uniform(0.01, 6, shape) * rng.choice([-1, 1], shape), rng.normal(size=shape)


def solve_activation(kind: str, Z: Array, dA: Array) -> Right:
    """Return "A" and "dZ" of `ReLU` or `Sigmoid` -> (right value, size of its sum)."""
    if kind == "ReLU":
        return {"A": (np.maximum(Z, 0), np.abs(Z)), "dZ": (dA * (Z > 0), np.abs(dA))}
    A, size = networks.logistic(Z), 1.0 + np.abs(Z)
    return {"A": (A, size), "dZ": (dA * A * (1 - A), np.abs(dA) * size)}


def solve_gradient(y_hat: Array, y: Array) -> Right:
    """Return "gradient" -> (derivative of each sample's own loss, its size)."""
    right = -y / y_hat + (1 - y) / (1 - y_hat)
    return {"gradient": (right, np.abs(right))}


def cross_entropies(y_hat: Array, y: Array) -> Array:
    """Return each sample's own loss."""
    return np.asarray(-(y * np.log(y_hat) + (1 - y) * np.log(1 - y_hat)))


def draw_predictions(rng: np.random.Generator, samples: int = recipe.SAMPLES) -> tuple[Array, Array]:
    """Return predictions from 0.05 to 0.95, and labels of both kinds, shapes (1, samples)."""
    labels = rng.permutation(np.arange(samples) % 2).astype(float)
    return rng.uniform(0.05, 0.95, (1, samples)), labels.reshape(1, samples)


def draw_points(rng: np.random.Generator, count: int, margin: float = 0.0) -> tuple[Array, Array]:
    """Return points of [-1, 1]², shape (2, count), no nearer to an axis than `margin`, and labels (1, count)."""
    points = rng.uniform(margin, 1, (2, count)) * rng.choice([-1, 1], (2, count))
    return points, label(points)


def label(points: Array) -> Array:
    """Return 0 for points of quadrants 1 and 3, and 1 for those of 2 and 4, shape (1, count)."""
    differ: Array = points[:1] * points[1:] < 0
    return differ.astype(float)


def label_otherwise(points: Array, seed: int) -> Array:
    """Return labels by another rule, that of quadrants turned by 30° to 60°: it says little about `label`."""
    angle = np.deg2rad(np.random.default_rng([seed, 5]).uniform(30, 60))
    return label(np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ points)


def cut(points: Array, size: int) -> list[Array]:
    """Return columns in batches of `size`."""
    return [np.ascontiguousarray(points[:, at : at + size]) for at in range(0, points.shape[1], size)]
