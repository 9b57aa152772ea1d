"""The scheduler of kernels in which threads wait for each other: routines, which `routines` compiles.

For each block: every thread runs to its first barrier; then the threads of each warp go on as long as warp operations
(shuffles, votes, ``syncwarp``) can be completed; when every thread has ended or waits at a barrier of the block, the
barrier is completed and all go on. Threads run one after the other in the order of their numbers, so that a launch
always gives the same result.

In all routines, ``threads`` is the address of the records of a block's threads. A routine that lets threads go on
returns whether one of them has ended the launch.
"""

from grader.cuda_cpu import faults
from grader.cuda_cpu.barriers import AT_BARRIER, AT_GRID, AT_WARP, DONE, EARLY_RETURN, RUNNING
from grader.cuda_cpu.launches import WARP_SIZE
from grader.cuda_cpu.records import Bytes, FaultRecord, Plan, Thread, Words
from grader.cuda_cpu.routine_writer import Routine
from grader.cuda_cpu.routines import call_at, call_name

IDLE, PROGRESS, STOPPED = range(3)
APART, ENDED = -1, -2
"""What `_release` returns if it returns no sum."""


def prepare_thread(plan: Plan, thread: Thread) -> None:
    """Fill the fields of a thread record that stay the same for the whole launch."""
    thread.ntid_x, thread.ntid_y, thread.ntid_z = plan.ntid[0], plan.ntid[1], plan.ntid[2]
    thread.nctaid_x, thread.nctaid_y, thread.nctaid_z = plan.nctaid[0], plan.nctaid[1], plan.nctaid[2]
    thread.fault = plan.fault
    thread.shared_static = Bytes.at(plan.shared_static)
    thread.shared_dynamic = Bytes.at(plan.shared_dynamic)
    thread.shared_dynamic_bytes = plan.shared_dynamic_bytes
    thread.trace = plan.trace


def enter_block(plan: Plan, thread: Thread, number: int) -> None:
    """Write the coordinates of a block into a thread record."""
    width, height = plan.nctaid[0], plan.nctaid[1]
    thread.ctaid_x = number % width
    thread.ctaid_y = number // width % height
    thread.ctaid_z = number // width // height


def fill_shared(plan: Plan, resident: int) -> None:
    """Put old values, if there are any, into the shared memory of a block before the block begins."""
    if plan.shared_old:
        call_name("memcpy", plan.shared_static + resident * plan.shared_stride, plan.shared_old, plan.shared_stride)


def _note_position(fault: FaultRecord, thread: Thread) -> None:
    fault.thread[0], fault.thread[1], fault.thread[2] = thread.tid_x, thread.tid_y, thread.tid_z
    fault.block[0], fault.block[1], fault.block[2] = thread.ctaid_x, thread.ctaid_y, thread.ctaid_z


def end_thread(plan: Plan, thread: Thread, status: int) -> bool:
    """Record the status with which a thread ended; return whether the launch ends, too.

    Without ``debug=True``, a GPU ends a thread that raises an exception and does not report it. The fault record keeps
    the first one, so that a warning can name it.
    """
    if status == 0:
        return False
    fault = plan.fault
    ends = status < 0 or plan.stop_on_exception != 0
    if ends or fault.ignored == 0:
        fault.ignored = status
        _note_position(fault, thread)
    if ends:
        fault.status = status
    return ends


def _has_ended_launch(plan: Plan, thread: Thread) -> bool:
    return thread.wait == DONE and end_thread(plan, thread, thread.status)


def _go_on(plan: Plan, thread: Thread) -> bool:
    """Let a waiting thread run until it stops again."""
    thread.wait = RUNNING
    call_name("llvm.coro.resume", thread.frame)
    return _has_ended_launch(plan, thread)


def _is_complete(threads: Thread, lanes: int, mask: int) -> bool:
    """Return whether all lanes of a mask have ended or wait with that mask; ``threads`` are those of the warp."""
    for lane in range(lanes):
        other = Thread.at(threads, lane)
        is_here = other.wait == AT_WARP and other.mask == mask
        if mask >> lane & 1 and not is_here and other.wait != DONE:
            return False
    return True


