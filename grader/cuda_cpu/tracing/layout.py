"""The memory that traced machine code and the routines behind it share: 64-bit words, by position.

A *trace* stands for one launch. Behind it lie a *slot* for each thread of a block, the *regions* of memory that are
watched, and the tables of the race detector and of the warp counters. The first word of the trace and of every slot is
the address of the trace.

An *access word* packs who touched an element last, into one positive 64-bit number:

    interval (27 bits) | thread of its block (10) | syncwarps so far (8) | site (18)

Blocks run one after the other, so that *intervals* can be numbered through the launch: a new one begins with every
block and with every barrier of a block. Two accesses of one block are ordered by a barrier exactly when their intervals
differ, and an access of an earlier block has an interval below the first of the present block.
"""

from __future__ import annotations

from typing import Final

WORD_BYTES: Final = 8

READ: Final = 0
WRITE: Final = 1
ATOMIC: Final = 2
BRANCH: Final = 3
NOBODY: Final = 3  # in place of a kind: what a read finds that no thread of the block has written

BARRIER: Final = 1
SYNCWARP: Final = 2
WARP_OPERATION: Final = 3
GRID_BARRIER: Final = 4

CHECK: Final = 1
COUNT: Final = 2
FOLLOW: Final = 4

GLOBAL: Final = 0
SHARED: Final = 1

SITE_BITS: Final = 18
EPOCH_SHIFT: Final = 18
EPOCH_MASK: Final = 255
THREAD_SHIFT: Final = 26
THREAD_MASK: Final = 1023
INTERVAL_SHIFT: Final = 36
MAX_INTERVALS: Final = 1 << 27
SITE_MASK: Final = (1 << SITE_BITS) - 1

# The trace
SELF: Final = 0
MODE: Final = 1
BLOCK: Final = 2
BASE: Final = 3  # first interval of the present block
LAST: Final = 4  # highest interval so far
STARTS: Final = 5  # address: first interval of each block
SLOTS: Final = 6
REGIONS: Final = 7
REGION_COUNT: Final = 8
RACES: Final = 9
RACE_COUNT: Final = 10
RACES_LOST: Final = 11
OVERFLOWED: Final = 12
RELEASED: Final = 13  # interval of the latest fence
ACQUIRED: Final = 14  # `BASE` of the block that made an atomic operation after a fence
BARRIERS: Final = 15
ARRIVALS: Final = 16
ACTIVE: Final = 17
SITES: Final = 18
GROUPS: Final = 19
GROUPS_USED: Final = 20
GROUPS_MAX: Final = 21
SEGMENT: Final = 22
SEGMENT_NUMBER: Final = 23
LANE: Final = 24
LANE_NUMBER: Final = 25
BANKS: Final = 26
ON_ACCESS: Final = 27  # address of the routine
ON_BRANCH: Final = 28
SLOT_STEP: Final = 29  # bytes from a block's slots to the next block's; 0 where blocks run one after the other
PHASE_NUMBER: Final = 30  # barriers of the whole grid so far
PHASE_BASE: Final = 31  # first interval behind the latest of them
FOLLOWED_BLOCK: Final = 32
FOLLOWED_THREAD: Final = 33
STEPS: Final = 34  # address: what the followed thread did
STEP_COUNT: Final = 35
MOST: Final = 36  # accesses of one thread that are looked at
LEFT_OUT: Final = 37  # whether there were more
TRACE_WORDS: Final = 38

# A slot
PREFIX: Final = 1
INTERVAL: Final = 2
THREAD: Final = 3
WAITS: Final = 4
EPOCH: Final = 5
FENCED: Final = 6
ACQUIRER: Final = 7
TOUCHED: Final = 8
SEGMENT_KEY: Final = 9
PHASE: Final = 10
HOME: Final = 11  # its block
SEEN: Final = 12  # accesses so far
SLOT_WORDS: Final = 16

# A region
LOW: Final = 0
HIGH: Final = 1
SHIFT: Final = 2
CELLS: Final = 3
PLANES: Final = 4
SPACE: Final = 5
ORIGIN: Final = 6  # address that a GPU would align to a multiple of 256
REGION_WORDS: Final = 8

# The planes of a region: one access word per element
WRITER: Final = 0
READERS: Final = 1
ATOMICS: Final = 4
PLANE_COUNT: Final = 7
# The planes of a set of accesses, from its first: the latest, another of the same interval, one of another block
LATEST: Final = 0
SECOND: Final = 1
ELSEWHERE: Final = 2

# An entry in the table of races; its key, from below: site, site now, kind, kind now, same value, across blocks, region
KIND_BITS: Final = 2
SAME_SHIFT: Final = 4
ACROSS_SHIFT: Final = 5
REGION_SHIFT: Final = 6
RACE_KEY: Final = 0
RACE_HITS: Final = 1
RACE_ADDRESS: Final = 2
RACE_REGION: Final = 3
RACE_BEFORE: Final = 4
RACE_NOW: Final = 5
BLOCK_BEFORE: Final = 6
BLOCK_NOW: Final = 7
RACE_SIZE: Final = 8
RACE_WORDS: Final = 16
MAX_RACES: Final = 64

# A step of the followed thread; its value is that of the element's first 8 bytes
STEP_SITE: Final = 0
STEP_ABOUT: Final = 1  # size in bytes << 2 | kind
STEP_ADDRESS: Final = 2
STEP_REGION: Final = 3
STEP_VALUE: Final = 4
STEP_WAITS: Final = 5  # how often the thread has waited before
STEP_WORDS: Final = 8
MAX_STEPS: Final = 1 << 12

# The counters of a site, one set for each space
SITE_SEGMENT: Final = 0
SITE_LANE: Final = 1
HEAD: Final = 2
TAIL: Final = 3
CURSOR: Final = 4
KIND: Final = 5
SIZE_BYTES: Final = 6
ACCESSES: Final = 7
REQUESTS: Final = 8
LANES: Final = 9
SECTORS: Final = 10
LINES: Final = 11
IDEAL_SECTORS: Final = 12
IDEAL_LINES: Final = 13
COALESCED: Final = 14
PASSES: Final = 15
IDEAL_PASSES: Final = 16
WORST: Final = 17  # lines of one request in global memory, passes of one request in shared memory
CONFLICTED: Final = 18  # requests with bank conflicts; divergent branches
LOST: Final = 19
REGION: Final = 20
SITE_WORDS: Final = 24

# A group: what the lanes of a warp did when each came to one site for the k-th time
GROUP_NEXT: Final = 0
GROUP_SITE: Final = 1
GROUP_MASK: Final = 2
GROUP_SELF: Final = 3
GROUP_LANES: Final = 4
GROUP_WORDS: Final = 36
MAX_GROUPS: Final = 1 << 18
