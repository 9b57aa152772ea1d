"""The CUDA target of Numba's compiler, with this machine's processor underneath.

The typing context knows what CUDA's target knows and nothing else, so that a kernel that CUDA would refuse to compile
is refused here. The target context generates code for the host and adds the hidden thread record to every call.
"""

import operator
from functools import cached_property
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from grader.cuda_cpu import numba_internals as nb
from grader.cuda_cpu.arguments import make_array
from grader.cuda_cpu.codelibrary import ThreadCallConv, ThreadCodegen
from grader.cuda_cpu.devicearray import memory_of
from grader.cuda_cpu.hostapi import as_cuda_array, is_cuda_array
from grader.cuda_cpu.records import I8P, I64
from grader.cuda_cpu.tracing.emit import emit_read, emit_write, is_traced

HALF: Final = nb.ir.HalfType()


data_models: Final = nb.datamodel.DataModelManager()
"""How kernels hold values of types that only kernels know, or that the host holds in another way."""


class FloatModel(nb.datamodel.models.FloatModel):
    """Floating-point numbers of 16, 32 and 64 bits."""

    def __init__(self, manager: Any, kind: Any) -> None:
        if kind == nb.types.float16:
            nb.datamodel.models.PrimitiveModel.__init__(self, manager, kind, HALF)
        else:
            super().__init__(manager, kind)


data_models.register(nb.types.Float, FloatModel)

# By identity: constants of a kernel may be arrays, which cannot be compared.
_LINEAR_ALGEBRA: Final = frozenset(map(id, (np.dot, np.vdot, np.matmul, np.inner, np.outer, np.kron, np.tensordot)))
typing_registry = nb.TypingRegistry()
lowering_registry = nb.LoweringRegistry("cuda_cpu")
runtime_attributes: list[tuple[Any, str]] = []
attributes_only: dict[int, Any] = {}
"""Id -> Numba type of objects such as `cuda.threadIdx`, which kernels know only as an attribute, as on a GPU."""


class CudaTypingContext(nb.typing.BaseContext):
    """Knows the names and types that CUDA's target knows."""

    def init(self) -> None:
        """Prepare the cache of CPU-jitted functions that kernels call as device functions."""
        self._borrowed: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()

    def load_additional_registries(self) -> None:
        """Install this package's names, which `cuda_module` has registered, then what CUDA's target installs."""
        for registry in (typing_registry, *nb.load_typing_registries()):
            self.install_registry(registry)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call.

        Raises:
            TypingError: for ``@``: Numba would accept it after the process has compiled something for the CPU.
        """
        if func in (operator.matmul, operator.imatmul):
            raise nb.errors.TypingError("CUDA's target has no linear algebra: write the loops instead of @")
        return super().resolve_function_type(func, args, kws)

    def resolve_module_constants(self, typ: Any, attr: str) -> Any:
        """Return the type of a module's attribute; None if it has none."""
        return super().resolve_module_constants(typ, attr) or attributes_only.get(id(getattr(typ.pymod, attr)))

    def resolve_value_type(self, val: Any) -> Any:
        """Return the type of a constant; an ``@njit`` function becomes a device function, as on a GPU.

        Raises:
            ValueError: for linear algebra, which Numba would accept after it has compiled something for the CPU, for
                CPU functions that were compiled for named signatures, and for `attributes_only`.
        """
        if getattr(val, "__module__", None) == "numpy.linalg" or id(val) in _LINEAR_ALGEBRA:
            raise ValueError("CUDA's target has no linear algebra")
        if id(val) in attributes_only:
            raise ValueError("Cannot determine Numba type of <class 'type'>")
        device_function = nb.dispatcher_registry[nb.target_registry["cuda"]]
        if isinstance(val, nb.Dispatcher) and not isinstance(val, device_function):
            if val not in self._borrowed:
                if not val._can_compile:  # noqa: SLF001  # numba offers no accessor
                    raise ValueError("using cpu function on device but its compilation is disabled")
                self._borrowed[val] = device_function(val.py_func, {"device": True})
            val = self._borrowed[val]
        if is_traced() and isinstance(val, device_function):
            val = val.traced_device_function
        if is_cuda_array(val) and not isinstance(val, type):
            val = as_cuda_array(val)
        return super().resolve_value_type(val)


