"""Launches of a slice's kernels: recorded, and, in runs that ask what a kernel does, replaced by something else."""

import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grader import cuda_cpu
from grader.slices.policy import words
from grader.worker import wire
from grader.worker.launches import Made, Run, dispatcher_class, record_launches
from grader.worker.sliced import arrays, containers, devices, labels
from grader.worker.sliced.calllog import DATA, KERNEL, Label, current, refuse
from grader.worker.sliced.compiled import Compiler, inherited
from grader.worker.sliced.exact import exact, leaves
from grader.worker.sliced.freezing import is_own
from grader.worker.sliced.labels import label_of, unwrap

_HANDED_OUT = words("""
    grader.cuda_cpu.devices grader.cuda_cpu.hostapi grader.cuda_cpu.memory grader.cuda_cpu.intrinsics
    numba.cuda.cudadrv.devices numba.cuda.cudadrv.driver
""")
"""Modules of the executor, and of Numba on a GPU, whose objects a slice gets beside kernels, arrays and `cuda.In`."""


@dataclass(frozen=True, slots=True)
class Launching:
    """A launch that is about to happen."""

    name: str
    place: str  # file and line of its kernel, such as `sums.py:12`: two kernels may have one name
    args: tuple[Any, ...]  # the kernel's arguments, with ordinary arrays in them
    labels: tuple[Label, ...]  # the label of each array in `args`; new memory has none, even with old numbers on a GPU
    constants: tuple[Any, ...]  # globals, closures and defaults that its machine code knows, if they may hold numbers
    constants_from: Label
    run: Callable[[], Any]
    functions: tuple[str, ...] = ()
    """File and line of each function that its kernel calls: a kernel made several times may call others each time."""
    told: tuple[float, ...] = ()
    """Other numbers that it can read: how many bytes of shared memory it has, and unusual strides, in entries."""


Interference = Callable[[Launching], Any]


class Launches:
    """Passes on every launch: turns its arguments into ordinary arrays, and keeps their labels."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self.seen: list[wire.Launch] = []
        self.interference: Interference | None = None
        """Replaces each launch in runs that test what a kernel does; None in all other runs."""

    def begin_call(self) -> None:
        """Forget the launches of the call before."""
        self.seen = []
        devices.memory.begin_call()

    def watch(self, dispatcher: Any) -> None:
        """Send each launch of kernels of this class through here."""
        record_launches(dispatcher, lambda: self.seen, self._make)

    def _make(self, kernel: Any, args: tuple[Any, ...], run: Run, shared_bytes: int) -> Made:
        plain = self._compiler.plain_of(kernel)
        if plain is not None:
            self._compiler.refresh(plain.__globals__)
        functions, constants = self._compiler.known_to(plain)
        args = tuple(map(_exact, args))
        bare_args = tuple(map(_bare, args))
        name = self._compiler.names(kernel)
        captured = containers.label_of_all_given(constants)
        _expect_no_records((*args, *constants) if DATA in captured else args)
        given = list(host_and_device_arrays(args))
        told = (*_odd_steps(host_and_device_arrays(bare_args)), *([float(shared_bytes)] if shared_bytes else ()))
        current.log.told += labels.count_told((*args, *told))
        labels_before = [label_of(array) for array in given]
        label = captured.union(*labels_before)
        work = inherited(label) | {f"{KERNEL}{name}"}
        for array in given:  # before: a launch that is ended early has written, too; the labels of other work stay
            add = devices.memory.add if devices.is_on_device(array) else labels.write
            add(array, work)

        def launch() -> Any:
            with devices.copies.hidden():
                return run(bare_args)

        origins = tuple(sorted(label))
        if self.interference is None:
            return launch(), name, origins
        launching = Launching(
            name,
            place_of(kernel.py_func),
            functions=tuple(map(place_of, functions[1:])),
            args=bare_args,
            labels=tuple(labels_before),
            constants=tuple(map(unwrap, constants)),
            constants_from=captured,
            told=told,
            run=launch,
        )
        return self.interference(launching), name, origins


def place_of(function: Any) -> str:
    """Return file and line of a function."""
    code = function.__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"


def _odd_steps(given: Iterable[Any]) -> Iterator[float]:
    """Yield the strides of arrays, in entries, that do not follow from their shapes: these may carry any number."""
    for array in given:
        steps = tuple(step / array.dtype.itemsize for step in array.strides)
        by_rows, by_columns = (np.empty(array.shape, bool, order).strides for order in ("C", "F"))
        if steps != by_columns:
            yield from (step for step, usual in zip(steps, by_rows, strict=True) if step != usual)


def host_and_device_arrays(args: Any) -> Iterator[Any]:
    """Yield the arrays among a kernel's arguments, those inside lists, tuples and `cuda.InOut` included."""
    return (array for arg in leaves(args) if (array := _array_in(arg)) is not None)


def _array_in(arg: Any) -> Any:
    """Return the array that a kernel's argument is, or that is in a `cuda.InOut`; None if there is none."""
    value = arg.value if isinstance(arg, transfer_class()) else arg
    return value if isinstance(value, np.ndarray) or devices.is_on_device(value) else None


def _exact(arg: Any) -> Any:
    """Return an argument of a kernel as an exact value, which Numba and the observer read alike.

    Raises:
        TypeError: it is of a slice's own subclass of `cuda.In`, `cuda.Out` or `cuda.InOut`.
    """
    if isinstance(arg, transfer_class()) and is_own(type(arg)):
        refuse(
            "an own kind of cuda.In or cuda.Out",
            "hand over arrays by its own class: write cuda.In, cuda.Out or cuda.InOut",
        )
    return exact(arg)


def _expect_no_records(args: tuple[Any, ...]) -> None:
    """Refuse records, and arrays of them: a record may hold any number of numbers, and has no label."""
    for arg in leaves(args):
        value = _array_in(arg)
        if isinstance(arg, np.void) or (value is not None and value.dtype.kind == "V"):
            refuse("a record that a kernel is given", "give records to a kernel: give it arrays and numbers")


def _bare(arg: Any) -> Any:
    """Return an argument of a kernel with ordinary arrays in it."""
    if isinstance(arg, transfer_class()) and isinstance(arg.value, arrays.Observed):
        return type(arg)(labels.raw_of(arg.value))
    return unwrap(arg)


def transfer_class() -> Any:
    """Return the base class of `cuda.In`, `cuda.Out` and `cuda.InOut`: the executor's, or Numba's on a GPU."""
    executor = sys.modules.get("grader.cuda_cpu.arguments")
    return importlib.import_module("numba.cuda.args").ArgHint if executor is None else executor.Transfer


def classes_of_cuda() -> list[type]:
    """Return the classes whose objects a slice gets of `numba.cuda`: kernels, arrays, streams, devices and the like."""
    of_kernels = (dispatcher_class(), array_class(), transfer_class())
    modules = {kind.__module__ for kind in of_kernels} | _HANDED_OUT
    kinds = [
        kind
        for name in sorted(modules & {*sys.modules})
        for kind in vars(sys.modules[name]).values()
        if isinstance(kind, type) and kind.__module__ == name and not issubclass(kind, BaseException)
    ]
    return [kind for kind in kinds if not any(base in kinds for base in kind.__mro__[1:])]


def array_class() -> Any:
    """Return the class of arrays on the device: the executor's, or Numba's on a GPU."""
    return cuda_cpu.array_class() or importlib.import_module("numba.cuda.cudadrv.devicearray").DeviceNDArray
