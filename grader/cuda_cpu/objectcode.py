"""Object code of the executor's own routines, kept beside the sources: it is the same in every process.

`python -m grader.cuda_cpu --keep-routines` writes it, when the environment is set up; nothing else does. Processes
read it from this package's own folder and nowhere else. A file begins with a key of all that the code depends on: the
sources of this package, the versions of Python, Numba and LLVM, the processor. A file with another key, or one that is
not whole, is left alone, and the routine is compiled as if there were none.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import numba

from grader.cuda_cpu.numba_internals import config, global_compiler_lock, llvm

_PACKAGE: Final = Path(__file__).parent
KEPT: Final = _PACKAGE / "__pycache__"
_DIGEST_BYTES: Final = 32


@cache
def make_key(package: Path = _PACKAGE) -> bytes:
    """Return a digest of all that object code depends on; `package` is the folder of the sources."""
    machine = (sys.version, numba.__version__, llvm.llvm_version_info, llvm.get_process_triple())
    processor = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), config.CPU_NAME, config.CPU_FEATURES)
    digest = hashlib.sha256(repr((machine, processor, config.OPT)).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _file(name: str, folder: Path) -> Path:
    return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.routine"


def read_object(name: str, folder: Path = KEPT) -> bytes | None:
    """Return the object code that is kept under a name; None where there is none for these sources and this machine."""
    try:
        content = _file(name, folder).read_bytes()
    except OSError:
        return None
    digests, code = content[: 2 * _DIGEST_BYTES], content[2 * _DIGEST_BYTES :]
    return code if digests == make_key() + hashlib.sha256(name.encode() + code).digest() else None


def write_object(name: str, code: bytes, folder: Path = KEPT) -> None:
    """Keep object code under a name.

    Raises:
        OSError: where the folder cannot be written.
    """
    file = _file(name, folder)
    folder.mkdir(exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}")
    partial.write_bytes(make_key() + hashlib.sha256(name.encode() + code).digest() + code)
    partial.replace(file)


@cache
@global_compiler_lock
def _engine() -> Any:
    module = llvm.parse_assembly("")
    module.triple = llvm.get_process_triple()
    return llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())


@global_compiler_lock
def load_object(code: bytes, symbol: str) -> int:
    """Return the address of a function of object code, which stays in this process."""
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return int(engine.get_function_address(symbol))
