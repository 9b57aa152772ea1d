"""Windows are picked by arrays of indices, and their gradients are added up by np.add.at; a data class has the sizes."""
from dataclasses import dataclass


@dataclass
class Window:
    kh: int
    kw: int
    stride: int
    padding: int

    def out(self, h, w):
        return (h + 2 * self.padding - self.kh) // self.stride + 1, (w + 2 * self.padding - self.kw) // self.stride + 1

    def indices(self, h, w):
        oh, ow = self.out(h, w)
        i = np.repeat(np.arange(self.kh), self.kw)[:, None] + self.stride * np.repeat(np.arange(oh), ow)[None]
        j = np.tile(np.arange(self.kw), self.kh)[:, None] + self.stride * np.tile(np.arange(ow), oh)[None]
        return i, j


def pad(X, p):
    P = np.zeros((X.shape[0], X.shape[1] + 2 * p, X.shape[2] + 2 * p))
    P[:, p:p + X.shape[1], p:p + X.shape[2]] = X
    return P


def convolve(X, K, stride=1, padding=0):
    F, C, kh, kw = K.shape
    assert X.shape[0] == C, "channels"
    window = Window(kh, kw, stride, padding)
    i, j = window.indices(*X.shape[1:])
    M = pad(X, padding)[:, i, j].reshape(C * kh * kw, -1)
    return multiply(K.reshape(F, -1), M).reshape(F, *window.out(*X.shape[1:]))


def convolve_gradients(X, K, dY, stride=1, padding=0):
    F, C, kh, kw = K.shape
    window = Window(kh, kw, stride, padding)
    i, j = window.indices(*X.shape[1:])
    P = pad(X, padding)
    M = P[:, i, j].reshape(C * kh * kw, -1)
    flat = dY.reshape(F, -1)
    dK = multiply(flat, M.T).reshape(K.shape)
    dM = multiply(K.reshape(F, -1).T, flat).reshape(C, kh * kw, -1)
    dP = np.zeros_like(P)
    np.add.at(dP, (slice(None), i, j), dM)
    h, w = X.shape[1:]
    return dP[:, padding:padding + h, padding:padding + w], dK