def _find_complete_mask(threads: Thread, lanes: int) -> int:
    """Return the mask of a warp operation that can be completed; 0 for none."""
    for lane in range(lanes):
        thread = Thread.at(threads, lane)
        if thread.wait == AT_WARP and _is_complete(threads, lanes, thread.mask):
            return thread.mask
    return 0


def _complete_group(plan: Plan, threads: Thread, lanes: int, mask: int) -> bool:
    """Answer the lanes of a mask: bits 0 to 31 have the lanes whose payload is not 0, bits 32 to 63 all that took part.

    The warp's snapshot keeps the payloads until the warp's next operation.
    """
    answer = 0
    for lane in range(lanes):
        thread = Thread.at(threads, lane)
        if thread.wait == AT_WARP and mask >> lane & 1:
            thread.warp[lane] = thread.payload
            answer |= 1 << (WARP_SIZE + lane) | (thread.payload != 0) << lane
    for lane in range(lanes):
        thread = Thread.at(threads, lane)
        if answer >> (WARP_SIZE + lane) & 1:
            thread.reply = answer
            if _go_on(plan, thread):
                return True
    return False


def _find_waiting(plan: Plan, threads: Thread, kind: int) -> Thread:
    """Return the first thread that waits for something of a kind; null for none."""
    for number in range(plan.threads):
        thread = Thread.at(threads, number)
        if thread.wait == kind:
            return thread
    return Thread.at(0)


def _note_divergence(fault: FaultRecord, status: int, thread: Thread) -> None:
    fault.status = status
    fault.site = thread.site
    _note_position(fault, thread)


def complete_warps(plan: Plan, threads: Thread) -> None:
    """Complete the warp operations of a block that can be completed; if threads wait and none can, end with a fault.

    It is compiled apart, because most kernels do not need it. It sets ``plan.progress`` to `IDLE` if no thread waits
    for its warp, to `PROGRESS` if the block goes on, and to `STOPPED` if the launch has ended.
    """
    plan.progress = IDLE
    stuck = _find_waiting(plan, threads, AT_WARP)
    if not stuck:
        return
    plan.progress = STOPPED
    for first in range(0, plan.threads, WARP_SIZE):
        warp, lanes = Thread.at(threads, first), min(WARP_SIZE, plan.threads - first)
        mask = _find_complete_mask(warp, lanes)
        while mask != 0:
            if _complete_group(plan, warp, lanes, mask):
                plan.progress = STOPPED
                return
            plan.progress = PROGRESS
            mask = _find_complete_mask(warp, lanes)
    if plan.progress == STOPPED:
        _note_divergence(plan.fault, faults.WARP_DIVERGED, stuck)


def _misses(thread: Thread, site: int) -> bool:
    """Return whether a thread never reaches a barrier at which others wait."""
    if thread.wait == AT_BARRIER:
        return thread.site != site
    if thread.wait == DONE:  # a thread that ran to the kernel's end missed it
        return thread.exit_site != EARLY_RETURN
    return thread.wait == AT_GRID


def _count_barrier(plan: Plan, threads: Thread, first: Thread) -> int:
    """Return the sum of the payloads at the barrier where `first` waits; -1 if some threads never reach it."""
    fault, site = plan.fault, first.site
    total = waiting = missing = done = 0
    for number in range(plan.threads):
        thread = Thread.at(threads, number)
        done += thread.wait == DONE
        if _misses(thread, site):
            missing += 1
            fault.other_site = -1 if thread.wait == DONE else thread.site
            fault.other_thread[0] = thread.tid_x
            fault.other_thread[1] = thread.tid_y
            fault.other_thread[2] = thread.tid_z
        elif thread.wait == AT_BARRIER:
            waiting += 1
            total += thread.payload
    if missing:
        fault.waiting, fault.missing = waiting, missing
        _note_divergence(fault, faults.BARRIER_DIVERGED, first)
        return -1
    if done:
        fault.exited_early = site + 1
    return total


