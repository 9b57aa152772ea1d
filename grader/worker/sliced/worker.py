"""What the worker of slices does with a request: find a function, call it observed, report what was observed."""

from __future__ import annotations

import ctypes
import dataclasses
import importlib
import importlib.util
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.slices import policy
from grader.worker import wire
from grader.worker.launches import dispatcher_class, watch_launches
from grader.worker.sliced import arrays, facade, labels, objects, operations, withheld
from grader.worker.sliced.calllog import COMPILED, MIXED, NOTHING, CallLog, current
from grader.worker.sliced.exact import exact
from grader.worker.sliced.facade import Makers, Modules
from grader.worker.sliced.freezing import freeze_all, guard
from grader.worker.sliced.loading import Loader
from grader.worker.sliced.standard import make_hint

if TYPE_CHECKING:
    from grader.worker.sliced.launches import Interference

_CONTAINERS = ("List", "Dict")
_HANDED_OUT = (
    *(facade.Function, objects.Grid, objects.Vectorized, objects.Generator, objects.Iteration, labels.Flat),
    dataclasses.Field,  # its name becomes part of a text that is executed
)
"""Classes whose objects a slice gets, beside those of CUDA."""
_PERTURB = -6  # M_PERTURB of mallopt(3)


def wipe_new_memory(*, is_wiped: bool) -> None:
    """Set whether compiled code gets new memory with zeros: an answer of NumPy's may have been freed there."""
    with suppress(OSError, AttributeError, TypeError):  # glibc alone has this switch
        ctypes.CDLL(None).mallopt(_PERTURB, 255 if is_wiped else 0)


