"""Ways around the sheet's rules. `CERTAIN` must be proved with file and line, `SUSPICIOUS` at least shown to a person.

Keys say what the trick is; values are (function, text of the file).
"""
# ruff: noqa: E501 - a short file of a student stays on one line

_MAX_CERTAIN = {
    "np.maximum": "import numpy as np\ndef max_cpu(A, B):\n    return np.maximum(A, B)\n",
    "renamed module": "import numpy as n\ndef max_cpu(A, B):\n    f = n.maximum\n    return f(A, B)\n",
    "renamed function": "from numpy import maximum as m\ndef max_cpu(A, B):\n    return m(A, B)\n",
    "renamed to max": "from numpy import maximum as max\ndef max_cpu(A, B):\n    return max(A, B)\n",
    "import of everything": "from numpy import *\ndef max_cpu(A, B):\n    return maximum(A, B)\n",
    "in __dict__": "import numpy as np\ndef max_cpu(A, B):\n    return np.__dict__['maximum'](A, B)\n",
    "in vars": "import numpy as np\ndef max_cpu(A, B):\n    return vars(np)['max' 'imum'](A, B)\n",
    "getattr": "import numpy as np\ndef max_cpu(A, B):\n    return getattr(np, 'max' + 'imum')(A, B)\n",
    "getattr, backwards": "import numpy as np\ndef max_cpu(A, B):\n    return getattr(np, 'mumixam'[::-1])(A, B)\n",
    "getattr, f-string": "import numpy as np\nN = 'max'\ndef max_cpu(A, B):\n    return getattr(np, f'{N}imum')(A, B)\n",
    "__import__": "def max_cpu(A, B):\n    return __import__('numpy').maximum(A, B)\n",
    "import_module": "import importlib\ndef max_cpu(A, B):\n    return importlib.import_module('numpy').fmax(A, B)\n",
    "import inside": "def max_cpu(A, B):\n    import numpy\n    return numpy.where(A > B, A, B)\n",
    "helper": "import numpy as np\ndef h(a, b):\n    return np.maximum(a, b)\ndef max_cpu(A, B):\n    return h(A, B)\n",
    "helper of a helper": "import numpy as np\ndef g(a, b):\n    return np.fmax(a, b)\ndef h(a, b):\n    return g(b, a)\ndef max_cpu(A, B):\n    return h(A, B)\n",
    "lambda": "import numpy as np\nf = lambda a, b: np.maximum(a, b)\ndef max_cpu(A, B):\n    return f(A, B)\n",
    "nested function": "import numpy as np\ndef max_cpu(A, B):\n    def f():\n        return np.maximum(A, B)\n    return f()\n",
    "the function itself renamed": "import numpy as np\nmax_cpu = np.maximum\n",
    "defined, then replaced": "import numpy as np\ndef max_cpu(A, B):\n    return A\nmax_cpu = np.maximum\n",
    "imported under the name": "from numpy import maximum as max_cpu\n",
    "replaced by a decorator": "import numpy as np\ndef d(f):\n    return np.maximum\n@d\ndef max_cpu(A, B):\n    return A\n",
    "row by row": "import numpy as np\ndef max_cpu(A, B):\n    C = np.zeros(A.shape)\n    for i in range(1000):\n        C[i] = np.maximum(A[i], B[i])\n    return C\n",
    "single elements": "import numpy as np\ndef max_cpu(A, B):\n    return [[np.maximum(A[i, j], B[i, j]) for j in range(9)] for i in range(9)]\n",
    "mask": "def max_cpu(A, B):\n    return A * (A > B) + B * (A <= B)\n",
    "mask as an index": "def max_cpu(A, B):\n    C = A.copy()\n    m = B > A\n    C[m] = B[m]\n    return C\n",
    "absolute difference": "def max_cpu(A, B):\n    return (A + B + abs(A - B)) // 2\n",
    "stack and max": "import numpy as np\ndef max_cpu(A, B):\n    return np.stack([A, B]).max(axis=0)\n",
    "array method": "def max_cpu(A, B):\n    return A.clip(B, None)\n",
    "array operator by name": "def max_cpu(A, B):\n    return A.__add__(B)\n",
    "operator module": "import operator\ndef max_cpu(A, B):\n    return operator.sub(A, B)\n",
    "rows by operators": "def max_cpu(A, B):\n    out = []\n    for a, b in zip(A, B):\n        out.append(a * (a > b) + b * (b >= a))\n    return out\n",
    "np.vectorize": "import numpy as np\ndef max_cpu(A, B):\n    return np.vectorize(lambda a, b: a if a > b else b)(A, B)\n",
    "np.vectorize as a decorator": "import numpy as np\n@np.vectorize\ndef h(a, b):\n    return a if a > b else b\ndef max_cpu(A, B):\n    return h(A, B)\n",
    "map of a ufunc": "import numpy as np\ndef max_cpu(A, B):\n    return list(map(np.maximum, A, B))\n",
    "reduce of a ufunc": "import functools, numpy as np\ndef max_cpu(A, B):\n    return functools.reduce(np.maximum, [A, B])\n",
    "method of a ufunc": "import numpy as np\ndef max_cpu(A, B):\n    return np.maximum.reduce([A, B])\n",
    "table of functions": "import numpy as np\ndef max_cpu(A, B):\n    return {'f': np.maximum}['f'](A, B)\n",
    "partial": "import numpy as np\nfrom functools import partial\ndef max_cpu(A, B):\n    return partial(np.maximum, A)(B)\n",
    "class": "import numpy as np\nclass M:\n    def run(self, a, b):\n        return np.maximum(a, b)\ndef max_cpu(A, B):\n    return M().run(A, B)\n",
    "callable object": "import numpy as np\nclass M:\n    def __call__(self, a, b):\n        return np.maximum(a, b)\nmax_cpu = M()\n",
    "default argument": "import numpy as np\ndef max_cpu(A, B, f=np.maximum):\n    return f(A, B)\n",
    "after many empty loops": "import numpy as np\ndef max_cpu(A, B):\n    for i in range(10):\n        for j in range(10):\n            pass\n    return np.maximum(A, B)\n",
    "walrus": "import numpy as np\ndef max_cpu(A, B):\n    return (f := np.maximum)(A, B)\n",
    "generator": "import numpy as np\ndef rows(A, B):\n    for a, b in zip(A, B):\n        yield np.maximum(a, b)\ndef max_cpu(A, B):\n    return list(rows(A, B))\n",
    "torch": "import torch\ndef max_cpu(A, B):\n    return torch.maximum(torch.from_numpy(A), torch.from_numpy(B)).numpy()\n",
    "inner module of NumPy": "from numpy.core.umath import maximum\ndef max_cpu(A, B):\n    return maximum(A, B)\n",
    "function of the array type": "import numpy as np\ndef max_cpu(A, B):\n    return np.ndarray.__add__(A, B)\n",
    "sorted pairs": "import numpy as np\ndef max_cpu(A, B):\n    return np.sort(np.stack([A, B]), axis=0)[1]\n",
}
_MAX_CERTAIN |= {
    "inherited method": "import numpy as np\nclass B:\n    def go(self, a, b):\n        return np.maximum(a, b)\nclass M(B):\n    pass\ndef max_cpu(A, C):\n    return M().go(A, C)\n",
    "kept in an object": "import numpy as np\nclass M:\n    def __init__(self):\n        self.f = np.maximum\n    def go(self, a, b):\n        return self.f(a, b)\ndef max_cpu(A, B):\n    return M().go(A, B)\n",
    "list of functions": "import numpy as np\nF = [np.maximum]\ndef max_cpu(A, B):\n    return F[0](A, B)\n",
    "set by a function": "import numpy as np\nf = None\ndef setup():\n    global f\n    f = np.maximum\nsetup()\ndef max_cpu(A, B):\n    return f(A, B)\n",
    "own operator": "import numpy as np\nclass M:\n    def __init__(self, a):\n        self.a = a\n    def __or__(self, other):\n        return np.maximum(self.a, other.a)\ndef max_cpu(A, B):\n    return M(A) | M(B)\n",
    "key of sorted": "import numpy as np\ndef max_cpu(A, B):\n    return sorted([0], key=lambda _: np.maximum(A, B))\n",
    "thread": "import threading, numpy as np\ndef max_cpu(A, B):\n    out = []\n    t = threading.Thread(target=lambda: out.append(np.maximum(A, B)))\n    t.start()\n    t.join()\n    return out[0]\n",
    "passed on with *": "import numpy as np\ndef call(f, *args):\n    return f(*args)\ndef max_cpu(A, B):\n    return call(np.maximum, A, B)\n",
    "masked arrays": "import numpy as np\ndef max_cpu(A, B):\n    return np.ma.maximum(A, B)\n",
    "wrapper": "import functools, numpy as np\ndef d(f):\n    @functools.wraps(f)\n    def w(A, B):\n        return np.maximum(A, B)\n    return w\n@d\ndef max_cpu(A, B):\n    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]\n",
}
_MATMUL_CERTAIN = {
    "operator @": "def matmul_transpose_trivial(X):\n    return X @ X.T\n",
    "np.dot": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return np.dot(X, X.transpose())\n",
    "method dot": "def matmul_transpose_trivial(X):\n    return X.dot(X.T)\n",
    "einsum": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return np.einsum('ik,jk->ij', X, X)\n",
    "dot of rows": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return [[np.dot(a, b) for b in X] for a in X]\n",
    "rows by operators": "def matmul_transpose_trivial(X):\n    return [[sum(a * b) for b in X] for a in X]\n",
    "method of rows": "def matmul_transpose_trivial(X):\n    return [[X[i].dot(X[j]) for j in range(9)] for i in range(9)]\n",
    "columns added up": "import numpy as np\ndef matmul_transpose_trivial(X):\n    C = np.zeros((9, 9))\n    for k in range(3):\n        C += np.outer(X[:, k], X[:, k])\n    return C\n",
    "@ hidden in the third loop": "import numpy as np\ndef matmul_transpose_trivial(X):\n    C = np.zeros((9, 9))\n    for i in range(9):\n        for j in range(9):\n            for k in range(1):\n                C[i, j] = X[i] @ X[j]\n    return C\n",
    "in-place operator": "def matmul_transpose_trivial(X):\n    Y = X.copy()\n    Y @= X.T\n    return Y\n",
    "math.sumprod": "import math\ndef matmul_transpose_trivial(X):\n    return [[math.sumprod(a, b) for b in X] for a in X]\n",
    "filled copies": "import numpy as np\ndef matmul_transpose_trivial(X):\n    Y = np.empty_like(X)\n    Y[:] = X\n    Z = np.zeros_like(X)\n    return Y * (Y + Z)\n",
    "scipy": "from scipy.linalg import blas\ndef matmul_transpose_trivial(X):\n    return blas.dsyrk(1.0, X)\n",
    "linalg": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return np.linalg.multi_dot([X, X.T])\n",
    "numpy through its tests": "from numpy.testing._private import utils as u\ndef matmul_transpose_trivial(X):\n    return u.np.dot(X, X.T)\n",
    "numpy through numba": "from numba.np import arraymath\ndef matmul_transpose_trivial(X):\n    return arraymath.np.dot(X, X.T)\n",
    "numpy through numba, whole": "import numba\ndef matmul_transpose_trivial(X):\n    return numba.np.arraymath.np.dot(X, X.T)\n",
    "numpy through random": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return np.random.mtrand.np.dot(X, X.T)\n",
    "else of the guard": "import numpy as np\ndef matmul_transpose_trivial(X):\n    pass\nif __name__ == '__main__':\n    pass\nelse:\n    matmul_transpose_trivial = lambda X: np.dot(X, X.T)\n",
    "broadcasting": "import numpy as np\ndef matmul_transpose_trivial(X):\n    return (X[:, None, :] * X[None]).tolist()\n",
}
CERTAIN = {
    **{name: ("max_cpu", text) for name, text in _MAX_CERTAIN.items()},
    **{f"matmul: {name}": ("matmul_transpose_trivial", text) for name, text in _MATMUL_CERTAIN.items()},
    "gpu: work on the host": (
        "max_gpu",
        "import numpy as np\nfrom numba import cuda\n@cuda.jit\ndef max_kernel(A, B, C):\n    pass\ndef max_gpu(A, B):\n    C = np.maximum(A, B)\n    max_kernel[1000, 1000](A, B, C)\n    return C\n",
    ),
    "gpu: cupy": (
        "max_gpu",
        "import cupy as cp\ndef max_gpu(A, B):\n    return cp.maximum(cp.asarray(A), cp.asarray(B)).get()\n",
    ),
    "njit: np.maximum": (
        "max_numba",
        "import numpy as np\nfrom numba import njit\n@njit\ndef max_numba(A, B):\n    return np.maximum(A, B)\n",
    ),
}
SUSPICIOUS = {
    "foreign code": (
        "max_cpu",
        "import ctypes\nlib = ctypes.CDLL('x.so')\ndef max_cpu(A, B):\n    return ctypes.CDLL('x.so').work(A, B)\n",
    ),
    "class of the array": ("max_cpu", "def max_cpu(A, B):\n    return type(A).__add__(A, B)\n"),
    "looked up by an object": (
        "max_cpu",
        "import numpy as np\nfrom operator import attrgetter\ndef max_cpu(A, B):\n    return attrgetter('maximum')(np)(A, B)\n",
    ),
    "sys.modules": ("max_cpu", "import sys\ndef max_cpu(A, B):\n    return sys.modules['numpy'].maximum(A, B)\n"),
    "eval": ("max_cpu", "import numpy as np\ndef max_cpu(A, B):\n    return eval('np.maximum(A, B)')\n"),
    "exec": ("max_cpu", "import numpy as np\nexec('def max_cpu(A, B): return np.maximum(A, B)')\n"),
    "getattr of a computed name": (
        "max_cpu",
        "import numpy as np\ndef max_cpu(A, B):\n    return getattr(np, bytes([109, 97, 120]).decode() + 'imum')(A, B)\n",
    ),
    "globals": ("max_cpu", "import numpy as np\ndef max_cpu(A, B):\n    return A\nglobals()['max_cpu'] = np.maximum\n"),
    "setattr": (
        "max_cpu",
        "import sys, numpy as np\ndef max_cpu(A, B):\n    return A\nsetattr(sys.modules[__name__], 'max_cpu', np.maximum)\n",
    ),
    "code replaced": (
        "max_cpu",
        "import numpy as np\ndef f(A, B):\n    return np.maximum(A, B)\ndef max_cpu(A, B):\n    return A\nmax_cpu.__code__ = f.__code__\n",
    ),
    "another module": ("max_cpu", "from secrets2 import work\ndef max_cpu(A, B):\n    return work(A, B)\n"),
    "no definition": ("max_cpu", "def max_gpu(A, B):\n    return A\n"),
    "chosen by a condition": (
        "max_cpu",
        "import numpy as np, sys\nf = np.maximum if len(sys.argv) > 1 else (lambda a, b: a)\ndef max_cpu(A, B):\n    return f(A, B)\n",
    ),
    "numba.vectorize": (
        "max_numba",
        "import numba\n@numba.vectorize\ndef f(a, b):\n    return max(a, b)\ndef max_numba(A, B):\n    return f(A, B)\n",
    ),
    "numba.vectorize, compared": (
        "max_numba",
        "import numba\n@numba.vectorize\ndef max_numba(a, b):\n    return a if a > b else b\n",
    ),
    "inside numba": (
        "max_cpu",
        "from numba.misc import work\ndef max_cpu(A, B):\n    return work.largest(A, B)\n",
    ),
    "a text run by timeit": (
        "max_cpu",
        "import timeit\ndef max_cpu(A, B):\n    timeit.timeit('work()')\n    return A\n",
    ),
    "wherever it is imported": (
        "max_cpu",
        "def max_cpu(A, B):\n    return A\nif __name__ != '__main__':\n    other = max_cpu\n    max_cpu = lambda A, B: A\n",
    ),
    "a decorator that gives something else": (
        "max_cpu",
        "from collections import ChainMap\nm = ChainMap({})\ndef d(f):\n    return m['x']\n@d\ndef max_cpu(A, B):\n    return A\n",
    ),
    "rows out of a deque": (
        "max_cpu",
        "from collections import deque\ndef max_cpu(A, B):\n    return [(a + b + abs(a - b)) // 2 for a, b in zip(deque(A), deque(B))]\n",
    ),
    "arrays in an exception": (
        "max_cpu",
        "def max_cpu(A, B):\n    try:\n        raise ValueError(A, B)\n    except ValueError as e:\n        a, b = e.args\n    return (a + b + abs(a - b)) // 2\n",
    ),
    "object mode": (
        "max_numba",
        "import numba\n@numba.njit\ndef max_numba(A, B):\n    with numba.objmode():\n        print(A)\n    return A\n",
    ),
}
DELAYS_CERTAIN = {
    "sleep": "import time\ndef max_cpu(A, B):\n    time.sleep(5)\n    return A\n",
    "sleep renamed": "from time import sleep as rest\ndef max_cpu(A, B):\n    rest(1)\n    return A\n",
    "sleep in a helper": "import time\ndef h():\n    time.sleep(1)\ndef max_cpu(A, B):\n    h()\n    return A\n",
    "empty loop": "def max_cpu(A, B):\n    for _ in range(10**6):\n        pass\n    return A\n",
    "empty loops inside each other": "def max_cpu(A, B):\n    for i in range(1000):\n        for j in range(1000):\n            ...\n    return A\n",
    "loop of constants": "def max_cpu(A, B):\n    for _ in range(10**6):\n        x = 1 + 1\n    return A\n",
    "empty loop in the inner loop": "def max_cpu(A, B):\n    for i in range(9):\n        for j in range(9):\n            for k in range(100):\n                continue\n            A[i, j] = 1\n    return A\n",
    "waiting for the clock": "import time\ndef max_cpu(A, B):\n    t = time.time() + 1\n    while time.time() < t:\n        pass\n    return A\n",
    "waiting for another clock": "from time import perf_counter_ns as now\ndef max_cpu(A, B):\n    t = now()\n    while now() - t < 10**9:\n        x = 1\n    return A\n",
}
DELAYS_SUSPICIOUS = {
    "clock inside the loop": "import time\ndef max_cpu(A, B):\n    t = time.time()\n    while True:\n        if time.time() > t + 1:\n            break\n    return A\n",
    "work repeated": "def work(A, B):\n    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]\ndef max_cpu(A, B):\n    for _ in range(5):\n        C = work(A, B)\n    return C\n",
    "results never used": "def max_cpu(A, B):\n    for i in range(10**5):\n        x = A[0, 0] * i\n    return A\n",
    "comprehension never used": "def max_cpu(A, B):\n    [i for i in range(10**6)]\n    return A\n",
    "sum never used": "def max_cpu(A, B):\n    sum(range(10**8))\n    return A\n",
    "element computed again and again": "def max_cpu(A, B):\n    C = A.copy()\n    for i in range(9):\n        for _ in range(50):\n            if B[i, 0] > A[i, 0]:\n                C[i, 0] = B[i, 0]\n    return C\n",
    "process": "import subprocess\ndef max_cpu(A, B):\n    subprocess.run(['sleep', '1'])\n    return A\n",
    "thread": "import threading\ndef max_cpu(A, B):\n    threading.Event().wait(1)\n    return A\n",
}
NOT_NJIT_CERTAIN = {
    "nothing": "def max_numba(A, B):\n    return A\n",
    "object mode": "from numba import jit\n@jit(forceobj=True)\ndef max_numba(A, B):\n    return A\n",
    "imported and not used": "from numba import njit\ndef max_numba(A, B):\n    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]\n",
    "for the GPU": "from numba import cuda\n@cuda.jit\ndef max_numba(A, B):\n    pass\n",
    "own njit": "def njit(f):\n    return f\n@njit\ndef max_numba(A, B):\n    return A\n",
    "another function compiled": "from numba import njit\n@njit\ndef other(A, B):\n    return A\ndef max_numba(A, B):\n    return A\n",
    "py_func": "from numba import njit\n@njit\ndef f(A, B):\n    return A\n@njit\ndef g(A):\n    return A\nmax_numba = lambda A, B: A\n",
}
NOT_NJIT_SUSPICIOUS = {
    "nopython off": "from numba import jit\n@jit(nopython=False)\ndef max_numba(A, B):\n    return A\n",
    "compiled helper in Python loops": "from numba import njit\n@njit\ndef f(a, b):\n    return max(a, b)\ndef max_numba(A, B):\n    return [[f(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]\n",
    "compiled decoy": "from numba import njit\n@njit\ndef f(a):\n    return a\ndef max_numba(A, B):\n    f(1)\n    return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]\n",
    "numba.vectorize": "from numba import vectorize\n@vectorize\ndef max_numba(a, b):\n    return a\n",
    "compilation switched off": "import numba\nnumba.config.DISABLE_JIT = True\n@numba.njit\ndef max_numba(A, B):\n    return A\n",
    "switched off by the environment": "import os\nos.environ['NUMBA_DISABLE_JIT'] = '1'\nimport numba\n@numba.njit\ndef max_numba(A, B):\n    return A\n",
}
