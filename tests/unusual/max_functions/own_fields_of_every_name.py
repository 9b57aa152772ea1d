"""Fields and methods have the names that libraries use: type, base, parent, handle, compile; sizes are a named tuple.

slow: its neighbours of the same kind are in the fast set
"""

import sys
import warnings
from collections import namedtuple
from dataclasses import dataclass, field

from numba import NumbaPerformanceWarning, NumbaWarning

warnings.filterwarnings("ignore", category=NumbaPerformanceWarning)
Shape = namedtuple("Shape", "rows columns")
Launch = namedtuple("Launch", ["base", "handle"], defaults=[None])


@dataclass
class Task:
    type: str
    parent: object = None
    core: int = 0
    iters: int = 1
    doc: str = ""
    stats: dict = field(default_factory=dict)

    def compile(self):
        self.handle = Launch(base=Shape(1000, 1000))
        self.root = self if self.parent is None else self.parent.root
        return self

    def call(self, function, *args):
        self.root.stats[self.type] = self.root.stats.get(self.type, 0) + self.iters
        return function(*args)

    @property
    def base(self):
        return self.handle.base


def loud():
    return len(sys.argv) > 1 and "-v" in sys.argv[1:]


def max_cpu(A, B):
    task = Task("cpu", Task("all").compile()).compile()
    shape = Shape(*A.shape)
    C = np.zeros(shape, A.dtype)

    def run():
        for i in range(shape.rows):
            for j in range(shape.columns):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

    task.call(run)
    if loud():
        print(task.parent.stats, task.doc, task.core)
    return C


def max_gpu(A, B):
    task = Task(type="gpu").compile()
    d_C = cuda.device_array_like(A)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        task.call(max_kernel[task.base.rows, task.base.columns], cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