class Slices:
    """The slices in a folder, ready to be called."""

    def __init__(self, folder: Path, *, observed: bool) -> None:
        self._folder, self._observed = folder, observed
        self.compiler: Any = None
        self.launches: Any = None
        for kind in _HANDED_OUT:
            guard(kind)
        guard(arrays.Observed, frozenset({"shape", "flat", "real", "imag"}))
        self._modules = modules = Modules(observed=observed, prepare_numba=self._prepare_numba)
        withheld.withhold_from_libraries(lambda kind: objects.numbers_of(modules.get("numpy"), kind))
        if observed:
            withheld.withhold(np.generic, objects.MAKING_ARRAYS, objects.of_scalars)
            withheld.observe_items(lambda array: operations.labelled(array, NOTHING))
        freeze_all("grader.worker", arrays.KINDS)
        self._loader = Loader(folder, modules, self._finish)
        sys.meta_path.insert(0, self._loader)

    def holds(self, module: str) -> bool:
        """Return whether a slice lies in a file of that name."""
        return Path(self._folder, f"{module}.py").is_file()

    def seen_so_far(self) -> wire.Seen:
        """Return what was seen of a call that raised."""
        return self._describe(current.log, None)

    @contextmanager
    def interfering(self, interference: Interference | None) -> Iterator[None]:
        """Let `interference` replace each launch in this block; without effect if no slice has imported Numba."""
        if self.launches is None:
            yield
            return
        self.launches.interference = interference
        try:
            yield
        finally:
            self.launches.interference = None

    def load(self, module: str) -> ModuleType:
        """Return the module of a slice, or a module of the staff whose functions call slices."""
        spec = None if self.holds(module) else importlib.util.find_spec(module)
        if spec is None:
            return self._loader.load(module)
        if spec.origin and b"numba" in Path(spec.origin).read_bytes():  # before the module sends anything to the device
            self._modules.get("numba.cuda")
        return importlib.import_module(module)

    def call(self, function: Callable[..., Any], args: Sequence[Any], *, full: bool) -> tuple[Any, wire.Seen]:
        """Call a function of a slice with observed arguments; return its value, as plain data, and what was seen."""
        current.log = log = CallLog(full=full)
        wipe_new_memory(is_wiped=full)
        arrays.enter_call(full)
        if self.launches is not None:
            self.launches.begin_call()
        observed = list(args)
        for place, arg in enumerate(args):
            if self._observed and isinstance(arg, np.ndarray):
                observed[place] = operations.observe(arg, frozenset({f"argument {place}"}))
        began_s = time.process_time()
        value = function(*observed)
        log.computed_s = time.process_time() - began_s
        return exact(value), self._describe(log, value)

    @staticmethod
    def _label(log: CallLog, value: Any) -> frozenset[str]:
        """Return the label of an answer; if it equals something that compiled code made, return the label of that."""
        label = labels.label_of(value)
        if any(token.startswith((COMPILED, MIXED)) for token in label):
            return label
        for made, of_made, _ in [*log.made.values()]:  # reading a list of lists adds to it
            if _hold_the_same(made, value):
                return of_made
        return label

    def seen_launches(self) -> tuple[wire.Launch, ...]:
        """Return the launches of the call that ended last, however it ended."""
        return tuple(self.launches.seen) if self.launches is not None else ()

    def _describe(self, log: CallLog, value: Any) -> wire.Seen:
        return wire.Seen(
            label=tuple(sorted(self._label(log, value))),
            mixes=tuple(f"{times} × {what}" for what, times in Counter(log.mixes).most_common()),
            mixed=sum(log.mixes.values()),
            singles=dict(Counter(log.singles).most_common()),
            compiled=dict(Counter(log.compiled).most_common()),
            given_to_compiled=tuple(sorted(log.given_to_compiled)),
            leaks=log.leaks,
            told=log.told,
            reads=log.reads,
            writes=log.writes,
            waited_s=log.waited_s,
            computed_s=log.computed_s,
            refused=tuple(log.refused),
        )

    def _finish(self, scope: dict[str, Any]) -> None:
        if self.compiler is not None:
            self.compiler.refresh(scope)

    def _prepare_numba(self) -> Makers:
        """Import Numba, and CUDA with it, before anything of the submission; watch launches and device memory."""
        importlib.import_module("numba.cuda")  # the executor, where no GPU runs kernels
        from grader.worker.sliced import compiled, containers, devices, launches, signatures  # noqa: PLC0415 - Numba only where a slice imports it

        has_neighbours = "mpi4py" in sys.modules  # behind the arrays of an MPI rank lie those of other ranks
        self.compiler = compiled.Compiler(within_arrays=self._observed or has_neighbours)
        self.compiler.names = self._kernel_name
        self.launches = launches.Launches(self.compiler)
        typed = [getattr(importlib.import_module("numba.typed"), name) for name in _CONTAINERS]
        containers.watch(typed, observed=self._observed)
        watch_launches()
        if self._observed:
            self.launches.watch(dispatcher_class())
            devices.watch_arrays(launches.array_class())
            devices.watch_scenarios(importlib.import_module("numba.cuda"))
        for kind in (signatures.NumbaType, *launches.classes_of_cuda()):
            guard(kind, takes_marks=issubclass(dispatcher_class(), kind))
        withheld.withhold_from_cuda()
        freeze_all("grader.", arrays.KINDS)
        of_numba = ("numba", "numba.types", "numba.core.types", "numba.extending", "numba.np.numpy_support")
        return {
            **dict.fromkeys(of_numba, self.compiler.make_numba),
            "numba.cuda": self.compiler.make_cuda,
            "numba.cuda.cudadrv.devicearray": lambda _name, _real: make_hint(launches.array_class()),
        }

    def _kernel_name(self, kernel: Any) -> str:
        """Return the name of a kernel in its module, or the name of its function if the module has none."""
        own = str(getattr(kernel, "__name__", "?"))
        for scope in self._loader.scopes():
            names = [policy.as_written(name) for name, value in scope.items() if value is kernel]
            if names:
                return own if own in names else names[0]
        return own


def _hold_the_same(made: Any, value: Any) -> bool:
    try:
        return bool(np.array_equal(np.array(list(made)), labels.unwrap(exact(value))))
    except (TypeError, ValueError):
        return False


def open_slices(folder: Path, *, observed: bool) -> Slices:
    """Make the slices of this worker; there is one folder of them."""
    current.slices = made = Slices(folder, observed=observed)
    return made


def the_slices() -> Slices:
    """Return the slices of this worker."""
    return current.slices  # type: ignore[no-any-return] # of a module below this one
