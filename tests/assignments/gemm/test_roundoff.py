"""The bound of round-off: right products in any order stay within it, and bugs do not."""

from dataclasses import replace

import numpy as np
import pytest

from grader.assignments.gemm import products
from grader.errors import StudentFault

SIZES = ((37, 29, 70), (1, 300, 1), (3, 1, 200), (4, 0, 5), (1, 1, 1))


def add_up(product, order):
    """Return C with each sum added up in `order`, in the type of C."""
    kind = product.C.dtype.type
    total = np.zeros(product.C.shape, product.C.dtype)
    for p in order:
        total += np.outer(product.A[:, p], product.B[p])
    return (kind(product.alpha) * total + kind(product.beta) * product.C).astype(kind)


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_sums_in_any_order_stay_within_the_bound(rng, sizes, kind):
    product = products.draw(rng, sizes, (1.5, -0.5), kind)
    for order in (range(sizes[1]), reversed(range(sizes[1])), rng.permutation(sizes[1])):
        assert products.expect_round_off("it", add_up(product, order), product).share <= 1


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_the_last_product_of_a_sum_is_more_than_round_off(rng, kind):
    product = products.draw(rng, (37, 29, 70), (1.5, -0.5), kind)
    with pytest.raises(StudentFault, match="A bug, and no round-off: 34 roundings") as fault:
        products.expect_round_off("it", add_up(product, range(28)), product, product.mistakes())
    assert fault.value.finding.hint == "The last product of each sum is missing."


def test_wrong_entries_are_described_by_what_they_have_in_common(rng):
    product = products.draw(rng, (37, 29, 70), (1.5, -0.5))
    unwritten, second = product.solve(), product.solve()
    unwritten[32:, 64:] = product.C[32:, 64:]
    second[:, 16:32] += 1
    for got, end in (
        (unwritten, "at most. All wrong entries hold what C held before: no thread writes them."),
        (second, "at most. Of columns, only 0 to 15, 32 to 69 are right throughout."),
        (product.solve() + 1, "at most."),
    ):
        with pytest.raises(StudentFault) as fault:
            products.expect_round_off("it:", got, product)
        assert fault.value.finding.message.startswith("it: C is wrong in ")
        assert fault.value.finding.message.endswith(end)


def test_float32_in_arrays_of_float64_is_told_from_a_bug(rng):
    product = products.draw(rng, (37, 29, 70), (1.5, -0.5))
    single = replace(product, A=product.A.astype("f4"), B=product.B.astype("f4"), C=product.C.astype("f4"))
    with pytest.raises(StudentFault, match="This is the round-off of float32, in arrays of float64"):
        products.expect_round_off("it", add_up(single, range(29)).astype(float), product)


def test_the_bound_is_not_much_larger_than_what_happens(rng):
    product = products.draw(rng, (64, 64, 64), (1.0, 0.0), "float32")
    assert 0.001 < products.expect_round_off("it", add_up(product, range(64)), product).share < 1


def test_gamma_is_highams():
    assert products.gamma(10, 2.0**-24) == 10 * 2.0**-24 / (1 - 10 * 2.0**-24)


def test_without_beta_nan_in_c_is_nobodys_business(rng):
    product = products.draw(rng, (5, 6, 7), (1.0, 0.0))
    filled = replace(product, C=np.full_like(product.C, np.nan))
    assert np.isfinite(filled.solve()).all()
    assert products.expect_round_off("it", product.A @ product.B, filled).share <= 1
