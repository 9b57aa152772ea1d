"""Labels of memory on the device: which numbers were copied there, and which kernels wrote there."""

import bisect
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from grader.worker.sliced import labels, operations
from grader.worker.sliced.calllog import ELEMENTS, INDEX, KERNEL, NOTHING, Label, current
from grader.worker.sliced.exact import exact

TO_DEVICE, TO_HOST, ON_DEVICE = "to device", "to host", "on the device"
GIVEN: Label = frozenset({"argument of a scenario"})
WRITTEN: Label = frozenset({INDEX})
"""Label of memory into which a few numbers without a label were copied: the memory is not new any more."""
EARLIER: Label = frozenset({f"{KERNEL}one of an earlier call"})
"""Label of memory that kernels wrote in earlier calls: those launches did not get the arguments of this call."""


class Copies:
    """Reports copies between host and device to a listener, if there is one."""

    def __init__(self) -> None:
        self._note: Callable[[str, Any], object] | None = None
        self._are_hidden = False

    @contextmanager
    def reported_to(self, note: Callable[[str, Any], object]) -> Iterator[None]:
        """Call `note` with direction and contents of each copy in this block."""
        before, self._note = self._note, note
        try:
            yield
        finally:
            self._note = before

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Neither report nor count the copies in this block: they are not the submission's own."""
        before = self._note, self._are_hidden
        self._note, self._are_hidden = None, True
        try:
            yield
        finally:
            self._note, self._are_hidden = before

    @contextmanager
    def reported(self, direction: str, array: Any) -> Iterator[None]:
        """Report one copy, and none of the copies that Numba makes for it in this block."""
        if self._note is not None:
            self._note(direction, labels.unwrap(array))
        with self.hidden():
            yield

    def count_told(self, value: Any) -> None:
        """Count the numbers of a small host array without a label that is copied to the device."""
        if not self._are_hidden and not is_on_device(value) and labels.is_piece(value):
            current.log.told += labels.size_of(value)


copies = Copies()


class _Ranges:
    """Address ranges of the device and what is known of them; no two overlap. A new one takes the place of others."""

    def __init__(self) -> None:
        self.begins: list[int] = []  # where ranges begin, sorted; there may be one for each number that was copied
        self.known: dict[int, tuple[int, Label]] = {}

    def put(self, begin: int, end: int, label: Label) -> None:
        """Give these addresses a label, in place of any other."""
        touched = self.find(begin, end)
        left: dict[int, tuple[int, Label]] = {}
        for at in self.begins[touched]:
            to, old = self.known.pop(at)
            if at < begin:
                left[at] = (begin, old)
            if to > end:
                left[end] = (to, old)
        if label:
            left[begin] = (end, label)
        self.begins[touched] = sorted(left)
        self.known |= left

    def find(self, begin: int, end: int) -> slice:
        """Return which ranges overlap these addresses, as a slice of `begins`."""
        first = bisect.bisect_right(self.begins, begin)
        if first and self.known[self.begins[first - 1]][0] > begin:
            first -= 1
        return slice(first, max(first, bisect.bisect_left(self.begins, end)))


