"""The α-β model: what it was calibrated by comes back, and the formulas keep what their sources prove."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.timing.hockney import Link, Step, fit_link, ring_s, server_s, step_s, tree_s

LINKS = st.builds(Link, st.floats(1e-7, 1e-2), st.floats(1e-11, 1e-6))
STEPS = st.builds(Step, st.floats(1e-4, 10), st.floats(1, 8), st.floats(8, 1e8))
SIZES = (8, 1 << 10, 1 << 14, 1 << 17, 1 << 20)


@given(LINKS)
def test_times_that_follow_the_model_give_their_link_back(link):
    times_s = {size: link.message_s(size) for size in SIZES}
    found = fit_link(times_s)
    assert {size: found.message_s(size) for size in SIZES} == pytest.approx(times_s, rel=1e-6)


@pytest.mark.parametrize("times_s", [{}, {8: 1e-6}, {8: 0.0, 1024: 1e-6}, {8: -1.0, 1024: 1e-6}])
def test_what_is_no_two_times_gives_no_link(times_s):
    assert fit_link(times_s) is None


@given(st.integers(2, 4096), STEPS, LINKS)
def test_the_ring_moves_least_and_the_server_most(ranks, step, link):
    free = Link(0.0, link.byte_s)
    assert ring_s(ranks, step, free) <= tree_s(ranks, step, free) * (1 + 1e-12)
    assert tree_s(ranks, step, link) <= server_s(ranks, step, link) * (1 + 1e-12)


def test_long_arrays_go_round_a_ring_and_short_ones_up_a_tree():
    link = Link(1e-6, 1e-9)
    long, short = Step(1.0, 1, 1e9), Step(1.0, 1, 8)
    assert ring_s(64, long, link) < tree_s(64, long, link)
    assert tree_s(64, short, link) < ring_s(64, short, link)


@given(STEPS, LINKS)
def test_one_rank_computes_only(step, link):
    assert step_s(1, step, link) == step.computing_s
