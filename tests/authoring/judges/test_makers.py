"""Which launches computed an array: one, or several that left its blocks."""

import numpy as np
from rows import check_rows

from grader.authoring.judges.makers import find_makers
from grader.authoring.judges.scenarios import Launched

RIGHT = np.random.default_rng(1).normal(size=(6, 7))
NOTHING = np.zeros((6, 7))


def launched(before, after, kernel="gemm"):
    return Launched(kernel, (1, 1, 1), (6, 1, 1), before=tuple(before), after=tuple(after))


def makers(*launches):
    return [launch.kernel for launch in find_makers(launches, RIGHT)]


def test_one_launch_leaves_it_whole_up_to_a_factor():
    assert makers(launched([NOTHING], [3 * RIGHT])) == ["gemm"]


def test_one_launch_leaves_it_as_a_block_of_a_larger_matrix():
    wide = np.ones((8, 8))
    wide[2:, :7] = 2 * RIGHT
    assert makers(launched([np.zeros((8, 8))], [wide])) == ["gemm"]


def test_several_launches_leave_its_blocks():
    parts = [RIGHT[:4, :5], RIGHT[4:, :5], RIGHT[:, 5:]]
    assert makers(*(launched([0 * part], [part], f"kernel {n}") for n, part in enumerate(parts))) == [
        "kernel 0",
        "kernel 1",
        "kernel 2",
    ]
    assert makers(*(launched([0 * row], [row]) for row in RIGHT[:, None])) == ["gemm"] * 6


def test_what_a_kernel_was_given_or_left_out_is_not_made():
    def check(launches):
        assert makers(*launches) == []

    check_rows(
        check,
        [
            [],
            [launched([NOTHING], [RIGHT + 1])],
            [launched([RIGHT], [2 * RIGHT])],
            [
                launched([RIGHT[:4], NOTHING[:4]], [RIGHT[:4], 1.0 * RIGHT[:4] + 0]),
                launched([NOTHING[4:]], [RIGHT[4:]]),
            ],
            [launched([NOTHING[:4]], [RIGHT[:4]])],
            [launched([np.pad(RIGHT, 1)], [RIGHT])],
        ],
    )


def test_a_block_that_an_earlier_launch_was_given_is_not_made_by_a_later_one():
    upper, lower = RIGHT[:3], RIGHT[3:]
    first = launched([lower, 0 * upper], [lower, upper])
    assert makers(first, launched([0 * lower], [lower])) == []


def test_infinities_and_zeros_are_no_places_to_begin():
    assert find_makers([launched([NOTHING], [np.full((8, 8), np.inf)])], NOTHING) == []
