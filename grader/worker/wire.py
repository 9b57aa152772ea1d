"""What crosses the process boundary: plain values and arrays with a declared type, shape and place.

A message is the MessagePack body of one of the two structs `Request` and `Reply`; see `channel`.
Numbers of an array never travel in the message: they lie in an *arena*, memory that both processes map, and the
message says where. The receiver checks every declaration against the arena before it reads, copies what it keeps,
and builds nothing but numbers, texts, sequences and arrays of them. No message can make the receiver execute
anything: there is no pickle, no `eval`, no import by name.
"""

from __future__ import annotations

import math
import mmap
import os
import weakref
from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

MAX_DEPTH = 12
MAX_TEXT = 20_000
ARENA_BYTES = 512 << 20  # address space per direction; pages are taken only when touched
_ALIGNMENT_BYTES = 64
_NUMBER_KINDS, _ARRAY_KINDS = "biuf", "biufc"
_MAX_NDIM = 8
_LIST_ITEM_BYTES = 64  # what a number costs as a Python object in a list, with a margin
RETURNED = "returned"  # the phase of a reply that only announces: the function has returned, its value follows


class WireError(Exception):
    """A message that is not of the declared form. From a worker it is the student's failure."""


class Foreign(msgspec.Struct, frozen=True, tag="foreign", array_like=True):
    """A value that cannot cross, such as a device array or a function: only its name and text do."""

    type_name: str
    text: str


class Scalar(msgspec.Struct, frozen=True, tag="scalar", array_like=True):
    """A number, text, truth value or None; `dtype` is set for NumPy scalars."""

    value: bool | int | float | str | None
    dtype: str = ""


class Array(msgspec.Struct, frozen=True, tag="array", array_like=True):
    """An array in the arena. `origin` is what the owner held: `ndarray`, or nested `list` of numbers."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    origin: str = "ndarray"


class Sequence(msgspec.Struct, frozen=True, tag="sequence", array_like=True):
    """A list or tuple of values."""

    kind: str
    items: tuple[Node, ...]


class Mapping(msgspec.Struct, frozen=True, tag="mapping", array_like=True):
    """A dict with text keys."""

    items: dict[str, Node]


Node = Foreign | Scalar | Array | Sequence | Mapping


class Request(msgspec.Struct, frozen=True):
    """One thing to do in the worker. `ticket` is random: a reply without it was not asked for."""

    ticket: int
    module: str
    function: str
    args: Sequence
    record_launches: bool = False
    announce: bool = False  # whether to say at once that the function has returned, before its value is handed over
    full: bool = False  # whether a worker of slices records single reads and writes of arrays as well


class Raised(msgspec.Struct, frozen=True):
    """An exception inside the worker. `location` is `file:line` in the submission, if the traceback touched it."""

    type_name: str
    text: str
    location: str = ""
    line: str = ""


class Launch(msgspec.Struct, frozen=True):
    """One launch of a kernel, as counted by the worker."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    given: tuple[str, ...] = ()  # labels of the numbers that it got; only a worker of slices knows them


class Seen(msgspec.Struct, frozen=True):
    """What a worker of slices saw of one call; `grader.worker.sliced.calllog` says what the tokens of labels mean."""

    label: tuple[str, ...] = ()  # where the numbers of the answer come from
    mixes: tuple[str, ...] = ()  # NumPy's operations on whole arrays, with their lines, the most frequent first
    mixed: int = 0  # how many of them there were
    singles: dict[str, int] = {}
    """Functions of NumPy that were called with single numbers -> how often; with a few at a time, `<name>.several`."""
    compiled: dict[str, int] = {}
    """Compiled functions that Python called -> how often; the name of a device's ufunc begins with `kernel: `."""
    given_to_compiled: tuple[str, ...] = ()
    """Tokens of the host's work (`mixed`, `data`, `elements`) in the arguments of compiled functions."""
    leaks: int = 0  # how many single numbers Python read out of `mixed` arrays
    told: int = 0  # how many numbers without a label kernels got one by one, or the device got in small arrays
    reads: int = 0  # single entries that Python read, and below, that it wrote, where these are recorded
    writes: int = 0
    waited_s: float = 0.0  # for how long it asked to sleep
    computed_s: float = 0.0  # seconds of processor time of the worker; waiting for a processor takes none
    refused: tuple[str, ...] = ()  # what the slice asked for and no slice may use: names, or short descriptions


