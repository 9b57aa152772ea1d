"""A small compiler for routines: Python on 64-bit words becomes LLVM code.

The scheduler of waiting threads and the routines behind traced kernels are written with it. Numba would take a second
for the race detector, most of it spent on type inference. Here every value is a signed 64-bit word or an address. An
annotation (of a parameter, or of a record's field, see `records`) or a call such as ``Words.at(address)`` says what
lies at an address. The compiler knows assignments, ``if``, ``while``, ``for ... in range(...)``, ``continue``,
``return``, Python's integer operators, ``min``, ``max``, ``int``, ``bool``, fields of records, integers at a module's
top level and other routines. It refuses anything else.
"""

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import numba

from grader.cuda_cpu.codelibrary import LauncherLibrary, ThreadCodegen
from grader.cuda_cpu.numba_internals import config, global_compiler_lock, ir, llvm
from grader.cuda_cpu.records import I8P, I64
from grader.cuda_cpu.routine_writer import Routine, RoutineWriter, kind_of, parse_routine

_PACKAGE: Final = Path(__file__).parent
KEPT: Final = _PACKAGE / "__pycache__"
_DIGEST_BYTES: Final = 32


@cache
def make_key(package: Path = _PACKAGE) -> bytes:
    """Return a digest of everything that object code depends on; `package` is the folder of the sources."""
    machine = (sys.version, numba.__version__, llvm.llvm_version_info, llvm.get_process_triple())
    processor = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), config.CPU_NAME, config.CPU_FEATURES)
    digest = hashlib.sha256(repr((machine, processor, config.OPT)).encode())
    for path in sorted(package.rglob("*.py")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


def _file(name: str, folder: Path) -> Path:
    return folder / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.routine"


def read_object(name: str, folder: Path = KEPT) -> bytes | None:
    """Return the stored object code of a name; None if there is none for these sources and this machine."""
    try:
        content = _file(name, folder).read_bytes()
    except OSError:
        return None
    digests, code = content[: 2 * _DIGEST_BYTES], content[2 * _DIGEST_BYTES :]
    return code if digests == make_key() + hashlib.sha256(name.encode() + code).digest() else None


def write_object(name: str, code: bytes, folder: Path = KEPT) -> None:
    """Store object code under a name; `OSError` if the folder cannot be written."""
    file = _file(name, folder)
    folder.mkdir(exist_ok=True)
    partial = file.with_suffix(f".{os.getpid()}")
    partial.write_bytes(make_key() + hashlib.sha256(name.encode() + code).digest() + code)
    partial.replace(file)


@cache
def _codegen() -> Any:
    return ThreadCodegen("cuda_cpu.routines")


@global_compiler_lock
def load_object(code: bytes, symbol: str) -> int:
    """Load object code into this process, for good; return the address of its function `symbol`."""
    engine = _codegen()._engine._ee  # noqa: SLF001  # numba offers no accessor
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return int(engine.get_function_address(symbol))


def call_name(name: str, *values: Any) -> None:
    """Call a function of LLVM or of the C library that returns nothing of interest; inside a routine only."""
    raise NotImplementedError


def call_at(address: int, *values: Any) -> None:
    """Call the machine code at an address, which returns nothing; inside a routine only."""
    raise NotImplementedError


def _name(routine: Routine) -> str:
    return f"cuda_cpu.routine.{routine.__module__}.{routine.__qualname__}"


@cache  # keeps the machine code alive
@global_compiler_lock
def _compile_routine(routine: Routine, attributes: tuple[str, ...]) -> Any:
    name = _name(routine)
    library = LauncherLibrary(_codegen(), name)
    module = library.create_ir_module(name)
    RoutineModule(module, attributes).define(routine, name)
    library.add_ir_module(module)
    library.finalize()
    return library


@cache
def address_of(routine: Routine, attributes: tuple[str, ...] = ()) -> int:
    """Return the address of a routine's machine code: compiled once or read from storage, and kept in this process.

    Args:
        routine: the Python function; its parameters and its result are 64-bit words.
        attributes: LLVM's attributes of this function and of those that it calls, such as ``optsize``.

    Raises:
        NotImplementedError: for Python that this compiler does not know; it names the routine.
    """
    code = read_object(_kept_name(routine, attributes)) if routine.__module__.startswith(f"{__package__}.") else None
    if code is not None:
        address: int = load_object(code, _name(routine))
        return address
    library = _compile_routine(routine, attributes)
    return int(library.get_pointer_to_function(library.name))


def _kept_name(routine: Routine, attributes: tuple[str, ...]) -> str:
    return repr((_name(routine), attributes))


def compile_object(routine: Routine, attributes: tuple[str, ...]) -> tuple[str, bytes]:
    """Compile a routine; return the name under which `address_of` looks for its object code, and the code."""
    module = _compile_routine(routine, attributes)._final_module  # noqa: SLF001  # numba offers no accessor
    code: bytes = _codegen()._tm.emit_object(module)  # noqa: SLF001  # as above
    return _kept_name(routine, attributes), code


class RoutineModule:
    """The routines of one module of llvmlite's, each written when it is first called, with these LLVM attributes."""

    def __init__(self, module: Any, attributes: tuple[str, ...] = ()) -> None:
        self.module = module
        self._known: dict[Routine, Any] = {}
        self._attributes = attributes

    def call(self, builder: Any, routine: Routine, *values: Any) -> Any:
        """Emit the call of a routine from other code; return its result."""
        return builder.call(self.define(routine), values)

    def define(self, routine: Routine, name: str = "") -> Any:
        """Return a routine as an LLVM function; without `name`, its name is made of the module's and the routine's.

        Raises:
            NotImplementedError: for Python that this compiler does not know; it names the routine.
        """
        if routine not in self._known:
            tree = parse_routine(routine)
            result, *parameters = (
                I64 if kind_of(part, routine.__globals__) is int else I8P
                for part in (tree.returns, *(argument.annotation for argument in tree.args.args))
            )
            kind = ir.FunctionType(result, parameters)
            self._known[routine] = function = ir.Function(
                self.module, kind, name or f"{self.module.name}.{routine.__name__}"
            )
            for attribute in self._attributes:
                function.attributes.add(attribute)
            RoutineWriter(self, routine, tree).write(function)
        return self._known[routine]
