"""The record that stands for one CUDA thread, and how compiled code reaches it.

Every function that this package compiles takes a hidden argument: a pointer to the record of the thread that runs.
Special registers (``threadIdx`` and friends), the shared memory of the block and the mailbox of the barrier scheduler
are fields of that record.
"""

from __future__ import annotations

from typing import Any, Final

from grader.cuda_cpu.numba_internals import ir

I8P: Final = ir.IntType(8).as_pointer()
I32: Final = ir.IntType(32)
I64: Final = ir.IntType(64)

_FIELDS: Final[dict[str, Any]] = {
    **{f"{name}_{axis}": I32 for name in ("tid", "ctaid", "ntid", "nctaid") for axis in "xyz"},
    # The scheduler's mailbox: what this thread waits for, where, with whom, and the value that it brings.
    "wait": I32,
    "site": I32,
    "mask": I32,
    "exit_site": I32,
    "status": I32,
    "payload": I64,
    "reply": I64,
    "fault": I64.as_pointer(),
    "shared_static": I8P,
    "shared_dynamic": I8P,
    "shared_dynamic_bytes": I64,
    "warp": I64.as_pointer(),
    "trace": I8P,
}
STATE: Final = ir.LiteralStructType(list(_FIELDS.values()))
STATE_POINTER: Final = STATE.as_pointer()
STATE_BYTES: Final = 256
STATE_ARGUMENT: Final = ".thread"
_INDEX: Final = {name: position for position, name in enumerate(_FIELDS)}


def field_pointer(builder: Any, state: Any, field: str) -> Any:
    """Return the LLVM pointer to one field of the thread record ``state``."""
    return builder.gep(state, [I32(0), I32(_INDEX[field])], inbounds=True)


def get(builder: Any, state: Any, field: str) -> Any:
    """Emit a read of a field of a thread record."""
    return builder.load(field_pointer(builder, state, field), name=field)


def put(builder: Any, state: Any, field: str, value: Any) -> None:
    """Emit a write to a field of a thread record."""
    builder.store(value, field_pointer(builder, state, field))


def state_of(builder: Any) -> Any:
    """Return the thread record's pointer inside the function that ``builder`` writes.

    Raises:
        NotImplementedError: when the function was not declared with the executor's calling convention.
    """
    for argument in builder.function.args[:2]:
        if argument.name.startswith(STATE_ARGUMENT):  # LLVM's builder numbers it anew in a function that calls itself
            return argument
    msg = f"{builder.function.name} was compiled outside the CUDA executor and knows no CUDA thread"
    raise NotImplementedError(msg)


def load_field(builder: Any, field: str) -> Any:
    """Return the value of a field of the running thread's record."""
    return builder.load(field_pointer(builder, state_of(builder), field), name=field)


def store_field(builder: Any, field: str, value: Any) -> None:
    """Write a field of the running thread's record."""
    builder.store(value, field_pointer(builder, state_of(builder), field))
