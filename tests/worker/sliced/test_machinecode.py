"""Whose work compiled code does, read where Numba knows the type of every value."""

import pytest

HEAD = "import numpy as np\nfrom numba import njit\n\n"
NDITER = (
    "C = np.zeros_like(A)\n    for a, b, c in np.nditer((A, B, C)):\n"
    "        c[()] = a.item() if a.item() > b.item() else b.item()\n    return C"
)


WORK = [
    ("return A.clip(B, None)", ["the method clip of an array"]),
    ("return A.clip(0, 9)", []),
    ("M = None\n    if A.size:\n        M = A\n    return M - B", ["sub of whole arrays"]),
    (NDITER, []),
    ("return np.stack((A.astype(np.int32), B.astype(np.int32)), 2).view(np.int64)", ["the method view of an array"]),
    ("A[0, A[0] == 3] = B[1, A[0] == 3]\n    return A", ["selection by an array"]),
    ("return A.view(np.uint64)", []),
    ("return np.frombuffer(A.astype(np.int32), np.int64)", ["numpy.frombuffer of an array"]),
    ("W = A.copy()\n    W.view(np.int32)[::2] = 1\n    return W >> 32", ["arithmetic on an array viewed in parts"]),
    ("W = A.copy()\n    W.view(np.int32)[::2] = 1\n    return W", []),
    ("return np.zeros(9, np.bool_).view(np.uint8)", []),
]


@pytest.mark.parametrize(("body", "expected"), WORK)
def test_the_work_of_compiled_code_is_read(opened, pair, body, expected):
    from grader.worker.sliced import machinecode  # noqa: PLC0415 - Numba, which other tests of this file import first

    opened(f"{HEAD}@njit\ndef f(A, B):\n    {body}\n")
    found = machinecode.describe("sample", "f", [array.copy() for array in pair])
    assert [words.partition(" (")[0] for words in found["library"]] == expected
    assert "f" in found["nopython"]


def test_the_loop_of_a_ufuncs_method_is_no_loop_of_the_hand_in(opened, pair):
    from grader.worker.sliced import machinecode  # noqa: PLC0415 - likewise

    larger = "from numba import vectorize\n@vectorize\ndef larger(a, b):\n    return a if a > b else b\n\n"
    opened(f"{HEAD}{larger}@njit\ndef f(A, B):\n    return larger.reduce(np.stack((A, B)), 0)\n")
    with pytest.warns(Warning, match="experimental"):
        found = machinecode.describe("sample", "f", [array.copy() for array in pair])
    assert [words.partition(" (")[0] for words in found["library"]] == ["the method reduce of a ufunc"]