class CudaTargetContext(nb.BaseContext):
    """Generates host code for CUDA's semantics."""

    allow_dynamic_globals = True
    strict_alignment = True
    enable_boundscheck = False
    """Set by the lowering, which checks most indices itself; NUMBA_BOUNDSCHECK has no effect on kernels."""

    def init(self) -> None:
        """Create the code generator."""
        self._internal_codegen = ThreadCodegen("cuda_cpu")
        self.data_model_manager = data_models.chain(nb.datamodel.default_manager)
        self._captured: list[Any] = []
        self.current_loc: Any = None
        self.current_array_name = "array"
        self.local_memory: Any = None  # address for the local array that is lowered next; None: on the stack
        nb.externals.c_math_functions.install(self)

    def make_constant_array(self, builder: Any, typ: Any, ary: Any) -> Any:
        """Return a global array: a host array is frozen, a device array is used where it lies, as on a GPU."""
        if not is_cuda_array(ary):
            return super().make_constant_array(builder, typ, ary)
        array = as_cuda_array(ary)
        self._captured.append(array)
        memory = memory_of(array)
        shape, strides = ([I64(n) for n in numbers] for numbers in (memory.shape, memory.strides))
        return make_array(self, builder, typ, builder.inttoptr(I64(memory.ctypes.data), I8P), shape, strides)

    def create_module(self, name: str) -> Any:
        """Return an empty LLVM module."""
        return self._internal_codegen._create_empty_module(name)  # noqa: SLF001  # numba's own protocol

    def codegen(self) -> Any:
        """Return the code generator."""
        return self._internal_codegen

    @property
    def target_data(self) -> Any:
        """LLVM's description of the host's data layout."""
        return self._internal_codegen.target_data

    @property
    def call_conv(self) -> ThreadCallConv:
        """The calling convention with the hidden thread record."""
        return ThreadCallConv(self)

    def load_additional_registries(self) -> None:
        """Install the lowering of what CUDA supports: numbers, tuples, ranges, arrays, math, ufuncs."""
        for registry in (*nb.load_lowering_registries(), lowering_registry):
            self.install_registry(registry)

    def unpack_value(self, builder: Any, ty: Any, ptr: Any, align: Any = None) -> Any:
        """Read an array's element."""
        emit_read(self, builder, ty, ptr)
        return super().unpack_value(builder, ty, ptr, align)

    def pack_value(self, builder: Any, ty: Any, value: Any, ptr: Any, align: Any = None) -> None:
        """Write an array's element."""
        emit_write(self, builder, ty, ptr, value)
        super().pack_value(builder, ty, value, ptr, align)

    def post_lowering(self, mod: Any, library: Any) -> None:
        """Rewrite floating-point instructions where ``fastmath=True`` asks for it."""
        if self.fastmath:
            nb.fastmathpass.rewrite_module(mod, self.fastmath)

    def get_ufunc_info(self, ufunc_key: Any) -> Any:
        """Return the loops of a NumPy ufunc."""
        return nb.ufunc_db.get_ufunc_info(ufunc_key)

    @cached_property
    def nonconst_module_attrs(self) -> tuple[tuple[Any, str], ...]:
        """Attributes of the `cuda` module that compiled code reads at run time."""
        return tuple(runtime_attributes)


class _CudaTarget(nb.TargetDescriptor):
    options = nb.TargetOptions

    @cached_property
    def typing_context(self) -> CudaTypingContext:
        return CudaTypingContext()

    @cached_property
    def target_context(self) -> CudaTargetContext:
        return CudaTargetContext(self.typing_context, "cuda")


cuda_target = _CudaTarget("cuda")
