"""Does a file reach beyond its own functions, to where it could change what is observed of it?

Student code shares a process with what counts launches and instructions. Homework has no business with frames, other
modules' attributes, the module table or raw memory; code that does is not wrong, but nobody can take its process's
word for anything. So a finding of this module costs no points: it asks a person.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ATTRIBUTES = _words("""
    _getframe f_back f_globals f_locals f_builtins f_code tb_frame gi_frame cr_frame ag_frame __traceback__
    _current_frames get_objects get_referrers get_referents settrace setprofile addaudithook __globals__ __closure__
    cell_contents __code__ __subclasses__ __bases__ __mro__ __dict__ __builtins__ __import__ __loader__ __spec__
    __getattribute__ __setattr__ __reduce__ meta_path path_hooks currentframe attrgetter methodcaller carray farray
    intrinsic overload overload_method from_address as_ctypes _dispatcher ExternalFunction unsafe targetoptions
    extensions get_field breakpoint breakpointhook
""")
_CALLS = _words("exec eval compile setattr delattr vars")
_MODULES = _words("""
    _thread bdb builtins cProfile cffi code codeop ctypes ctypeslib doctest grader importlib inspect marshal mmap mock
    msgspec pdb pickle pkgutil profile runpy socket trace unittest
""")
"""Modules by which a program gets at others, at memory, or at open files."""
_THROUGH = _words("builtins ctypes gc importlib inspect marshal mmap os pickle socket subprocess sys unittest")
"""Reached as an attribute of another module, as in `numpy.lib.npyio.os`."""
_SYSTEM = _words("""
    fork forkpty kill killpg write writev sendfile dup dup2 fdopen open pipe execv execve execl execvp posix_spawn
    memfd_create pidfd_open ftruncate truncate
""")
_KEYWORDS = _words("allow_pickle extensions link")
"""Arguments by which a library runs code or loads it."""
_SETTINGS = _words("config environ stdout stderr rcParams shape strides flags")
"""What honest programs change of what is not theirs."""


def find_reaching(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and a few words for everything in `tree` that can reach beyond the file; none for homework.

    What stands below `if __name__ == "__main__":` never runs in a worker and is left out.
    """
    own, modules = _own_objects(tree), _module_names(tree)
    for statement in tree.body:
        if _is_main_guard(statement):
            continue
        for node in ast.walk(statement):
            for words in _reasons(node, own, modules):
                yield getattr(node, "lineno", statement.lineno), words


def _reasons(node: ast.AST, own: set[str], modules: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _import_reasons(node)
    elif isinstance(node, ast.Attribute):
        yield from _attribute_reasons(node, own, modules)
    elif isinstance(node, ast.Name) and (node.id in _CALLS or node.id in _ATTRIBUTES):
        yield f"uses {node.id}"
    elif isinstance(node, ast.MatchClass) and _ATTRIBUTES & set(node.kwd_attrs):
        yield f"uses .{min(_ATTRIBUTES & set(node.kwd_attrs))}"
    elif isinstance(node, ast.keyword) and node.arg in _KEYWORDS:
        yield f"uses the argument {node.arg}"
    elif isinstance(node, ast.Call | ast.Subscript):
        yield from _lookup_reasons(node)


def _attribute_reasons(node: ast.Attribute, own: set[str], modules: dict[str, str]) -> Iterator[str]:
    root = _root(node.value)
    module = modules.get(root, root) if isinstance(node.value, ast.Name) else ""
    if node.attr in _ATTRIBUTES or node.attr in _THROUGH or (module, node.attr) == ("sys", "modules"):
        yield f"uses .{node.attr}"
    elif module == "os" and node.attr in _SYSTEM:
        yield f"uses os.{node.attr}"
    elif not isinstance(node.ctx, ast.Load) and root not in own and not _is_setting(node):
        yield f"changes .{node.attr} of {root or 'what an expression gives'}"


def _lookup_reasons(node: ast.Call | ast.Subscript) -> Iterator[str]:
    """Yield what is looked up by a text that need not stand in the source."""
    match node:
        case ast.Call(args=arguments) if any(isinstance(part, ast.Name) and part.id == "getattr" for part in arguments):
            yield "hands getattr on"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]) if not _is_plain_name(name):
            yield "looks up attributes by computed names"
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "locals"))):
            yield "reaches its global names by text"
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="globals" | "locals")))):
            yield "reaches its global names by text"


def _import_reasons(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    tops = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or "."]
    yield from (f"imports {name}" for name in tops if set(name.split(".")) & _MODULES)
    if isinstance(node, ast.ImportFrom):
        of_system = _SYSTEM if node.module in {"os", "posix"} else frozenset()
        for alias in node.names:
            all_of_it = alias.name == "*" and node.module in {"gc", "operator", "os", "posix", "sys"}
            reaches = (
                all_of_it
                or alias.name in _ATTRIBUTES | _THROUGH | of_system
                or (node.module, alias.name)
                == (
                    "sys",
                    "modules",
                )
            )
            if reaches:
                yield f"imports {alias.name} from {node.module}"


def _module_names(tree: ast.Module) -> dict[str, str]:
    """Return the names under which modules were imported, name -> module."""
    aliases = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    return {alias.asname or alias.name.split(".")[0]: alias.name for alias in aliases}


def _own_objects(tree: ast.Module) -> set[str]:
    """Return the names whose attributes a file may set: `self` of its methods, and objects of its own classes."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {part for node in classes for part in node.body if isinstance(part, ast.FunctionDef)}
    names = {node.name for node in classes}
    selves, made, others = set[str](), list[str](), list[str]()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(args=arguments) if node in methods:
                selves |= {argument.arg for argument in arguments.args[:1]}
                others += [argument.arg for argument in arguments.args[1:]]
            case ast.arguments() if not any(method.args is node for method in methods):
                others += [argument.arg for argument in (*node.posonlyargs, *node.args, *node.kwonlyargs)]
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(func=ast.Name(id=name))) if name in names:
                made.append(target)
            case ast.Name(id=stored, ctx=ast.Store()):
                others.append(stored)
    return (selves - set(others)) | {name for name in made if others.count(name) == made.count(name)}


def _root(node: ast.AST) -> str:
    """Return the name at the left end of a chain of attributes, subscripts and calls."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _is_setting(node: ast.Attribute) -> bool:
    inner = node.value
    return node.attr in _SETTINGS or (isinstance(inner, ast.Attribute) and inner.attr in _SETTINGS)


def _is_plain_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value not in _ATTRIBUTES | _THROUGH | {"modules"}


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test) and "__main__" in ast.unparse(node.test)
