"""The private names of objects that a slice can hold, read in the sources of the grader, Numba, NumPy and Python.

`python -m tests.worker.sliced.private_names` prints them as `grader/slices/privatenames.py` lists them: run it when
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


GRADER, NUMBA, NUMPY, PYTHON = Path(grader.__file__).parent, _folder("numba"), _folder("numpy"), _folder("enum")
WITHOUT_A_SOURCE = words("""
    _abc_impl _get_strided_loop _reduce_class _resolve_dtypes_and_context _per_signature _property _write_back
""")
"""Of types written in C, and of subclasses that are made while the grader runs."""
REACHED = {
    GRADER: [
        "worker/sliced/*.py",
        *(f"ranks/{name}.py" for name in ("communicator", "collectives", "requests")),
        *(f"cuda_cpu/{name}.py" for name in ("dispatcher", "kernel", "devicearray", "hostapi", "registers")),
    ],
    NUMBA: [
        "core/dispatcher.py",
        "core/types/*.py",
        "typed/*.py",
        "np/ufunc/*.py",
        "cuda/dispatcher.py",
        "cuda/api.py",
        "cuda/args.py",
        "cuda/stubs.py",
        "cuda/deviceufunc.py",
        "cuda/vectorizers.py",
        "cuda/kernels/*.py",
        "cuda/cudadrv/*.py",
    ],
    NUMPY: ["lib/_index_tricks_impl.py", "lib/_function_base_impl.py", "_core/getlimits.py", "_core/_ufunc_config.py"],
    PYTHON: [
        f"{name}.py"
        for name in (
            *(
                "functools",
                "collections/__init__",
                "enum",
                "dataclasses",
                "contextlib",
                "typing",
                "random",
                "fractions",
            ),
            *("logging/__init__", "types", "statistics", "warnings", "abc", "numbers", "string", "_collections_abc"),
        )
    ],
}
"""Folder -> the files whose classes make what a slice can hold, or look into it."""


HARMLESS = {"_cache", "_device", "_dtype", "_name", "_shape", "_size", "_stream", "_type"}
"""What types, ufuncs, devices and loggers say of themselves; and a kernel's cache, whose own methods are refused."""


def private_names() -> set[str]:
    """Return the names with an underscore in front that these classes define, read, or ask for by a text."""
    found = {name for root, patterns in REACHED.items() for name in _named_in(root, patterns)}
    return found - HARMLESS | WITHOUT_A_SOURCE


def _named_in(root: Path, patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        files = sorted(root.glob(pattern))
        assert files, f"{root}/{pattern}"
        for file in files:
            tree = ast.parse(file.read_text("utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    yield from filter(_is_private, _names(node))


def _names(definition: ast.ClassDef) -> Iterator[str]:
    for part in ast.walk(definition):
        if part is definition:
            continue
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
