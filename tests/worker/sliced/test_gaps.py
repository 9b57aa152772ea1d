"""Ways round the labels that were tried: each is seen as a mix, as numbers that leaked, or refused."""

import pytest
from rows import each

TRIED = {
    "np.frombuffer": ("M = np.maximum(A, B)\nC = np.frombuffer(M, M.dtype)"),
    "conj, a method": "C = np.maximum(A, B).conj()",
    "real": "C = np.maximum(A, B).real",
    "piecewise by a tuple of functions": (
        "S = []\nnp.piecewise(A[:1, :1], [[[True]]], (lambda a, b, c: S.append((b, c)) or 0,), A, B)\n"
        "a, b = S[0]\nC = a * (a > b) + b * (b >= a)"
    ),
    "resize, a method": ("C = np.maximum(A, B)\nC.resize((6, 24))"),
    "numbers in place": (
        "R, S = (np.float64(0).repeat(144).reshape(A.shape) for _ in range(2))\nR[...], S[...] = A, B\nC = R.clip(S)"
    ),
    "numbers with an axis in place": (
        "R, S = (A[0, 0][None].repeat(144).reshape(A.shape) for _ in range(2))\nR[...], S[...] = A, B\nC = R.clip(S)"
    ),
    "a median in place": "C = np.stack([A, B])\nnp.median(C, axis=0, overwrite_input=True)\nC = C[1]",
    "a percentile in place": "C = np.stack([A, B])\nnp.percentile(C, 50, axis=0, overwrite_input=True)\nC = C[1]",
    "a distribution's numbers": "import scipy.stats\nC = scipy.stats.norm().pdf(A) + scipy.stats.norm().pdf(B)",
    "expit": ("from scipy.special import expit\nC = expit(np.maximum(A, B))"),
    "asarray_chkfinite": "C = np.asarray_chkfinite(np.maximum(A, B))",
    "a context manager's array": ("import contextlib\nwith contextlib.nullcontext(np.maximum(A, B)) as C:\n    pass"),
    "as objects": "C = np.maximum(A.astype(object), B.astype(object)).astype(int)",
    "objects": "C = np.add(A.astype(object), B).tolist()",
    "matrix_transpose": "C = np.matrix_transpose(np.maximum(A, B))",
    "fromfunction": "C = np.fromfunction(lambda i, j: np.maximum(A, B), (12, 12))",
    "fromiter": "C = np.fromiter((x for x in np.maximum(A, B).flat), int)",
    "ix_": "C = np.maximum(A, B)[np.ix_(range(12), range(12))]",
    "unstack": "C = np.unstack(np.maximum(A, B))",
    "atleast": "C = np.atleast_2d(np.maximum(A, B))",
    "into an argument's view": ("C = A\nA.T[...] = np.maximum(A, B).T"),
    "setitem by operator": ("C = np.zeros(A.shape)\noperator.setitem(C, slice(None), np.maximum(A, B))"),
    "iadd on rows": ("C = A.copy()\nfor c, b in zip(C, B):\n    c += b"),
    "dict": "C = {'C': np.maximum(A, B)}['C']",
    "a fill of rows": ("C = np.zeros(A.shape)\nfor i in range(12):\n    C[i, :] = np.where(A[i] > B[i], A[i], B[i])"),
    "list of rows": "C = [[*np.maximum(a, b)] for a, b in zip(A, B)]",
    "a buffer": ("M = np.maximum(A, B)\nC = np.ndarray(M.shape, M.dtype, buffer=M)"),
    "argmax": "C = np.stack([A, B]).argmax(axis=0)",
    "argmin": "C = np.stack([A, B]).argmin(axis=0)",
    "put, a method": ("M = np.maximum(A, B)\nC = np.zeros_like(A)\nC.put(range(144), M)"),
    "round, a method": "C = np.maximum(A, B).round()",
    "byteswap": "C = np.maximum(A, B).byteswap()",
    "reshape that copies": "C = np.maximum(A, B).T.reshape(-1)",
    "ravel that copies": "C = np.maximum(A, B).T.ravel()",
    "shuffle": ("C = A.copy()\nnp.random.shuffle(C)"),
    "softmax": ("from scipy.special import softmax\nC = softmax(A)"),
    "linspace": "C = np.linspace(np.maximum(A, B), B, 1)",
    "meshgrid, of what is mixed then": "C = np.maximum(*np.meshgrid(A[0]), *np.meshgrid(B[0]))",
    "meshgrid": "C = np.meshgrid(A[0], B[0])[0] > np.meshgrid(A[0], B[0])[1]",
    "set_printoptions": (
        "C = []\nnp.set_printoptions(threshold=999, formatter={'int': lambda x: C.append(x) or 'x'})\n"
        "str(np.maximum(A, B))"
    ),
    "nditer, external_loop": (
        "C = np.zeros(A.shape, A.dtype)\n"
        "with np.nditer([A, B, C], ['external_loop'], [['readonly'], ['readonly'], ['writeonly']]) as parts:\n"
        "    for a, b, c in parts:\n        c[...] = np.maximum(a, b)"
    ),
    "nditer, its own output": (
        "with np.nditer([A, B, None], ['external_loop']) as parts:\n"
        "    for a, b, c in parts:\n        np.maximum(a, b, out=c)\n    C = parts.operands[2]"
    ),
    "through an ordinary view": "C = np.zeros_like(A)\nnp.maximum(A, B, np.asarray(C))",
    "through views of an ordinary view": "C = np.zeros_like(A)\nnp.rot90(np.asarray(C))[...] = np.maximum(A, B)",
    "one by one, of numbers made of nothing": (
        "I = np.arange(256)\nX, Y = I[:0], I[:0]\nfor a, b in zip(A.tolist(), B.tolist()):\n"
        "    for x, y in zip(a, b):\n        X, Y = np.append(X, I[x : x + 1]), np.append(Y, I[y : y + 1])\n"
        "C = np.maximum(X, Y)"
    ),
    "in bunches, of numbers made of nothing": (
        "I = np.arange(256)\ndef tree(parts):\n    while len(parts) > 1:\n"
        "        parts = [np.concatenate(parts[k : k + 16]) for k in range(0, len(parts), 16)]\n    return parts[0]\n"
        "X, Y = (tree([I[x : x + 1] for row in M.tolist() for x in row]) for M in (A, B))\nC = np.maximum(X, Y)"
    ),
    **{
        f"as {kind}": (
            f"from {module} import {name}\n"
            f"X, Y = (np.array([[{made} for x in row] for row in M.tolist()]) for M in (A, B))\n"
            "C = np.maximum(X, Y)"
        )
        for kind, module, name, made in (
            ("fractions", "fractions", "Fraction", "Fraction(x)"),
            ("decimals", "decimal", "Decimal", "Decimal(x)"),
            ("times", "datetime", "timedelta", "np.timedelta64(timedelta(seconds=x))"),
        )
    },
    "as letters": (
        "X, Y = (np.array([[chr(x + 1) for x in row] for row in M.tolist()]) for M in (A, B))\n"
        "C = np.where(X > Y, X, Y)"
    ),
    "halves of wide numbers": (
        "P = np.zeros((12, 12), np.int64)\nQ = P.view(np.int32)\nQ[:, ::2], Q[:, 1::2] = A, B\nC = P * 3"
    ),
    "round, into what is named by its place": "C = A.copy()\nnp.maximum(A, B).round(0, C)",
    "take, likewise": "C = A.copy()\nnp.maximum(A, B).take(range(12), 0, C)",
    "clip, likewise": "C = A.copy()\nnp.clip(A, B, None, C)",
    "concatenate, likewise": "C = A.copy()\nnp.concatenate([np.maximum(A, B)], 0, C)",
    "copyto, by keywords": "C = A.copy()\nnp.copyto(dst=C, src=np.maximum(A, B))",
    **{
        f"arrays in {made}": f"a, b = ({made} for M in (A, B))\nm = a > b\nC = a * m + b * (1 - m)"
        for made in (
            "np.array([{0: M}])[0][0]",
            "np.fromiter([[M]], object)[0][0]",
            "np.full(2, {0: M}, object).tolist()[1][0]",
        )
    },
    "operators of a device's array": "from numba import cuda\na = cuda.to_device(A) + np.int64(0)\nC = a * (a > a[0])",
    "read by nditer": ("M = np.maximum(A, B)\nC = [int(x) for x in np.nditer(M)]"),
    "read by ndenumerate": ("M = np.maximum(A, B)\nC = [x for _, x in np.ndenumerate(M)]"),
    "read by shapes": (
        "M = np.maximum(A, B)\nC = [np.broadcast_to(0, M[i, j : j + 6]).shape for i in range(12) for j in (0, 6)]"
    ),
    "read by lengths": (
        "M = np.maximum(A, B)\nC = [len(A[0, :1].repeat(M[i, j : j + 1])) for i in range(12) for j in range(12)]"
    ),
    "read by text": (
        "M = np.maximum(A, B)\nnp.set_printoptions(threshold=10**6)\n"
        "C = [int(word) for word in str(M).replace('[', ' ').replace(']', ' ').split()]"
    ),
    "read by format": (
        "M = np.maximum(A, B)\n"
        "C = [int(word) for row in M for word in f'{row}'.replace('[', ' ').replace(']', ' ').split()]"
    ),
}
ENDED = {
    "resize under a view": "C = A.copy()\nV = C.view()\nC.resize((1, 1), refcheck=False)",
    "repr by a function": "np.set_printoptions(override_repr=lambda M: '')",
    "a record of a log": "import logging\nlogging.getLogger('x').filters.append(A)",
    "a dictionary behind a view": (
        "class T:\n    def __eq__(self, other):\n        self.got = other\n        return True\n"
        "kind, t = np.dtype([('o', object), ('i', np.int64)]), T()\nkind.fields == t\n"
        "t.got['i'] = (np.dtype('i8'), 0)\nM = np.zeros(1, kind)\nM['o'][0] = A\n"
        "if not M['i'][0]:\n    raise ValueError('no address')"
    ),
    "a seed's numbers": "np.random.SeedSequence(1).pool",
    "a class of SciPy's": "import scipy.stats\ntype(scipy.stats.norm().dist)(shapes='x')",
    "a class of Numba's": "import numba\ntype(numba.float64.name.upper)('x')",
    "a class that has a stand-in": "import logging\ntype(logging.getLogger('x'))('y')",
    "a compiler's cost model": "import numba\nC = numba.njit(inline=lambda *some: True)(lambda: 0)()",
    "a compiler's option of its own": (
        "import numba\nclass T:\n    def __bool__(self):\n        return True\nnumba.njit(debug=T())(lambda: 0)()"
    ),
    "as_strided beyond the array": "C = np.lib.stride_tricks.as_strided(A, (200, 200), (8, 8))",
    "frompyfunc on objects": "C = np.frompyfunc(lambda a, b: (max(a, b), 0), 2, 2)(A, B)[0]",
    "the raw array, by a name that the hand-in binds": (
        "class K:\n    view_raw = 1\na, b = A.view_raw(), B.view_raw()\nm = a > b\nC = a * m + b * (1 - m)"
    ),
    "what a stand-in stands for": "C = np.maximum.real(np.array.real(A), np.array.real(B))",
    "the module behind np": ("N = np.real\na, b = N.array(A), N.array(B)\nm = a > b\nC = a * m + b * (1 - m)"),
    "vectorize with a signature": "C = np.vectorize(np.maximum, signature='(n),(n)->(n)')(A, B)",
    "vectorize of a function that takes rows": (
        "def of(a, b):\n    m = a > b\n    return a * m + b * (1 - m)\n"
        "C = np.vectorize(of, signature='(n),(n)->(n)')(A, B)"
    ),
    "a text in a class that is made of a dictionary": (
        "from abc import ABCMeta\nfrom dataclasses import dataclass\n"
        "C = dataclass(ABCMeta('H', (), {'__annotations__': {'x=print(A)': int}}))"
    ),
    "a text in a dataclass that was a dictionary": (
        "from typing import TypedDict\nfrom dataclasses import dataclass\n"
        "C = dataclass(init=False, repr=False)(TypedDict('H', {'x): pass\\nprint()\\ndef y(self': int}))"
    ),
    "a class of another module": "from abc import ABCMeta\nC = ABCMeta('H', (), {'__module__': 'os'})",
    "a signature that lies": (
        "from numba import njit\nclass S(str):\n    def strip(self):\n        return 'float64(float64)'\n"
        "C = njit(S('(print(1), float64(float64))[1]'))(lambda x: x)"
    ),
    "a format that lies": (
        "import logging, sys\nclass F(str):\n    def __str__(self):\n        return ''\n"
        "C = logging.basicConfig(format=F('{args[0].x}'), style='{')"
    ),
    "a stream of its own": "import logging\nclass S:\n    write = print\nC = logging.basicConfig(stream=S())",
    "the memory behind an array": "A.strides = (8, 8)\nC = A",
    "other names for modules": "np.__name__ = 'os'\nC = np",
    "other names for what is no text": "def f():\n    pass\nf.__name__ = type('S', (str,), {})('x')\nC = f",
    "__getattr__ that is no function": "class M:\n    __getattr__ = 3\nC = M()",
    "the memory as a text": "C = str(np.maximum(A, B).astype(np.uint8), 'latin-1')",
}
"""Ways that end with an exception, because what they name is not there."""


@each("body", TRIED)
def test_a_way_round_is_seen(run, body):
    seen = run(body).seen
    assert any(token.startswith("mixed") for token in seen.label) or seen.leaks >= 144 or seen.refused


@each("body", ENDED)
def test_a_way_round_is_not_there(run, body):
    with pytest.raises((AttributeError, TypeError, ValueError)):
        run(body)
