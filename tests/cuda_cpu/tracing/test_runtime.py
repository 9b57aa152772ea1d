"""The race detector against its definition: all pairs of accesses of generated programs, one by one."""

import itertools

import numpy as np
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import cuda

from grader.cuda_cpu import checking

NOTHING, READ, WRITE, ATOMIC = range(4)
BARRIER, SYNCWARP = range(2)
ACTORS = (0, 1, 33)
"""Threads that act: two of one warp, one of another."""
THREADS = 34
BLOCKS = 2


@cuda.jit
def interpret(program, separators, cells, seen):
    thread = cuda.threadIdx.x
    actor = 0 if thread == 0 else 1 if thread == 1 else 2 if thread == 33 else -1
    for turn in range(program.shape[2]):
        what = program[cuda.blockIdx.x, actor, turn] if actor >= 0 else 0
        if what == 1:
            seen[cuda.blockIdx.x, actor, turn] = cells[0]
        elif what == 2:
            cells[0] = cuda.grid(1) * 100 + turn
        elif what == 3:
            cuda.atomic.add(cells, 0, 0.5)
        if separators[turn] == 0:
            cuda.syncthreads()
        elif separators[turn] == 1:
            cuda.syncwarp()


def are_ordered(first, second, separators):
    (block, actor, turn), (other_block, other_actor, other_turn) = first, second
    if (block, actor) == (other_block, other_actor):
        return True
    if block != other_block:
        return False
    between = separators[min(turn, other_turn) : max(turn, other_turn)]
    return BARRIER in between or (ACTORS[actor] // 32 == ACTORS[other_actor] // 32 and SYNCWARP in between)


def has_race(program, separators):
    accesses = [place for place in np.ndindex(*program.shape) if program[place] != NOTHING]
    for first, second in itertools.combinations(accesses, 2):
        kinds = {int(program[first]), int(program[second])}
        if kinds in ({READ}, {ATOMIC}) or are_ordered(first, second, separators):
            continue
        return True
    return False


@st.composite
def programs(draw):
    turns = draw(st.integers(1, 4))
    sparse = st.sampled_from([NOTHING, NOTHING, NOTHING, NOTHING, READ, READ, WRITE, ATOMIC])
    cells = draw(st.lists(sparse, min_size=BLOCKS * 3 * turns, max_size=BLOCKS * 3 * turns))
    separators = draw(st.lists(st.sampled_from([BARRIER, SYNCWARP, 2]), min_size=turns, max_size=turns))
    return np.array(cells).reshape(BLOCKS, 3, turns), np.array(separators)


@settings(max_examples=examples(400), deadline=None)
@given(programs())
def test_a_race_is_reported_exactly_where_there_is_one(case):
    program, separators = case
    with checking() as record:
        interpret[BLOCKS, THREADS](program, separators, np.zeros(1), np.zeros(program.shape))
    assert bool(record.races) == has_race(program, list(separators))
    assert not record.remarks
