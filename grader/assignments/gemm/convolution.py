"""What is right for a convolution, and its derivatives, which need no formula of their own: it is linear in both."""

from dataclasses import dataclass

import numpy as np

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

        Y is linear in each: the derivative by an entry is the sum of dY times what becomes of 1 there and 0 elsewhere.
        """
        dX, dK = np.empty(self.X.shape), np.empty(self.K.shape)
        for entry in np.ndindex(dX.shape):
            dX[entry] = (self.dY * convolve(_unit(dX.shape, entry), self.K, self.stride, self.padding)).sum()
        for entry in np.ndindex(dK.shape):
            dK[entry] = (self.dY * convolve(self.X, _unit(dK.shape, entry), self.stride, self.padding)).sum()
        return {"dX": dX, "dK": dK}


def convolve(X: Array, K: Array, stride: int, padding: int) -> Array:
    """Return Y by its definition, one window after the other."""
    wide = np.pad(X, ((0, 0), (padding, padding), (padding, padding)))
    high, across = K.shape[2:]
    rows, columns = (wide.shape[1] - high) // stride + 1, (wide.shape[2] - across) // stride + 1
    Y = np.empty((len(K), rows, columns))
    for p in range(rows):
        for q in range(columns):
            window = wide[:, p * stride : p * stride + high, q * stride : q * stride + across]
            Y[:, p, q] = np.tensordot(K, window, 3)
    return Y


def draw(
    rng: np.random.Generator, image: tuple[int, int, int], kernel: tuple[int, int, int], stride: int, padding: int
) -> Convolution:
    """Return a convolution of an image (channels, height, width) with kernels (filters, height, width)."""
    X, K = rng.normal(size=image), rng.normal(size=(kernel[0], image[0], *kernel[1:]))
    return Convolution(X, K, stride, padding, rng.normal(size=convolve(X, K, stride, padding).shape))


def _unit(shape: tuple[int, ...], entry: tuple[int, ...]) -> Array:
    unit = np.zeros(shape)
    unit[entry] = 1
    return unit
