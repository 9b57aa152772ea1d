"""Values of workers as plain data for MessagePack, and back; arrays by what they are equal to."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.worker import wire

_NEAR = 1e-9
"""So near are sums of the same products in another order."""


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays in nested lists, tuples and dicts."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from arrays_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays_in(item)


def name_of(array: np.ndarray) -> bytes:
    """Return a short name for type, shape and contents of an array."""
    digest = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=8)
    digest.update(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
    return digest.digest()


def name_roughly(array: np.ndarray) -> bytes:
    """Return a name that is the same on all machines: their logarithms, so drawn numbers, differ in the last bit."""
    if array.dtype != np.float64:
        return name_of(array)
    with np.errstate(over="ignore"):
        return name_of(array.astype(np.float32))


def question(*parts: Any) -> bytes:
    """Return a short name for what a worker is asked: names, options and arguments."""
    digest = hashlib.blake2b(digest_size=8)
    digest.update(repr([_plain(part) for part in parts]).encode())
    return digest.digest()


def _plain(value: Any) -> Any:
    match value:
        case np.ndarray():
            return name_roughly(value)
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case set() | frozenset():
            return sorted(map(repr, value))
        case np.generic():
            return (value.dtype.str, value.item())
    return value


class Arrays:
    """The arrays that both recording and replay meet: arguments of questions, and what is recorded."""

    def __init__(self, recorded: dict[bytes, list[Any]]) -> None:
        self.recorded = recorded
        """Name -> type, shape and bytes, for all cases."""
        self._met: dict[bytes, np.ndarray] = {}
        self._last: list[np.ndarray] = []

    def meet(self, args: Any) -> None:
        """Remember the arrays of a question."""
        self._last = list(arrays_in(args))
        self._met |= {name_roughly(array): array for array in self._last}

    def pack(self, value: Any) -> Any:
        """Return a value as plain data."""
        match value:
            case np.ndarray():
                return ["array", *self._pack_array(value)]
            case np.generic():
                return ["scalar", value.dtype.str, value.tobytes()]
            case dict():
                return ["dict", [[self.pack(key), self.pack(item)] for key, item in value.items()]]
            case list():
                return ["list", [self.pack(item) for item in value]]
            case tuple():
                return ["tuple", [self.pack(item) for item in value]]
            case wire.Foreign():
                return ["foreign", value.type_name, value.text]
        return value

    def unpack(self, data: Any) -> Any:
        """Return what `pack` was given."""
        match data:
            case ["array", *how]:
                return self._unpack_array(*how).copy()
            case ["scalar", dtype, raw]:
                return np.frombuffer(raw, dtype)[0]
            case ["dict", pairs]:
                return {self.unpack(key): self.unpack(item) for key, item in pairs}
            case ["list", items]:
                return [self.unpack(item) for item in items]
            case ["tuple", items]:
                return tuple(self.unpack(item) for item in items)
            case ["foreign", type_name, text]:
                return wire.Foreign(type_name, text)
        return data

    def _pack_array(self, array: np.ndarray) -> list[Any]:
        met = name_roughly(array)
        if met in self._met and np.array_equal(self._met[met], array):
            return ["met", met]
        if array.size and (array == array.flat[0]).all():
            return ["full", array.dtype.str, list(array.shape), array.flat[:1].tobytes()]
        empty = array == 0
        for how, made in self._made():
            alike = made.shape == array.shape and made.dtype == array.dtype
            if alike and np.allclose(np.where(empty, 0, made), array, _NEAR, _NEAR):
                return [how, np.packbits(empty).tobytes() if empty.any() else b""]
        name = name_of(array)
        self.recorded.setdefault(name, [array.dtype.str, list(array.shape), array.tobytes()])
        return ["recorded", name]

    def _unpack_array(self, how: str, *rest: Any) -> np.ndarray:
        match how, *rest:
            case "met", name:
                return self._met[name]
            case "full", dtype, shape, raw:
                return np.full(shape, np.frombuffer(raw, dtype)[0])
            case "recorded", name:
                dtype, shape, raw = self.recorded[name]
                return np.frombuffer(raw, dtype).reshape(shape)
        made, (empty,) = dict(self._made())[how], rest
        holes = np.unpackbits(np.frombuffer(empty, np.uint8), count=made.size) if empty else np.zeros(made.size)
        return np.where(holes.reshape(made.shape), 0, made)

    def _made(self) -> Iterator[tuple[str, np.ndarray]]:
        """Yield what may be made of the last question's arguments: answers of hw1 are megabytes."""
        match self._last:
            case [one, other] if one.shape == other.shape:
                yield "larger", np.maximum(one, other)
            case [one] if one.ndim == 2:
                yield "product", one @ one.T
