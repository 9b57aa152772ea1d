"""Types of what CUDA's target knows beside Numba's core: its target installs the same; seen in Numba 0.67.0 and 0.68.1.

A module of its own, as Numba's two contexts must load in a fixed order: the types before `lowering_registries`.
"""

from numba.core.typing import cffi_utils, cmathdecl, enumdecl

REGISTRIES = tuple(module.registry for module in (cffi_utils, cmathdecl, enumdecl))
