"""The records behind a launch: of one thread, of the launch's plan and of its fault; how compiled code reaches them.

Every function that this package compiles takes a hidden argument: a pointer to the record of the thread that runs.
Special registers (``threadIdx`` and friends), the shared memory of the block and what a waiting thread brings to the
scheduler are fields of that record.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from grader.cuda_cpu.records import Bytes, Int32, Record, Words, place_of

STATE_ARGUMENT: Final = ".thread"


class FaultRecord(Record):
    """What went wrong in a launch, as numbers; `faults` makes sentences of them."""

    status: int
    site: int
    ndim: int
    thread: Annotated[Words, 3]
    block: Annotated[Words, 3]
    index: Annotated[Words, 8]
    shape: Annotated[Words, 8]
    shape_ndim: int
    ignored: int  # the status of the first thread whose exception went unheard
    other_site: int  # where another thread waits; -1 where it has left the kernel
    other_thread: Annotated[Words, 3]
    waiting: int
    missing: int
    exited_early: int  # one more than the site of a barrier that some threads did not wait for


class Plan(Record):
    """A launch, or one core's part of it: the blocks ``first <= b < last``, counted along x, then y, then z."""

    ntid: Annotated[Words, 3]
    nctaid: Annotated[Words, 3]
    threads: int  # of a block
    first: int
    last: int
    fault: FaultRecord
    shared_static: int
    shared_dynamic: int
    shared_dynamic_bytes: int
    shared_stride: int  # bytes from a block's shared memory to the next block's
    shared_old: Words  # what shared memory holds before a block begins; null for zeros and what blocks left
    ramp: int  # address of the code that runs a thread to its first stop
    complete_warps: int  # address of the code that completes warp operations; 0 for kernels without
    progress: int  # what it came to
    frames: int
    frame_bytes: int
    states: int
    snapshots: int  # the payloads of each warp's latest operation
    stop_on_exception: int
    trace: Bytes


class Thread(Record):
    """One CUDA thread."""

    tid_x: Int32
    tid_y: Int32
    tid_z: Int32
    ctaid_x: Int32
    ctaid_y: Int32
    ctaid_z: Int32
    ntid_x: Int32
    ntid_y: Int32
    ntid_z: Int32
    nctaid_x: Int32
    nctaid_y: Int32
    nctaid_z: Int32
    # For the scheduler: what this thread waits for, where, with whom, the value that it brings and the answer.
    wait: Int32
    site: Int32
    mask: Int32
    exit_site: Int32
    status: Int32
    payload: int
    reply: int
    frame: Bytes
    fault: FaultRecord
    shared_static: Bytes
    shared_dynamic: Bytes
    shared_dynamic_bytes: int
    warp: Words
    trace: Bytes


def state_of(builder: Any) -> Any:
    """Return the thread record's pointer inside the function that ``builder`` writes.

    Raises:
        NotImplementedError: when the function was not declared with the executor's calling convention.
    """
    for argument in builder.function.args[:2]:
        if argument.name.startswith(STATE_ARGUMENT):  # LLVM's builder numbers it anew in a function that calls itself
            return argument
    raise NotImplementedError(
        f"{builder.function.name} was compiled outside the CUDA executor and knows no CUDA thread"
    )


def load_field(builder: Any, field: str) -> Any:
    """Emit a read of a field of the running thread's record."""
    return builder.load(place_of(builder, state_of(builder), Thread, field), name=field)


def store_field(builder: Any, field: str, value: Any, state: Any = None) -> None:
    """Emit a write to a field of the running thread's record, or of the record ``state``."""
    builder.store(value, place_of(builder, state or state_of(builder), Thread, field))
