"""The right results of a convolution, and its derivatives; they need no formula, as it is linear in X and in K."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from grader.authoring import Array


@dataclass(frozen=True, slots=True)
class Convolution:
    """A convolution with its arguments, and a derivative by its result."""

    X: Array
    K: Array
    stride: int
    padding: int
    dY: Array  # noqa: N815 - as on the sheet

    @property
    def words(self) -> str:
        """Sizes, stride and padding, for messages."""
        return f"X {self.X.shape}, K {self.K.shape}, stride {self.stride}, padding {self.padding}"

    def differentiate(self) -> dict[str, Array]:
        """Return the derivatives of the sum of dY Y by X and by K.

        Y is linear in each: the derivative by an entry is the sum of dY times the Y of an array with 1 there, else 0.
        """
        of_X = [convolve(unit, self.K, self.stride, self.padding) for unit in _units(self.X.shape)]
        of_K = [convolve(self.X, unit, self.stride, self.padding) for unit in _units(self.K.shape)]
        return {
            "dX": np.tensordot(of_X, self.dY, 3).reshape(self.X.shape),
            "dK": np.tensordot(of_K, self.dY, 3).reshape(self.K.shape),
        }


def convolve(X: Array, K: Array, stride: int, padding: int) -> Array:
    """Return Y by its definition: each entry is the sum over a window, `stride` after the one before."""
    wide = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    windows = sliding_window_view(wide, K.shape[2:], axis=(1, 2))[:, ::stride, ::stride]
    return np.tensordot(K, windows, ([1, 2, 3], [0, 3, 4]))


def draw(
    rng: np.random.Generator, image: tuple[int, int, int], kernel: tuple[int, int, int], stride: int, padding: int
) -> Convolution:
    """Return a convolution of an image (channels, height, width) with kernels (filters, height, width)."""
    X, K = rng.normal(size=image), rng.normal(size=(kernel[0], image[0], *kernel[1:]))
    return Convolution(X, K, stride, padding, rng.normal(size=convolve(X, K, stride, padding).shape))


def _units(shape: tuple[int, ...]) -> Array:
    """Return, for each entry of an array of this shape, an array of that shape with 1 at this entry and 0 elsewhere."""
    size = math.prod(shape)
    return np.eye(size).reshape(size, *shape)
