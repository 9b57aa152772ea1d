"""The reference's maxima and products: right on every shape, and compared by programs that end well."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

pytestmark = pytest.mark.wide

PAIR_SHAPES = st.tuples(st.integers(0, 12), st.integers(0, 12))
BYTES = st.integers(0, 255)
PAIRS = PAIR_SHAPES.flatmap(lambda shape: st.tuples(*[hnp.arrays(np.int64, shape, elements=BYTES) for _ in "AB"]))


@pytest.fixture(scope="module")
def maxima(modules):
    return modules("max_functions")


@pytest.mark.parametrize("name", ["max_cpu", "max_numba"])
@given(pair=PAIRS)
def test_host_maxima_agree_with_numpy_on_every_shape(maxima, name, pair):
    first, second = pair
    np.testing.assert_array_equal(getattr(maxima, name)(first, second), np.maximum(first, second), strict=True)


def test_the_kernel_is_right_beyond_and_below_its_launch(kernel_results):
    assert len(kernel_results["max"]) == 10
    assert {shape for shape, is_right in kernel_results["max"].items() if is_right is not True} == set()


@pytest.mark.parametrize(
    ("module", "function", "names"),
    [
        ("max_functions", "max_comparisons", ["[*] CPU", "[*] Numba", "[*] CUDA"]),
        ("matmul_functions", "matmul_comparisons", ["Numpy", "Numba", "CUDA"]),
    ],
)
def test_a_comparison_prints_three_times_and_ends_well(comparison, module, function, names):
    code, lines = comparison(module, function)
    assert [line.split(":")[0] for line in lines] == names
    assert all(float(line.split(":")[1]) > 0 for line in lines)
    assert code == 0


@pytest.mark.parametrize("wrong", ["max_cpu", "max_numba", "max_gpu", "no GPU"])
def test_the_comparison_fails_on_a_wrong_result_and_without_a_gpu(maxima, monkeypatch, capsys, wrong):
    for name in ("max_cpu", "max_numba", "max_gpu"):
        monkeypatch.setattr(maxima, name, np.minimum if name == wrong else np.maximum)
    monkeypatch.setattr(maxima, "CALLS", 1)
    monkeypatch.setattr(maxima.cuda, "is_available", lambda: wrong != "no GPU")
    assert maxima.max_comparisons() == 1
    assert ("no GPU" if wrong == "no GPU" else "wrong result") in capsys.readouterr().out


SHAPES = st.tuples(st.integers(0, 9), st.integers(0, 9))
MATRICES = hnp.arrays(np.float64, SHAPES, elements=st.floats(-1e3, 1e3))


@pytest.fixture(scope="module")
def products(modules):
    return modules("matmul_functions")


@pytest.mark.parametrize("name", ["matmul_transpose_trivial", "matmul_transpose_numba"])
@given(matrix=MATRICES)
def test_the_host_functions_agree_with_numpy_on_every_shape(products, name, matrix):
    result = getattr(products, name)(matrix)
    np.testing.assert_allclose(result, matrix @ matrix.T, rtol=1e-12, atol=1e-9, strict=True)


def test_the_kernel_is_right_on_every_shape(kernel_results):
    assert len(kernel_results["matmul"]) == 16
    assert {shape: error for shape, error in kernel_results["matmul"].items() if not error < 1e-11} == {}


@pytest.mark.parametrize("wrong", ["matmul_transpose_trivial", "matmul_transpose_numba", "matmul_transpose_gpu"])
def test_the_comparison_fails_on_a_wrong_result(products, monkeypatch, capsys, wrong):
    for name in ("matmul_transpose_trivial", "matmul_transpose_numba", "matmul_transpose_gpu"):
        monkeypatch.setattr(products, name, lambda x, sign=-1 if name == wrong else 1: sign * (x @ x.T))
    monkeypatch.setattr(products, "CALLS", 1)
    monkeypatch.setattr(products.cuda, "is_available", lambda: True)
    assert products.matmul_comparisons() == 1
    assert "wrong result" in capsys.readouterr().out
