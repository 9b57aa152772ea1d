"""The memory that traced machine code and the routines behind it share: records of 64-bit words.

A *trace* stands for one launch. Behind it lie a *slot* for each thread of a block, the *regions* of memory that are
watched, and the tables of the race detector and of the warp counters.

An *access word* says, in one positive 64-bit number, when, by which thread and in which line an element was touched:

    interval (27 bits) | thread of its block (10) | syncwarps so far (8) | site (18)

Blocks run one after the other, so *intervals* can be numbered throughout the launch: a new one begins with each block
and after each barrier of a block. A barrier orders two accesses of one block exactly if their intervals differ. An
access of an earlier block has a lower interval than the first one of the present block.
"""

from __future__ import annotations

from typing import Annotated, Final

from grader.cuda_cpu.records import Record, Words

OPTIONS: Final = ("optsize",)
"""LLVM's attributes of the routines: with loops unrolled and calls inlined, they take twice as long to compile."""

READ, WRITE, ATOMIC, BRANCH = range(4)
UNWRITTEN: Final = 3  # in place of the earlier access's kind: no thread of the block has written the element
BARRIER, SYNCWARP, WARP_OPERATION, GRID_BARRIER = range(1, 5)
CHECK, COUNT, FOLLOW = 1, 2, 4
GLOBAL, SHARED = range(2)

SITE_BITS: Final = 18
SITE_MASK: Final = (1 << SITE_BITS) - 1
EPOCH_SHIFT: Final = 18
EPOCH_MASK: Final = 255
THREAD_SHIFT: Final = 26
THREAD_MASK: Final = 1023
INTERVAL_SHIFT: Final = 36
MAX_INTERVALS: Final = 1 << 27

# The key of an entry in the table of races, from the lowest bit: earlier site, present site, earlier kind, present
# kind, same value, across blocks, region.
KIND_BITS: Final = 2
SAME_SHIFT: Final = 4
ACROSS_SHIFT: Final = 5
REGION_SHIFT: Final = 6
MAX_RACES: Final = 64
MAX_STEPS: Final = 1 << 12
MAX_GROUPS: Final = 1 << 18
BANKS: Final = 32

# The planes of a region, one access word per element: one for the last write, three for reads, three for atomics.
WRITER, READERS, ATOMICS, PLANE_COUNT = 0, 1, 4, 7
# The three planes of reads or of atomics: the latest, one of the same interval by another thread, one of another block.
LATEST, SECOND, ELSEWHERE = range(3)


class TraceWords(Record):
    """One launch."""

    trace: TraceWords  # itself, as in every slot
    block: int  # the block that runs now
    base: int  # first interval of the present block
    last: int  # highest interval so far
    starts: Words  # first interval of each block
    slots: int
    slot_step: int  # bytes from a block's slots to the next block's; 0 where blocks run one after the other
    regions: int
    region_count: int
    races: int
    race_count: int
    races_lost: int
    overflowed: int
    released: int  # interval of the latest fence
    acquired: int  # `base` of the block that made an atomic operation after a fence
    barriers: int
    exchanges: int  # exchanges of values between lanes, counted for single threads
    active: int
    sites: int
    groups: int
    groups_used: int
    groups_max: int
    segment: int
    segment_number: int
    lane: int
    lane_number: int
    banks: Words
    mode: int  # what the launch is watched for: `CHECK`, `COUNT` and `FOLLOW`, or-ed
    phase_number: int  # barriers of the whole grid so far
    phase_base: int  # first interval after the latest barrier of the grid
    followed_block: int
    followed_thread: int
    steps: int
    step_count: int
    most: int  # how many accesses of one thread are checked
    left_out: int  # whether a thread made more accesses


class Slot(Record):
    """One thread of a block."""

    trace: TraceWords
    prefix: int  # an access word without the site
    interval: int
    thread: int
    waits: int
    epoch: int  # syncwarps since the last barrier
    fenced: int
    acquirer: int
    touched: int
    segment_key: int
    phase: int
    home: int  # the thread's block
    accesses: int  # how many so far


class RegionWords(Record):
    """A range of memory that is watched."""

    low: int
    high: int
    shift: int
    cells: int
    planes: int
    space: int
    origin: int  # address that a GPU would align to a multiple of 256


class RaceEntry(Record):
    """Accesses of two lines that race."""

    key: int
    hits: int
    address: int
    region: int
    before: int  # access word, as is `now`
    now: int
    block_before: int
    block_now: int
    size_bytes: int


class StepEntry(Record):
    """An access of the thread that is followed."""

    site: int
    about: int  # size in bytes << 2 | kind
    address: int
    region: int
    value: int  # of the element's first 8 bytes
    waits: int  # how often the thread has waited before


class SiteCounters(Record):
    """What is counted for a place in the source, for each space."""

    segment: int
    lane: int
    head: int
    tail: int
    cursor: int
    kind: int
    element_bytes: int
    accesses: int
    requests: int
    lanes: int
    coalesced: int
    sectors: int
    least_sectors: int
    lines: int
    least_lines: int
    passes: int
    least_passes: int
    worst: int  # lines of one request in global memory, passes of one request in shared memory
    conflicts: int  # requests with bank conflicts; divergent branches
    left_out: int


class Group(Record):
    """A request: what the lanes of a warp did when each came to one site for the k-th time."""

    next: int
    site: int
    mask: int
    lanes: Annotated[Words, 32]
