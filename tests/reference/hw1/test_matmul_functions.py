import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SHAPES = st.tuples(st.integers(0, 9), st.integers(0, 9))
MATRICES = hnp.arrays(np.float64, SHAPES, elements=st.floats(-1e3, 1e3))


@pytest.fixture(scope="module")
def functions(modules):
    return modules("matmul_functions")


@pytest.mark.parametrize("name", ["matmul_transpose_trivial", "matmul_transpose_numba"])
@given(matrix=MATRICES)
def test_the_host_functions_agree_with_numpy_on_every_shape(functions, name, matrix):
    result = getattr(functions, name)(matrix)
    np.testing.assert_allclose(result, matrix @ matrix.T, rtol=1e-12, atol=1e-9, strict=True)


@pytest.mark.parametrize(
    "shape",
    [
        *("1x1", "784x128", "1x200", "200x1", "31x31", "32x32", "33x33", "65x1", "100x33", "3x0"),
        *("63x31", "64x64", "65x97", "33x7", "257x33", "1100x3"),
    ],
)
def test_the_kernel_is_right_on_every_shape(kernel_results, shape):
    assert kernel_results["matmul"][shape] < 1e-11


def test_the_comparison_prints_three_times_and_ends_well(comparison):
    code, lines = comparison("matmul_functions", "matmul_comparisons")
    assert [line.split(":")[0] for line in lines] == ["Numpy", "Numba", "CUDA"]
    assert all(float(line.split(":")[1]) > 0 for line in lines)
    assert code == 0


@pytest.mark.parametrize("wrong", ["matmul_transpose_trivial", "matmul_transpose_numba", "matmul_transpose_gpu"])
def test_the_comparison_fails_on_a_wrong_result(functions, monkeypatch, capsys, wrong):
    for name in ("matmul_transpose_trivial", "matmul_transpose_numba", "matmul_transpose_gpu"):
        monkeypatch.setattr(functions, name, lambda x, sign=-1 if name == wrong else 1: sign * (x @ x.T))
    monkeypatch.setattr(functions, "CALLS", 1)
    monkeypatch.setattr(functions.cuda, "is_available", lambda: True)
    assert functions.matmul_comparisons() == 1
    assert "wrong result" in capsys.readouterr().out
