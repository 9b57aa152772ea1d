"""The only module that imports the internals of Numba: all names that a new version of Numba may move or rename.

The executor is a target of Numba's compiler, and Numba has no public interface for targets. Whatever is imported here
was seen in Numba 0.67.0 with llvmlite 0.49 and in Numba 0.68.1 with llvmlite 0.50; each group says what it is needed
for. What Numba documents, `numba.types` apart, is imported where it is used: `numba.cuda`, `numba.njit`,
`numba.extending`.

The imports at the top of this module cost no time: ``import numba`` has loaded these modules already. Functions load
the rest, the parts that compiled code may use, for the first kernel: types first, then the lowering.

Private attributes of Numba's objects are not listed here: each use is marked with ``noqa: SLF001``.
"""

from typing import Any

# Types, and what the compiler knows of a value. Not `numba.types`: its first import puts another module object in its
# place, whose names `vars` does not show.
from numba.core import types
from numba.core.typing import signature
from numba.core.typing.npydecl import parse_dtype
from numba.core.typing.typeof import Purpose, typeof
from numba.np import numpy_support
from numba.np.numpy_support import as_dtype

# Signatures that a caller may write as text or as types.
from numba.core import sigutils

# Names that kernels know: templates give them their types, registries collect them.
from numba.core import typing
from numba.core.typing import npydecl
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, ConcreteTemplate
from numba.core.typing.templates import Registry as TypingRegistry
from numba.core.imputils import Registry as LoweringRegistry
from numba.core.typeconv import Conversion

# Loads the rules of conversion between types, by which a dispatcher chooses among its compiled versions.
import numba.core.typeconv.rules

# What a kernel is to Numba: one more kind of dispatcher, which calls its compiled versions from C.
from numba import _dispatcher
from numba.core import typeinfer
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher, cpu_target

# The target "cuda": its contexts, its place in Numba's tables, its calling convention, its representation of values.
from numba.core import datamodel, externals, fastmathpass
from numba.core.base import BaseContext
from numba.core.callconv import MinimalCallConv
from numba.core.descriptors import TargetDescriptor
from numba.core.options import TargetOptions
from numba.core.target_extension import dispatcher_registry, jit_registry, target_override, target_registry
from numba.np import ufunc_db

# The pipeline from a function of Python to LLVM, in which lowering is our own.
from numba.core import compiler, config
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import AnnotateTypes, BaseNativeLowering, IRLegalization, NoPythonBackend

# Numba's own representation of a function: names for messages, what a function does, and how it is cut at barriers.
from numba.core import ir as numba_ir
from numba.core.analysis import compute_cfg_from_blocks, compute_live_map, compute_use_defs

# LLVM: code that intrinsics and launchers write, and its way to machine code. llvmlite's interface is public, but it
# moves with LLVM, and Numba hands its builders to every intrinsic.
import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen

# Errors that a programmer sees as Numba's own, so that a kernel fails as it does on a GPU.
from numba.core import errors
from numba.core.errors import (
    NumbaError,
    NumbaInvalidConfigWarning,
    NumbaNotImplementedError,
    NumbaValueError,
    NumbaWarning,
    RequireLiteralValue,
    TypingError,
)

SUMS = "numba.np.arraymath"
"""Name of the module with sums and means of arrays. Once it is loaded, every kernel knows them."""


def load_typing_registries() -> tuple[Any, ...]:
    """Return the registries of types that CUDA's own target installs beside those of Numba's core."""
    from numba.core.typing import cffi_utils, cmathdecl, enumdecl
    from numba.cuda import cudamath, vector_types

    return (*(module.registry for module in (cffi_utils, cmathdecl, enumdecl, cudamath)), vector_types.typing_registry)


def load_lowering_registries() -> tuple[Any, ...]:
    """Load the lowering of what CUDA's target knows: numbers, tuples, ranges, arrays, math, ufuncs.

    Returns:
        The registries of five modules, for a target to install; the other modules register themselves.
    """
    from numba.core import optional
    from numba.cpython import builtins, charseq, cmathimpl, enumimpl, iterators, mathimpl, numbers, rangeobj, slicing
    from numba.cpython import tupleobj, unicode
    from numba.cuda import vector_types
    from numba.misc import cffiimpl, literal
    from numba.np import arrayobj, npdatetime, npyimpl
    from numba.np.unsafe import ndarray

    return (*(module.registry for module in (cmathimpl, cffiimpl, mathimpl, npyimpl)), vector_types.impl_registry)


def load_vectors() -> dict[str, Any]:
    """Load the modules of CUDA's own target; return the functions that make vectors: ``float32x4``, ``float4``."""
    from numba.cuda import cudamath, vector_types

    stubs = [kind.user_facing_object for kind in vector_types.vector_types.values()]
    return {name: stub for stub in stubs for name in (stub.__name__, *stub.aliases)}


def load_arrays() -> Any:
    """Return Numba's module for the structures of arrays in compiled code; it loads a part of the lowering."""
    from numba.np import arrayobj

    return arrayobj
