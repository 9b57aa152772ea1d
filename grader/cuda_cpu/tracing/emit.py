"""What the compiler adds to a traced kernel: calls of `runtime` at each access to memory, wait, fence and branch."""

from contextlib import AbstractContextManager
from typing import Any, Final

from grader.cuda_cpu import faults
from grader.cuda_cpu.launches import holding
from grader.cuda_cpu.numba_internals import cgutils, ir, types
from grader.cuda_cpu.records import I8P, I64, linear_number, load_field, load_fields, store_field
from grader.cuda_cpu.routine_writer import Routine
from grader.cuda_cpu.routines import address_of
from grader.cuda_cpu.tracing import layout, runtime

KERNEL: Final = "kernel"
DEVICE: Final = "device"
_NOTHING: Final = I64(0)
_NO_ELEMENT: Final = (types.Record, types.NestedArray, types.Array, types.Dummy)

_compiling: Final[list[str]] = []


def compile_traced(what: str) -> AbstractContextManager[str]:
    """Return a context manager in which functions are compiled with (`KERNEL`, `DEVICE`) or without tracing ("")."""
    return holding(_compiling, what)


def is_traced() -> bool:
    """Return whether the function that is being compiled is traced."""
    return bool(_compiling and _compiling[-1])


def _call(builder: Any, routine: Routine, *arguments: Any) -> Any:
    """Emit the call of a routine for the running thread."""
    slot = load_field(builder, "trace")
    kind = ir.FunctionType(I64, [slot.type, *(argument.type for argument in arguments)])
    address = I64(address_of(routine, layout.OPTIONS))
    return builder.call(builder.inttoptr(address, kind.as_pointer()), [slot, *arguments])


def emit_begin(builder: Any) -> None:
    """Emit the call that begins a thread of a kernel and gives it a slot."""
    if not _compiling or _compiling[-1] != KERNEL:
        return
    numbers = []
    for position, extents in (("tid", "ntid"), ("ctaid", "nctaid")):
        wide = [[builder.zext(part, I64) for part in load_fields(builder, field)] for field in (position, extents)]
        numbers.append(linear_number(builder, *wide))
    slot = _call(builder, runtime.begin, *numbers)
    store_field(builder, "trace", builder.inttoptr(slot, I8P))


def _register_site(context: Any, name: str, element: str = "") -> Any:
    """Return a new number for a place in the source that accesses memory; without a name, for a branch.

    Raises:
        NotImplementedError: when this process has compiled more places than an access word can name.
    """
    if faults.count_sites() > layout.SITE_MASK:
        raise NotImplementedError(
            f"more than {layout.SITE_MASK} places were traced in this process: check the kernels in a fresh one"
        )
    return I64(faults.register_site("", name, context.current_loc, element=element))


def _emit_access(
    context: Any, builder: Any, address: Any, size_bytes: int, kind: int, fresh: Any = _NOTHING, element: Any = None
) -> None:
    plain = element if isinstance(element, types.Number | types.Boolean) else ""
    site = _register_site(context, context.current_array_name, str(plain))
    _call(builder, runtime.access, address, site, I64(size_bytes << 2 | kind), fresh)


def _emit_element(
    context: Any, builder: Any, pointer: Any, kind: int, fresh: Any = _NOTHING, element: Any = None
) -> None:
    size_bytes = context.get_abi_sizeof(pointer.type.pointee)
    _emit_access(context, builder, builder.ptrtoint(pointer, I64), size_bytes, kind, fresh, element)


def emit_read(context: Any, builder: Any, element: Any, pointer: Any) -> None:
    """Emit the call that records a read of one element."""
    if is_traced() and not isinstance(element, _NO_ELEMENT):
        _emit_element(context, builder, pointer, layout.READ, element=element)


def emit_write(context: Any, builder: Any, element: Any, pointer: Any, value: Any) -> None:
    """Emit the call that records a write of one element, before the write: old and new value can be compared."""
    if is_traced() and isinstance(element, types.Record):
        _emit_record_copy(context, builder, element, pointer, value)
    if not is_traced() or isinstance(element, _NO_ELEMENT):
        return
    fresh = cgutils.alloca_once(builder, pointer.type.pointee, name="fresh")
    builder.store(context.data_model_manager[element].as_data(builder, value), fresh)
    _emit_element(context, builder, pointer, layout.WRITE, builder.ptrtoint(fresh, I64), element)


def _emit_record_copy(context: Any, builder: Any, record: Any, pointer: Any, source: Any) -> None:
    """Emit the calls that record a copy of a NumPy record from memory to memory, field by field."""
    for field in record.fields.values():
        size_bytes = context.get_abi_sizeof(context.get_data_type(field.type))
        old, new = (builder.add(builder.ptrtoint(place, I64), I64(field.offset)) for place in (pointer, source))
        _emit_access(context, builder, new, size_bytes, layout.READ)
        _emit_access(context, builder, old, size_bytes, layout.WRITE, new)


def emit_atomic(context: Any, builder: Any, pointer: Any) -> None:
    """Emit the call that records an atomic operation on one element."""
    if is_traced():
        _emit_element(context, builder, pointer, layout.ATOMIC)


def emit_arrive(builder: Any, function: str) -> None:
    """Emit the call that records the end of a wait in a CUDA function; barriers and ``syncwarp`` order memory."""
    if is_traced():
        known = {"syncwarp": layout.SYNCWARP, "grid.sync": layout.GRID_BARRIER}
        what = layout.BARRIER if function.startswith("syncthreads") else known.get(function, layout.WARP_OPERATION)
        _call(builder, runtime.arrive, I64(what))


def emit_fence(builder: Any) -> None:
    """Emit the call that records a fence."""
    if is_traced():
        _call(builder, runtime.note_fence)


def emit_branch(context: Any, builder: Any, condition: Any) -> None:
    """Emit the call that records the direction of a branch; ``condition`` is an ``i1``."""
    if is_traced():
        _call(builder, runtime.branch, _register_site(context, ""), builder.zext(condition, I64))