class Reply(msgspec.Struct, frozen=True):
    """The result of a request.

    `phase` is `load` when importing the module failed, `returned` when the value follows in another reply, else `call`.
    """

    ticket: int
    value: Node | None = None
    raised: Raised | None = None
    phase: str = "call"
    launches: tuple[Launch, ...] = ()
    seen: Seen | None = None


class Arena:
    """Memory that both processes map; `put` writes from the start again after each `reset`."""

    def __init__(self, fd: int, size_bytes: int = ARENA_BYTES) -> None:
        self._map = mmap.mmap(fd, size_bytes)
        self._size_bytes = size_bytes
        self._used_bytes = 0

    def reset(self) -> None:
        """Forget what was put; the next message starts at offset 0."""
        self._used_bytes = 0

    def put(self, array: npt.NDArray[Any], origin: str = "ndarray") -> Array:
        """Copy `array` in and return its declaration; `WireError` if it does not fit."""
        offset = -(-self._used_bytes // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
        if offset + array.nbytes > self._size_bytes:
            raise WireError(f"{array.nbytes} bytes do not fit into what is left of {self._size_bytes}")
        self._write(array, offset)
        self._used_bytes = offset + array.nbytes
        return Array(array.dtype.str, array.shape, offset, origin)

    def view(self, declared: Array) -> npt.NDArray[Any]:
        """Return the declared array as a writable view of the arena; `WireError` unless it lies inside."""
        try:
            dtype = np.dtype(declared.dtype)
        except (TypeError, ValueError, SyntaxError) as error:
            raise WireError(f"unknown dtype {declared.dtype[:40]!r}") from error
        if dtype.kind not in _ARRAY_KINDS or dtype.hasobject or dtype.names or dtype.subdtype:
            raise WireError(f"dtype {declared.dtype[:40]!r} is not a plain number")
        inside = len(declared.shape) <= _MAX_NDIM and all(length >= 0 for length in declared.shape)
        # NumPy refuses shapes whose other lengths are too large, even if one length is zero: zeros count as one
        size_bytes = math.prod(max(length, 1) for length in declared.shape) * dtype.itemsize if inside else -1
        if size_bytes < 0 or declared.offset < 0 or declared.offset + size_bytes > self._size_bytes:
            raise WireError(f"array of shape {str(declared.shape)[:80]} at {declared.offset} does not lie in the arena")
        return self._read(declared.shape, dtype, declared.offset)

    def _write(self, array: npt.NDArray[Any], offset: int) -> None:
        self._read(array.shape, array.dtype, offset)[...] = array

    def _read(self, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int) -> npt.NDArray[Any]:
        return np.ndarray(shape, dtype, buffer=self._map, offset=offset)


class FileArena(Arena):
    """An arena in a file that the other side can shorten: reading mapped memory that is gone would end this process.

    So this side maps nothing, and copies what it reads and writes; its views are copies, too.
    """

    def __init__(self, fd: int, size_bytes: int = ARENA_BYTES) -> None:
        self._fd, self._size_bytes, self._used_bytes = os.dup(fd), size_bytes, 0
        weakref.finalize(self, os.close, self._fd)

    def _write(self, array: npt.NDArray[Any], offset: int) -> None:
        if os.pwrite(self._fd, array.tobytes(), offset) < array.nbytes:
            raise WireError("there is no room on the disk for an arena")

    def _read(self, shape: tuple[int, ...], dtype: np.dtype[Any], offset: int) -> npt.NDArray[Any]:
        size_bytes = math.prod(shape) * dtype.itemsize
        contents = bytearray(os.pread(self._fd, size_bytes, offset))
        if len(contents) < size_bytes:
            raise WireError("the arena is shorter than it was")
        return np.ndarray(shape, dtype, buffer=contents)


def encode(value: Any, arena: Arena, depth: int = 0) -> Node:
    """Declare `value` for the other side, writing its arrays into `arena`.

    Values that have no plain form become `Foreign`; nothing of the value's own code runs for exact built-in types.
    """
    if depth > MAX_DEPTH:
        return Foreign("nesting", f"values nested deeper than {MAX_DEPTH}")
    if value is None or type(value) in {bool, float, str, int}:
        return _encode_plain(value)
    if isinstance(value, np.ndarray):
        return _encode_array(value, arena, depth)
    if isinstance(value, np.generic) and value.dtype.kind in _NUMBER_KINDS:
        return Scalar(value.item(), value.dtype.str)
    if isinstance(value, list | tuple):
        return _encode_sequence(value, arena, depth)
    if type(value) is dict and all(type(key) is str for key in value):
        return Mapping({_clean(key): encode(item, arena, depth + 1) for key, item in value.items()})
    kind = type(value)
    return Foreign(f"{kind.__module__}.{kind.__qualname__}"[:200], _text_of(value))


def encode_args(args: Iterable[Any], arena: Arena) -> Sequence:
    """Declare the arguments of a call; what lay in `arena` before is overwritten."""
    arena.reset()
    return Sequence("tuple", tuple(encode(value, arena) for value in args))


def decode(node: Node, arena: Arena, *, copy: bool) -> Any:
    """Build the declared value; arrays are copied when `copy`, else writable views of the arena.

    Declarations may overlap in the arena, so the sum of what they would take is bounded as well as each one.

    Raises:
        WireError: a declaration does not fit the arena, or all of them together would take too much memory.
    """
    return _Decoder(arena, copy=copy).build(node)


class _Decoder:
    """One message's decoding, with what is left of its allowance."""

    def __init__(self, arena: Arena, *, copy: bool) -> None:
        self._arena, self._copy, self._left_bytes = arena, copy, ARENA_BYTES

    def build(self, node: Node) -> Any:
        match node:
            case Scalar(value, ""):
                return value
            case Scalar(value, dtype):
                return _numpy_scalar(value, dtype)
            case Array():
                return self._array(node)
            case Sequence(kind, items):
                values = [self.build(item) for item in items]
                return tuple(values) if kind == "tuple" else values
            case Mapping(items):
                return {key: self.build(item) for key, item in items.items()}
            case Foreign():
                return node

    def _array(self, declared: Array) -> Any:
        array = self._arena.view(declared)
        as_list = declared.origin != "ndarray"
        self._left_bytes -= array.size * _LIST_ITEM_BYTES if as_list else array.nbytes
        if self._left_bytes < 0:
            raise WireError(f"the values of one message take more than {ARENA_BYTES} bytes")
        if as_list:
            return array.tolist()
        return array.copy() if self._copy else array


def _clean(text: str) -> str:
    """Return a text that UTF-8 can encode, and not too long: lone surrogates are replaced."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _encode_plain(value: float | str | None) -> Node:
    if type(value) is str:
        return Scalar(_clean(value))
    if type(value) is int and not -(2**63) <= value < 2**63:
        return Foreign("int", f"an integer of {value.bit_length()} bits")
    return Scalar(value)


def _encode_array(value: npt.NDArray[Any], arena: Arena, depth: int) -> Node:
    if value.dtype.kind in _ARRAY_KINDS:
        return arena.put(np.ndarray.view(value, np.ndarray))
    if value.dtype == object and value.size <= MAX_TEXT:
        return Sequence("object array", tuple(encode(item, arena, depth + 1) for item in value))
    return Foreign(f"numpy.ndarray of dtype {value.dtype}", "")


def _encode_sequence(value: list[Any] | tuple[Any, ...], arena: Arena, depth: int) -> Node:
    if type(value) is list and (grid := _number_grid(value)) is not None:
        return arena.put(grid, "list")
    kind = "tuple" if isinstance(value, tuple) else "list"
    return Sequence(kind, tuple(encode(item, arena, depth + 1) for item in value))


def _number_grid(value: list[Any]) -> npt.NDArray[Any] | None:
    """Return a regular list, or list of lists, of numbers of one type as an array, else None.

    A million Python numbers would otherwise be a million nodes.
    """
    rows = value if value and all(type(row) is list for row in value) else None
    leaves = {type(item) for row in rows for item in row} if rows else {type(item) for item in value}
    plain = leaves in ({int}, {float}) or (len(leaves) == 1 and issubclass(next(iter(leaves)), np.number))
    if not plain or (rows and len({len(row) for row in rows}) > 1):
        return None
    try:
        grid = np.array(value)
    except (OverflowError, ValueError):
        return None
    return grid if grid.dtype.kind in ("i" if leaves == {int} else "bif") else None  # beyond int64 lie floats


def _numpy_scalar(value: Any, dtype: str) -> Any:
    try:
        return np.dtype(dtype if dtype.lstrip("<>|=")[:1] in _NUMBER_KINDS else "no number").type(value)
    except (TypeError, ValueError, OverflowError, SyntaxError) as error:
        raise WireError(f"scalar does not have its declared dtype {dtype[:40]!r}") from error


def _text_of(value: Any) -> str:
    try:
        return str(value)[:200].encode("utf-8", "replace").decode()
    except Exception as error:  # noqa: BLE001 - the value's own code runs here, and it may raise anything
        return f"(no text: {type(error).__name__})"
