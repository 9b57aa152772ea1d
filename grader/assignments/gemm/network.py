"""The right results for the network of the sheet: values, derivatives by complex steps, and parts that others use.

The only error of derivatives by complex steps (`networks`) is the round-off of one evaluation of J: at most γₙ times
the size of what is added up, where n is the largest number of operations that a number goes through. So they are as
exact as J itself, and need no formula for the backward pass. J is analytic: softmax subtracts the largest exponent,
which counts as a constant, because it cancels.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.assignments.gemm import recipe
from grader.authoring import Array
from grader.authoring.judges import networks
from grader.authoring.judges.substitutes import Part, part

NAMES = ("W1", "b1", "W2", "b2")
SIZES = recipe.INPUTS, recipe.HIDDEN, recipe.CLASSES, recipe.SAMPLES


@dataclass(frozen=True, slots=True)
class Network:
    """A network with samples."""

    parameters: tuple[Array, Array, Array, Array]
    X: Array
    Y: Array
    lam: float

    def named(self) -> dict[str, Array]:
        """Return the parameters by their names."""
        return dict(zip(NAMES, self.parameters, strict=True))

    def forward(self) -> dict[str, Array]:
        """Return the hidden layer and the probabilities, shapes (hidden, m) and (classes, m)."""
        return dict(zip(("A1", "P"), forward(self.parameters, self.X), strict=True))

    def loss(self) -> float:
        """Return J."""
        return float(loss(self.parameters, self.X, self.Y, self.lam).real)

    def differentiate(self) -> dict[str, Array]:
        """Return the derivatives of J by each parameter."""
        derivatives = {}
        for place, name in enumerate(NAMES):

            def value(parameter: Array, place: int = place) -> complex:
                parameters = [*self.parameters]
                parameters[place] = parameter
                return loss(parameters, self.X, self.Y, self.lam)

            derivatives[f"d{name}"] = networks.differentiate_number(value, self.parameters[place])
        return derivatives

    def roundings(self) -> int:
        """Return the largest number of operations that a number goes through on its way to J."""
        inputs, samples = self.X.shape
        return int(inputs + len(self.parameters[0]) + len(self.Y) + samples + 20)


def draw(rng: np.random.Generator, scale: float = 1.0, sizes: tuple[int, int, int, int] = SIZES) -> Network:
    """Return a network of `sizes` (inputs, hidden, classes, samples); `scale` makes its weights larger."""
    inputs, hidden, classes, m = sizes
    shapes = ((hidden, inputs), (hidden, 1), (classes, hidden), (classes, 1))
    W1, b1, W2, b2 = (scale * rng.normal(size=shape) for shape in shapes)
    labels = rng.integers(0, classes, m)
    return Network((W1, b1, W2, b2), rng.normal(size=(inputs, m)), np.eye(classes)[:, labels], recipe.LAMBDA)


def forward(parameters: tuple[Array, ...] | list[Array], X: Array) -> tuple[Array, Array]:
    """Return A1 and P."""
    W1, b1, W2, b2 = parameters
    A1 = 1 / (1 + np.exp(-(W1 @ X + b1)))
    Z2 = W2 @ A1 + b2
    powers = np.exp(Z2 - Z2.real.max(axis=0))
    return A1, powers / powers.sum(axis=0)


def cross_entropy(P: Array, Y: Array) -> complex:
    """Return the mean of -log of the right class's probability."""
    return complex(-np.log((P * Y).sum(axis=0)).mean())


def loss(parameters: tuple[Array, ...] | list[Array], X: Array, Y: Array, lam: float) -> complex:
    """Return J, with the squares of the complex numbers, not of their absolute values: J has to be analytic."""
    squares = sum((parameter**2).sum() for parameter in parameters)
    return cross_entropy(forward(parameters, X)[1], Y) + complex(lam / 2 * squares)


def parts(net: Network) -> Iterator[Part]:
    """Yield the functions of mlp.py, `forward` first; the host or kernels may compute their numbers."""
    slopes, P = [np.cos(parameter) for parameter in net.parameters], net.forward()["P"]
    stepped = {name: old - slope / 2 for name, old, slope in zip(NAMES, net.parameters, slopes, strict=True)}
    for name, args, right in (
        ("forward", (net.parameters, net.X), net.forward()),
        ("loss", (net.parameters, P, net.Y, net.lam), {"J": np.array(net.loss())}),
        ("gradients", (net.parameters, net.X, net.Y, net.lam), net.differentiate() | net.named()),
        ("update", (net.parameters, slopes, 0.5), stepped),
    ):
        yield part(f"mlp.{name}", ("mlp_scenarios", name), args, recipe.NETWORK, right)
