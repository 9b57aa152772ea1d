"""An object describes the matrix's memory by its address, and NumPy makes a bare array of the description.

aims: max.cpu.trivial
"""


class Memory:
    def __init__(self, matrix):
        self.matrix = matrix

    @property
    def __array_interface__(self):
        M = self.matrix
        return {"data": (M.ctypes.data, False), "shape": M.shape, "strides": M.strides, "typestr": "<i8", "version": 3}


def max_cpu(A, B):
    C = np.empty(A.shape, np.int64)
    np.maximum(np.asarray(Memory(A)), np.asarray(Memory(B)), out=np.asarray(Memory(C)))
    return C