class Memory:
    """Labels of the device's memory; newly allocated memory loses its old label."""

    def __init__(self) -> None:
        self._ranges, self._allocated = _Ranges(), _Ranges()
        self._fresh_byte = 0

    def clear(self, array: Any) -> Any:
        """Take the label off a new array of the device; on a GPU also fill it, with zeros as the executor does.

        Otherwise it would hold numbers that were freed there. Return the array.
        """
        self.label(array, NOTHING)
        self.allocated(array)
        if current.device == "gpu" and array.alloc_size:
            driver = importlib.import_module("numba.cuda.cudadrv.driver")
            driver.device_memset(array, self._fresh_byte, array.alloc_size)
        return array

    @contextmanager
    def old_bytes(self, byte: int) -> Iterator[None]:
        """Fill new arrays with another byte in this block."""
        self._fresh_byte = byte
        try:
            yield
        finally:
            self._fresh_byte = 0

    def label(self, array: Any, label: Label) -> None:
        """Give all of an array's memory this label, in place of any other."""
        self._ranges.put(*_range_of(array), label)

    def begin_call(self) -> None:
        """Give memory that only kernels have written so far, with or without `data`, the label `EARLIER`."""
        known = self._ranges.known
        for begin, (end, label) in known.items():
            if _is_of_kernels(label - {"data"}):
                known[begin] = (end, EARLIER)

    def allocated(self, array: Any) -> None:
        """Remember that an array is all of its allocation."""
        self._allocated.put(*_range_of(array), WRITTEN)

    def is_part(self, array: Any) -> bool:
        """Return whether an array is a part of an allocation, such as a row of a matrix."""
        begin, end = _range_of(array)
        around = [(at, self._allocated.known[at][0]) for at in self._allocated.begins[self._allocated.find(begin, end)]]
        return len(around) == 1 and around[0] != (begin, end)

    def replace(self, array: Any, label: Label) -> None:
        """Replace the label of an array's memory; for a view with gaps add to it, as the gaps keep their numbers."""
        if array.is_c_contiguous() or array.is_f_contiguous():
            self.label(array, label)
        else:
            self.add(array, label)

    def add(self, array: Any, label: Label) -> None:
        """Add a label to an array's memory, and to all ranges that overlap it."""
        begin, end = _range_of(array)
        known, touched = self._ranges.known, self._ranges.begins[self._ranges.find(begin, end)]
        if touched:
            begin, end = min(begin, touched[0]), max(end, known[touched[-1]][0])
        self._ranges.put(begin, end, label.union(*(known[at][1] for at in touched)))

    def label_of(self, array: Any) -> Label:
        """Return the label of an array's memory."""
        touched = self._ranges.begins[self._ranges.find(*_range_of(array))]
        return NOTHING.union(*(self._ranges.known[at][1] for at in touched))


def _is_of_kernels(label: Label) -> bool:
    kernels = [token for token in label if token.startswith(KERNEL)]
    return bool(kernels) and label <= {INDEX, *kernels}


def is_old(label: Label) -> bool:
    """Return whether memory holds numbers of an earlier call, perhaps besides those of this call's kernels."""
    return label >= EARLIER and _is_of_kernels(label)


memory = Memory()


def label_of_copy(target: Any, source: Any, label: Label, *, is_part: bool = False) -> Label:
    """Return the label of memory to which `source`, with this label, is copied.

    A few numbers that nobody knows, or that were chosen from a part of the device's memory, count as written one by
    one if they go to a part of an allocation: so many of them may be an answer.
    """
    on_device = is_on_device(source)
    is_few = (source.size if on_device else labels.size_of(source)) <= labels.TINY
    is_chosen = not label - {INDEX} or (on_device and memory.is_part(source))
    is_unknown = is_part and not label and not on_device  # however many
    if is_unknown or (is_few and is_chosen and (is_part or memory.is_part(target))):
        return label | {ELEMENTS}
    return label or WRITTEN


beneath: dict[Any, Any] = {}
"""Function of `numba.cuda` that scenarios get -> the real function; the stand-ins for slices call it, too."""


def watch_scenarios(cuda: Any) -> None:
    """Patch `numba.cuda` for the staff's scenarios: memory that they allocate loses the label of freed memory there.

    Arrays that a scenario copies to the device get the label `GIVEN`.
    """
    for name, label in (("to_device", GIVEN), ("device_array", NOTHING), ("device_array_like", NOTHING)):
        real = getattr(cuda, name)

        def make(*args: Any, real: Any = real, label: Label = label, **options: Any) -> Any:
            with copies.hidden():
                array = real(*args, **options)
            if not label:
                return memory.clear(array)
            if not any(array is arg for arg in args):
                memory.label(array, label)
                memory.allocated(array)
            return array

        setattr(cuda, name, make)
        beneath[make] = real


