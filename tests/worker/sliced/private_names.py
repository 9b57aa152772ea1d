"""The private names of objects that a slice can hold, read in the sources of the grader, Numba, NumPy and Python.

`python -m tests.worker.sliced.private_names` prints them as `grader/slices/policy.py` lists them: run it when
the test beside this file names some that are missing there.
"""

import ast
import importlib.util
import textwrap
from collections.abc import Iterator
from pathlib import Path

import grader
from grader.slices.arraynames import words


def _folder(module: str) -> Path:
    """Return the folder of a package, without importing what is in it."""
    found = importlib.util.find_spec(module)
    assert found is not None, module
    assert found.origin is not None, module
    return Path(found.origin).parent


GRADER, NUMBA, PYTHON = Path(grader.__file__).parent, _folder("numba"), _folder("enum")
WITHOUT_A_SOURCE = words("""
    _abc_impl _add_loop _compile_for_argtys _dispatcher _frozen _get_strided_loop _initialize _install_cg
    _install_type _install_ufunc_at _install_ufunc_attributes _install_ufunc_methods _install_ufunc_reduce
    _install_ufunc_reduceat _keepalive _per_signature _property _reduce_class _resolve_dtypes_and_context _type_me
    _write_back
""")
"""Of types written in C, of classes made while the grader runs, and of what stands behind compiled functions."""
REACHED = {
    GRADER: [
        *(f"worker/sliced/{name}.py" for name in ("arrays", "classes", "compiled", "facade", "labels", "objects")),
        *(f"cuda_cpu/{name}.py" for name in ("dispatcher", "kernel", "devicearray", "hostapi")),
        *(f"mpi/{name}.py" for name in ("communicator", "collectives", "objects", "requests")),
    ],
    NUMBA: [
        *("core/dispatcher.py", "cuda/dispatcher.py", "typed/typedlist.py", "typed/typeddict.py"),
        *(f"cuda/{name}.py" for name in ("deviceufunc", "vectorizers", "cudadrv/devicearray", "cudadrv/driver")),
    ],
    PYTHON: ["contextlib.py", "dataclasses.py", "enum.py", "functools.py", "logging/__init__.py", "warnings.py"],
}
"""Folder -> the files whose classes make what a slice can hold.

What only such an object's private fields lead to needs no row: nobody gets there. Nor do types and settings of Numba
and NumPy: they hold words and numbers.
"""
HARMLESS = words("_cache _clear _device _dtype _format _method _name _shape _size _stream _type")
"""Words, numbers and functions of Python's own classes, and a kernel's cache, whose own methods are refused."""


def private_names() -> set[str]:
    """Return the names with an underscore in front that these classes define, read, or ask for by a text."""
    found = {name for root, patterns in REACHED.items() for name in _named_in(root, patterns)}
    return found - HARMLESS | WITHOUT_A_SOURCE


def _named_in(root: Path, patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        files = sorted(root.glob(pattern))
        assert files, f"{root}/{pattern}"
        for file in files:
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    yield from filter(_is_private, _names(node))


def _names(definition: ast.ClassDef) -> Iterator[str]:
    _, *parts = ast.walk(definition)
    for part in parts:
        match part:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Attribute(attr=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Constant(value=str(name)):
                yield name


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name.isidentifier()


if __name__ == "__main__":
    print(textwrap.fill(" ".join(sorted(private_names())), 114, initial_indent="    ", subsequent_indent="    "))
