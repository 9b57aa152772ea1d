import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SHAPES = st.tuples(st.integers(0, 12), st.integers(0, 12))
PAIRS = SHAPES.flatmap(
    lambda shape: st.tuples(*[hnp.arrays(np.int64, shape, elements=st.integers(0, 255)) for _ in "AB"])
)


@pytest.fixture(scope="module")
def functions(modules):
    return modules("max_functions")


@pytest.mark.parametrize("name", ["max_cpu", "max_numba"])
@given(pair=PAIRS)
def test_the_host_functions_agree_with_numpy_on_every_shape(functions, name, pair):
    first, second = pair
    result = getattr(functions, name)(first, second)
    np.testing.assert_array_equal(result, np.maximum(first, second), strict=True)


@pytest.mark.parametrize("shape", ["1x1", "1000x1000", "1x5", "3x1", "1001x17", "17x1003", "2003x1", "1x2500", "0x4"])
def test_the_kernel_is_right_beyond_and_below_its_launch(kernel_results, shape):
    assert kernel_results["max"][shape] is True


def test_the_comparison_prints_three_times_and_ends_well(comparison):
    code, lines = comparison("max_functions", "max_comparisons")
    assert [line.split(":")[0] for line in lines] == ["[*] CPU", "[*] Numba", "[*] CUDA"]
    assert all(float(line.split(":")[1]) > 0 for line in lines)
    assert code == 0


@pytest.mark.parametrize("wrong", ["max_cpu", "max_numba", "max_gpu", "no GPU"])
def test_the_comparison_fails_on_a_wrong_result_and_without_a_gpu(functions, monkeypatch, capsys, wrong):
    for name in ("max_cpu", "max_numba", "max_gpu"):
        monkeypatch.setattr(functions, name, np.minimum if name == wrong else np.maximum)
    monkeypatch.setattr(functions, "CALLS", 1)
    monkeypatch.setattr(functions.cuda, "is_available", lambda: wrong != "no GPU")
    assert functions.max_comparisons() == 1
    assert ("no GPU" if wrong == "no GPU" else "wrong result") in capsys.readouterr().out