def _range_of(array: Any) -> tuple[int, int]:
    """Return the addresses where an array's memory begins and ends, the gaps of a strided view included."""
    pointer = getattr(array.device_ctypes_pointer, "value", None) or int(array.device_ctypes_pointer or 0)
    if not array.size:
        return pointer, pointer + 1
    ends = [(length - 1) * stride for length, stride in zip(array.shape, array.strides, strict=True)]
    begin, end = (sum(part for part in ends if (part < 0) == is_before) for is_before in (True, False))
    return pointer + begin, pointer + end + array.dtype.itemsize


def is_on_device(value: Any) -> bool:
    """Return whether a value is an array in the device's memory."""
    return getattr(type(value), "__cuda_ndarray__", False) is True


def _is_whole(key: Any) -> bool:
    """Return whether an index means all entries, as in `d_C[:] = 0`."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(part is Ellipsis or (isinstance(part, slice) and part == slice(None)) for part in parts)


labels.device_labels.append(lambda value: memory.label_of(value) if is_on_device(value) else None)


def _counting(getitem: Any) -> Any:
    def get_item(self: Any, key: Any) -> Any:
        part = getitem(self, labels.unwrap_key(key))
        current.log.reads += not is_on_device(part)
        return part

    return get_item


def _compute(_array: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """Compute `D + number` with a copy that has a label: NumPy would ask `D` for an array that has none."""
    copied = tuple(one.copy_to_host() if is_on_device(one) else one for one in inputs)
    return operations.run_ufunc(ufunc, method, copied, options)


def watch_arrays(kind: Any) -> None:
    """Patch the class of device arrays, so that every copy passes the label on."""
    to_host, to_device, setitem, transpose = kind.copy_to_host, kind.copy_to_device, kind.__setitem__, kind.transpose

    def copy_to_host(self: Any, ary: Any = None, stream: Any = 0) -> Any:
        label = memory.label_of(self)
        array = to_host(self, labels.unwrap(ary), stream)
        with copies.reported(TO_HOST, array):
            pass
        if ary is None:
            return operations.observe(array, label)
        labels.write(ary, label)
        return ary

    def copy_to_device(self: Any, ary: Any, stream: Any = 0) -> None:
        ary = exact(ary, ask=True)
        label = labels.label_of(ary)
        copies.count_told(ary)
        memory.add(self, label)  # before the copy, so that an exception in it cannot skip the label
        with copies.reported(ON_DEVICE if is_on_device(ary) else TO_DEVICE, ary):
            to_device(self, labels.unwrap(ary), stream)
        memory.replace(self, label_of_copy(self, ary, label))

    def set_item(self: Any, key: Any, value: Any) -> None:
        key, value = exact(key, ask=True), exact(value, ask=True)
        direction = ON_DEVICE if is_on_device(value) else TO_DEVICE
        memory.add(self, label_of_copy(self, value, labels.label_of(value), is_part=not _is_whole(key)))
        with copies.reported(direction, value) if labels.size_of(value) > 1 else copies.hidden():
            setitem(self, labels.unwrap_key(key), labels.unwrap(value))
        copies.count_told(value)

    def transposed(self: Any, axes: Any = None) -> Any:
        turned = transpose(self, axes)
        if turned is not self:
            memory.label(turned, memory.label_of(self))
            memory.allocated(turned)
        return turned

    def as_array(self: Any, dtype: Any = None, copy: Any = None) -> Any:  # noqa: ARG001 - NumPy's protocol
        array = to_host(self)
        with copies.reported(TO_HOST, array):
            return array if dtype is None else array.astype(dtype)

    kind.copy_to_host, kind.copy_to_device = copy_to_host, copy_to_device
    kind.getitem = kind.__getitem__ = _counting(kind.__getitem__)
    kind.setitem = kind.__setitem__ = set_item
    kind.transpose, kind.__array__, kind.__array_ufunc__ = transposed, as_array, _compute
