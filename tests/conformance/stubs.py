"""Modules of numba-cuda that its tests import by name: what the executor has of them, and refusals for the rest."""

import functools
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Final

_SETTINGS: Final[dict[str, Any]] = {
    "CUDA_LOW_OCCUPANCY_WARNINGS": 0,
    "CUDA_WARN_ON_IMPLICIT_COPY": 0,
    "CUDA_ENABLE_NRT": 0,
    "CUDA_DEBUG_POLY": 0,
    "CUDA_MEMORY_MANAGER": "default",
    "CUDA_NVRTC_EXTRA_SEARCH_PATHS": "",
    "CUDA_USE_NVIDIA_BINDING": 0,
}


def _find_library(name: str, static: bool = False) -> str:
    """Answer a test that asks for the library of cooperative groups, which the executor has without one."""
    return name


_REFUSED: Final = (
    *("compile", "compile_all", "compile_ptx", "compile_ptx_for_current_device", "compile_for_current_device"),
    "declare_device",
    *(f"{verb}{hint}" for verb, hints in (("ld", "ca cg cs lu cv"), ("st", "cg cs wb wt")) for hint in hints.split()),
)


def _refuse(what: str) -> Any:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{what} needs a GPU's compiler or driver")

    refused.__name__ = what.rpartition(".")[2]
    return refused


def _add(name: str, *refused: str, **contents: Any) -> ModuleType:
    """Register a module, or add to it what it lacks."""
    module = sys.modules.get(name) or ModuleType(name)
    for key, value in [*contents.items(), *((key, _refuse(f"{name}.{key}")) for key in refused)]:
        if key not in vars(module):
            setattr(module, key, value)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if child not in vars(sys.modules[parent]):
        setattr(sys.modules[parent], child, module)
    return module


def fill() -> None:
    import numba
    import numba.core.typing  # Numba's contexts must load in this order
    from numba import cuda
    from numba.core import compiler, config, cpu, datamodel, types

    from grader.cuda_cpu import target
    from grader.cuda_cpu.compiler import ThreadCompiler
    from grader.cuda_cpu.devices import context, device
    from grader.cuda_cpu.dispatcher import CudaDispatcher

    config.ENABLE_CUDASIM = 0
    for name, value in _SETTINGS.items():
        if not hasattr(config, name):
            setattr(config, name, value)
    cuda.types, cuda.config, cuda.HAS_NUMBA = types, config, True
    sys.modules["numba.cuda.types"] = types
    for name in types.__all__:
        if not hasattr(cuda, name):
            setattr(cuda, name, getattr(types, name))
    _add("numba.cuda.memory_management", __path__=[])
    _add("numba.cuda.memory_management.nrt", rtsys=_NoStatistics())
    _add("numba.cuda.core", __path__=[])
    _add("numba.cuda.core.options", ParallelOptions=cpu.ParallelOptions)
    _add("numba.cuda.cuda_paths", get_conda_ctk_libdir=lambda: None)
    sys.modules["numba.cuda.cudadrv"] = cuda.cudadrv
    _add("numba.cuda.cudadrv.driver", driver=SimpleNamespace(get_device=lambda: device), _have_nvjitlink=lambda: False)
    _add("numba.cuda.cudadrv.devices", get_context=lambda: context, gpus=cuda.gpus, reset=cuda.close)
    libraries = {"get_cudalib": _find_library, "check_static_lib": _find_library}
    _add("numba.cuda.cudadrv.libs", get_cuda_include_dir=_missing_file, **libraries)
    _add("numba.cuda.cudadrv.nvvm", "compile_ir")
    _add("numba.cuda.cudadrv.nvrtc", "compile")
    _add("numba.cuda.dispatcher", CUDADispatcher=CudaDispatcher)
    _add("numba.cuda.descriptor", cuda_target=target.cuda_target)
    cuda.extending.core_models = datamodel.models
    kept = {name: getattr(compiler, name) for name in ("run_frontend", "CompilerBase", "PassManager")}
    refused = ("compile", "compile_ptx", "compile_ptx_for_current_device")
    _add("numba.cuda.compiler", *refused, **kept, CUDACompiler=ThreadCompiler)
    _add("numba.cuda._internal", __path__=[])
    _add("numba.cuda._internal.cuda_bf16")
    _add("numba.cuda._internal.cuda_fp8")
    _add("numba.cuda.simulator", __path__=[])
    _add("numba.cuda.args", In=cuda.In, Out=cuda.Out, InOut=cuda.InOut, wrap_arg=_wrap_argument)
    _add("numba.cuda.launchconfig", "ensure_current_launch_config", "current_launch_config", "capture_compile_config")
    _add("numba.cuda.codegen", "CUDACodeLibrary")
    _add("numba.cuda.api", is_fp8_supported=lambda: False)
    for name in _REFUSED:
        vars(cuda).setdefault(name, _refuse(f"cuda.{name}"))
    for name in ("LinkableCode", "CUSource", "PTXSource", "Archive", "Cubin", "Fatbin", "Object", "LTOIR"):
        vars(cuda)[name] = type(name, (_Linkable,), {})
    for name in ("vectorize", "guvectorize"):
        vars(cuda).setdefault(name, functools.partial(getattr(numba, name), target="cuda"))


class _Linkable:
    """CUDA C++ and its compiled forms; nothing here links them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.contents = args


class _NoStatistics:
    """Numba's memory manager as the tests see it: nothing is counted, so that nothing leaks."""

    def memsys_enable_stats(self) -> None:
        """Change nothing."""

    memsys_disable_stats = memsys_enable_stats

    def get_allocation_stats(self) -> Any:
        return SimpleNamespace(alloc=0, free=0, mi_alloc=0, mi_free=0)


def _wrap_argument(value: Any, default: Any = None) -> Any:
    from grader.cuda_cpu.arguments import InOut, Transfer

    return value if isinstance(value, Transfer) else (default or InOut)(value)


def _missing_file(*args: Any, **kwargs: Any) -> Any:
    raise FileNotFoundError