def _complete_barrier(plan: Plan, threads: Thread) -> bool:
    """Complete the warp operations or else the barrier that a block waits for; return whether the block goes on.

    It does not if its threads have ended or wait for other blocks, or if the launch has ended.
    """
    if plan.complete_warps:
        call_at(plan.complete_warps, plan, threads)
        if plan.progress != IDLE:
            return plan.progress == PROGRESS
    first = _find_waiting(plan, threads, AT_BARRIER)
    if not first:
        return False
    total = _count_barrier(plan, threads, first)
    if total < 0:
        return False
    while total >= 0:
        total = _release(plan, threads, total)
    return total == APART


def _release(plan: Plan, threads: Thread, total: int) -> int:
    """Answer the threads that wait at a barrier, and let each go on to its next stop.

    Returns:
        The sum of the payloads at the next barrier if all threads of the block wait at the same one; `ENDED` if a
        thread has ended the launch; else `APART`. The same loop computes it: a second loop through all records would
        take as long as the switches themselves.
    """
    first = Thread.at(threads, 0)
    brought, together = 0, 1
    for number in range(plan.threads):
        thread = Thread.at(threads, number)
        if thread.wait == AT_BARRIER:
            thread.reply = total
            if _go_on(plan, thread):
                return ENDED
        if thread.wait != AT_BARRIER or thread.site != first.site:
            together = 0
        brought += thread.payload
    return brought if together else APART


def _prepare_threads(plan: Plan, resident: int) -> None:
    threads = Thread.at(plan.states, resident * plan.threads)
    lanes = (plan.threads + WARP_SIZE - 1) // WARP_SIZE * WARP_SIZE
    width, height = plan.ntid[0], plan.ntid[1]
    for number in range(plan.threads):
        thread = Thread.at(threads, number)
        prepare_thread(plan, thread)
        thread.tid_x = number % width
        thread.tid_y = number // width % height
        thread.tid_z = number // width // height
        thread.frame = Bytes.at(plan.frames + (resident * plan.threads + number) * plan.frame_bytes)
        thread.warp = Words.at(plan.snapshots + (resident * lanes + number // WARP_SIZE * WARP_SIZE) * 8)
        thread.shared_static = Bytes.at(plan.shared_static + resident * plan.shared_stride)
        thread.shared_dynamic = Bytes.at(plan.shared_dynamic + resident * plan.shared_stride)


def _start_threads(words: Bytes, plan: Plan, threads: Thread, number: int) -> bool:
    """Run the threads of a block to their first stop."""
    for position in range(plan.threads):
        thread = Thread.at(threads, position)
        enter_block(plan, thread, number)
        thread.exit_site = 0
        thread.wait = RUNNING
        call_at(plan.ramp, thread.frame, thread, words, 0)
        if _has_ended_launch(plan, thread):
            return True
    return False


def _finish_barriers(plan: Plan, threads: Thread) -> bool:
    """Run a block until its threads have ended or wait for other blocks."""
    while plan.fault.status == 0 and _complete_barrier(plan, threads):
        continue
    return plan.fault.status != 0


def _run_block(words: Bytes, plan: Plan, resident: int, number: int) -> bool:
    threads = Thread.at(plan.states, resident * plan.threads)
    fill_shared(plan, resident)
    return _start_threads(words, plan, threads, number) or _finish_barriers(plan, threads)


def _release_grid_barrier(plan: Plan, threads: Thread) -> bool:
    """Let those threads of a block go on that wait for other blocks; return whether there were any."""
    released = False
    for number in range(plan.threads):
        thread = Thread.at(threads, number)
        if thread.wait == AT_GRID:
            released = True
            if _go_on(plan, thread):
                return True
    return released


def run_blocks(words: Bytes, plan: Plan) -> None:
    """Run the blocks of a plan: one after the other, or from one grid barrier to the next if all are in memory."""
    for resident in range(plan.resident):
        _prepare_threads(plan, resident)
    for number in range(plan.first, plan.last):
        if _run_block(words, plan, (number - plan.first) % plan.resident, number):
            return
    waits = True
    while waits:
        waits = False
        for resident in range(plan.resident):
            threads = Thread.at(plan.states, resident * plan.threads)
            waits = max(waits, _release_grid_barrier(plan, threads))
            if _finish_barriers(plan, threads):
                return


ROUTINES: tuple[Routine, ...] = (run_blocks, complete_warps)
"""The routines whose addresses Python asks for, see `routines.address_of`."""
