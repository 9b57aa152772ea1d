"""CUDA kernels on the CPU, compiled by Numba for the host.

Theory of operation
-------------------
``install()`` puts a stand-in for ``numba.cuda`` into this process. Its ``jit`` compiles kernels with Numba's own
pipeline and a target of our own (`target`), which knows what CUDA's target knows. Every compiled function takes one
hidden argument, the record of the running CUDA thread (`records.Thread`); ``threadIdx``, ``blockIdx`` etc. read it.
A *launcher* (`launcher`), linked with the kernel and optimised with it as one program, holds the loops over blocks and
threads. A kernel whose threads all reach the same barriers is cut at the barriers, and each piece gets its own loops
(`regions`). Any other kernel with barriers becomes an LLVM coroutine (`codelibrary`): a thread that waits keeps its
values in a frame of some hundred bytes and returns to the *scheduler* (`scheduler`), compiled once for all kernels.
`lowering` checks the bounds of each read and write of an array element, and names array, line and thread in errors.
Inside ``checking()`` and ``counting()``, kernels are compiled a second time, with calls that watch them (`tracing`).

This package imports nothing from the rest of the grader.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import TYPE_CHECKING, Any

from grader.cuda_cpu.launches import Launch, observe_launches, old_values, two_threads

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.costs import counting, describe_costs
    from grader.cuda_cpu.tracing.following import work_of_two
    from grader.cuda_cpu.tracing.races import checking

__all__ = ["Launch", "array_class", "checking", "counting", "describe_costs", "dispatcher_class", "install"]
__all__ += ["install_when_imported", "observe_launches", "old_values", "two_threads", "work_of_two"]

_WATCHING = {"checking": "races", "counting": "costs", "describe_costs": "costs", "work_of_two": "following"}
"""Name of a function -> the module of `tracing` that defines it."""


def install() -> None:
    """Make ``numba.cuda`` mean this executor, in this process, from now on. Calling it again changes nothing.

    The real ``numba.cuda`` may have been imported before; code that still holds it cannot compile with it any more.
    """
    import numba

    from grader.cuda_cpu.cuda_module import cuda, install_finder
    from grader.cuda_cpu.dispatcher import register_target
    from grader.cuda_cpu.numba_internals import load_vectors

    if sys.modules.get("numba.cuda") is cuda:
        return
    for name in [name for name in sys.modules if name.startswith("numba.cuda.")]:
        del sys.modules[name]
    install_finder()
    numba.cuda = cuda
    register_target()
    _register_module(cuda, set())
    vectors = load_vectors()
    for name in ("cudamath", "errors", "stubs", "vector_types"):
        delattr(cuda, name)  # imports bound these names: student code gets the vectors, not the modules behind them
    vars(cuda).update(vectors)


def install_when_imported() -> None:
    """Call `install()` only when a file imports `numba.cuda`: many files do not, and loading Numba takes a while."""
    sys.meta_path.insert(0, _Installer())


class _Installer(MetaPathFinder, Loader):
    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != "numba.cuda":
            return None
        sys.meta_path.remove(self)
        return spec_from_loader(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        install()
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: `install` has already made the module."""


def __getattr__(name: str) -> Any:
    """Load a function that watches launches on first use: loading Numba takes a while."""
    if name not in _WATCHING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.tracing.{_WATCHING[name]}"), name)


def dispatcher_class() -> Any:
    """Return the class of kernels; None in a process that does not use the executor."""
    return _name_of("dispatcher", "CudaDispatcher")


def array_class() -> Any:
    """Return the class of arrays on the device; None in a process that does not use the executor."""
    return _name_of("devicearray", "DeviceNDArray")


def _name_of(module: str, name: str) -> Any:
    """Return a name of a module of this package; None if the module is not loaded: loading Numba takes a while."""
    return getattr(sys.modules.get(f"{__name__}.{module}"), name, None)


def _register_module(module: ModuleType, known: set[str]) -> None:
    known.add(module.__name__)
    sys.modules[module.__name__] = module
    for part in vars(module).values():
        if isinstance(part, ModuleType) and part.__name__.startswith("numba.cuda.") and part.__name__ not in known:
            _register_module(part, known)
