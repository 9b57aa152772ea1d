"""Fields of own classes: data, buffer, flat, name, type.

slow: its neighbours of the same kind are in the fast set
"""

from collections import UserList
from dataclasses import dataclass, field


class Matrix:
    def __init__(self, data, name="", type=None):
        self.data = data
        self.name = name
        self.type = type
        self.buffer = []
        self.flat = True
        self.size = len(data) * len(data[0])
        self.shape = (len(data), len(data[0]))

    def __getitem__(self, key):
        return self.data[key]


@dataclass
class Device:
    name: str
    data: object = None
    buffer: object = None
    type: str = "gpu"
    flat: list = field(default_factory=list)


class Row(UserList):
    def larger(self, other):
        return Row(a if a > b else b for a, b in zip(self.data, other.data))


def max_cpu(A, B):
    first, second = Matrix(A.tolist(), "A", int), Matrix(B.tolist(), name="B", type=int)
    for i in range(first.shape[0]):
        first.buffer.append(Row(first[i]).larger(Row(second.data[i])).data)
    return np.array(first.buffer, dtype=first.type)


def max_numba(A, B):
    result = Matrix(np.empty(A.shape, A.dtype), "C")
    fill(A, B, result.data)
    return result.data


@njit
def fill(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    devices = [Device(name) for name in ("A", "B", "C")]
    for device, source in zip(devices, (A, B)):
        device.data = source
        device.buffer = cuda.to_device(device.data)
    devices[2].buffer = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](*(device.buffer for device in devices))
    return devices[2].buffer.copy_to_host()
