"""Does a file reach beyond its own functions, to where it could change what is observed of it?

Student code shares a process with what counts launches and instructions. Homework has no business with frames, other
modules' attributes, the module table, threads or raw memory; code that does is not wrong, but nobody can take its
process's word for anything. So a finding of this module costs no points: it asks a person.

Modules and names between underscores are allowed one by one, because nobody can list what else leads away: `timeit`,
`typing` and `print.__self__` all run texts. Usual names that lead away are forbidden one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from grader.source.values import is_main_guard


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_USUAL = _words("""
    __future__ abc argparse array bisect cmath collections contextlib copy csv cupy dataclasses datetime decimal enum
    fractions functools gc glob gzip hashlib heapq io itertools json logging math matplotlib multiprocessing numba
    numbers numpy operator os pandas pathlib platform pprint psutil queue random re scipy seaborn shutil sklearn
    statistics string struct sys tabulate tempfile textwrap time timeit torch tqdm traceback types typing
    typing_extensions uuid warnings zlib
""")
"""Modules that homework imports. Others evaluate texts, start threads, or lead to frames, memory and open files."""
_UNUSUAL_PARTS = _words("builtins ctypeslib dispatcher distutils dummy event f2py grader imputils pool typeconv weave")
"""Parts of usual modules that are none of homework's."""
_ATTRIBUTES = _words("""
    f_back f_globals f_locals f_builtins f_code tb_frame gi_frame cr_frame ag_frame get_objects get_referrers
    get_referents settrace setprofile addaudithook cell_contents meta_path path_hooks currentframe attrgetter
    methodcaller carray farray intrinsic overload overload_method overload_attribute typeof_impl lower_builtin
    type_callable register_model from_address as_ctypes ExternalFunction unsafe targetoptions extensions get_field
    breakpoint breakpointhook exec setattr delattr getattr mro monitoring seterrcall seterrobj runstring rundocs
    safe_eval exec_command get_type_hints ForwardRef evaluate_forward_ref singledispatch singledispatchmethod CodeType
    FunctionType LambdaType addHandler addFilter setLogRecordFactory setLoggerClass redirect_stdout redirect_stderr
    install_listener callbacks
""")
_CALLS = _words("exec eval compile setattr delattr vars globals locals open")
_SPECIAL = frozenset(
    f"__{name}__"
    for name in _words("""
    name qualname doc version file author class init new len call str repr iter next getitem setitem contains enter exit
    eq ne lt le gt ge hash bool int float index add radd sub rsub mul rmul matmul rmatmul truediv floordiv mod pow neg
    abs and or xor iadd isub imul all slots post_init
""")
)
"""Names between double underscores that lead nowhere."""
_OF_TUPLES = _words("_replace _asdict _fields _make")
_THROUGH = _words("""
    builtins ctypes ctypeslib gc importlib inspect marshal mmap os pickle socket subprocess sys thread threading
    unittest weakref
""")
"""Reached as an attribute of another module, as in `numpy.lib.npyio.os`."""
_KNOWN = {
    "sys": _words("""
        argv byteorder exit executable flags float_info getrecursionlimit getsizeof hexversion implementation int_info
        maxsize path platform prefix setrecursionlimit stderr stdin stdout version version_info
    """),
    "gc": _words("collect disable enable isenabled"),
    "multiprocessing": _words("cpu_count"),
    "traceback": _words("format_exc print_exc"),
    "logging": _words("""
        CRITICAL DEBUG ERROR FATAL INFO NOTSET WARN WARNING Formatter basicConfig critical debug disable error exception
        getLogger info log warn warning
    """),
}
"""What homework uses of modules that can do more."""
_TIMERS = _words("timeit repeat Timer")
"""They run a function, or a text as a program."""
_OPENERS = _words("open FileIO open_code write_bytes memmap")
_SYSTEM = _words("""
    fork forkpty kill killpg write writev sendfile dup dup2 fdopen open pipe execv execve execl execvp posix_spawn
    memfd_create pidfd_open ftruncate truncate system popen register_at_fork
""")
_KEYWORDS = _words("allow_pickle extensions link")
"""Arguments by which a library runs code or loads it."""
_SETTINGS = _words("config environ rcParams shape strides flags")
"""What honest programs change of what is not theirs."""


def find_reaching(tree: ast.Module, beside: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """Yield the line and a few words for everything in `tree` that can reach beyond the file; none for homework.

    Modules in `beside` lie in the assignment's own folder, and are imported as usual ones are.

    What stands below `if __name__ == "__main__":` never runs in a worker and is left out.
    """
    names = _Names(tree, beside)
    for statement in tree.body:
        is_guarded = isinstance(statement, ast.If) and is_main_guard(statement.test)
        for part in statement.orelse if isinstance(statement, ast.If) and is_guarded else [statement]:
            for node in ast.walk(part):
                for words in _reasons(node, names):
                    yield getattr(node, "lineno", statement.lineno), words


class _Names:
    """What the names of a file stand for."""

    def __init__(self, tree: ast.Module, beside: Collection[str]) -> None:
        self.usual_modules = _USUAL.union(beside)
        self.own = _own_objects(tree)
        self.modules = _module_names(tree)
        self.imported = {
            alias.asname or alias.name: (node.module or "", alias.name)
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        stored = [node for node in ast.walk(tree) if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)]
        self.attributes = {node.attr for node in stored if isinstance(node, ast.Attribute)} | {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
        self.values = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Lambda)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.bases = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        self.plain_opens = {id(call.func) for call in calls if _opens_plainly(call)}


def _reasons(node: ast.AST, names: _Names) -> Iterator[str]:
    if "__name__" in {getattr(node, field, None) for field in ("asname", "arg", "name")}:
        yield "binds __name__"
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from _import_reasons(node, names.usual_modules)
    elif isinstance(node, ast.Attribute):
        yield from _attribute_reasons(node, names)
    elif isinstance(node, ast.Name):
        yield from _name_reasons(node, names)
    elif isinstance(node, ast.MatchClass) and (found := [name for name in node.kwd_attrs if _leads_away(name)]):
        yield f"uses .{min(found)}"
    elif isinstance(node, ast.keyword) and node.arg in _KEYWORDS:
        yield f"uses the argument {node.arg}"
    elif isinstance(node, ast.Call | ast.Subscript):
        yield from _lookup_reasons(node, names)


def _leads_away(attribute: str) -> bool:
    """Return whether an attribute of this name may lead to frames, code, modules or memory, whatever it belongs to."""
    through = _THROUGH | {"getframe", "current_frames"}
    return _is_special(attribute) or attribute in _ATTRIBUTES or attribute.strip("_") in through


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _SPECIAL


def _name_reasons(node: ast.Name, names: _Names) -> Iterator[str]:
    is_special = _is_special(node.id) or (node.id == "__name__" and not isinstance(node.ctx, ast.Load))
    is_called = node.id in _CALLS and id(node) not in names.plain_opens
    if is_special or is_called or node.id in _ATTRIBUTES - {"getattr"}:
        yield f"uses {node.id}"
    if names.modules.get(node.id) in {*_KNOWN, "os"} and id(node) not in names.bases:
        yield f"hands on the module {names.modules[node.id]}"


def _attribute_reasons(node: ast.Attribute, names: _Names) -> Iterator[str]:
    root = _root(node.value)
    module = names.modules.get(root, root) if isinstance(node.value, ast.Name) else ""
    is_inner = node.attr.startswith("_") and not node.attr.startswith("__") and node.attr not in _OF_TUPLES
    is_own = root in names.own or (root not in names.modules and node.attr in names.attributes)
    if _leads_away(node.attr) or (is_inner and not is_own) or node.attr == "modules":
        yield f"uses .{node.attr}"
    elif node.attr not in _KNOWN.get(module, {node.attr}) or (module == "os" and node.attr in _SYSTEM):
        yield f"uses {module}.{node.attr}"
    elif node.attr in _OPENERS and id(node) not in names.plain_opens:
        yield f"opens a file by .{node.attr}"
    elif not isinstance(node.ctx, ast.Load) and root not in names.own and not _is_setting(node):
        yield f"changes .{node.attr} of {root or 'what an expression gives'}"


def _lookup_reasons(node: ast.Call | ast.Subscript, names: _Names) -> Iterator[str]:
    """Yield what is looked up by a text that need not stand in the source, and texts that are run."""
    match node:
        case ast.Call(args=arguments) if any(isinstance(part, ast.Name) and part.id == "getattr" for part in arguments):
            yield "hands getattr on"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]) if not _is_plain_name(name):
            yield "looks up attributes by computed names"
        case ast.Call(func=func) if _is_timer(func, names):
            given = [*node.args[:2], *(keyword.value for keyword in node.keywords if keyword.arg in {"stmt", "setup"})]
            if not all(_is_function(part, names) for part in given):
                yield "lets timeit run a text"


def _is_timer(func: ast.expr, names: _Names) -> bool:
    if isinstance(func, ast.Name):
        return func.id in names.imported and names.imported[func.id][0] == "timeit"
    module = func.value if isinstance(func, ast.Attribute) and func.attr in _TIMERS else None
    return isinstance(module, ast.Name) and names.modules.get(module.id) == "timeit"


def _is_function(node: ast.expr, names: _Names) -> bool:
    """Return whether this is meant as a function, by its form; names of what was assigned may stand for texts."""
    is_named = isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id not in names.values)
    return is_named or isinstance(node, ast.Lambda) or (isinstance(node, ast.Constant) and node.value == "pass")


def _opens_plainly(call: ast.Call) -> bool:
    """Return whether a file is opened by a name that stands there and lies in the program's own folder."""
    by_name = isinstance(call.func, ast.Name) or isinstance(getattr(call.func, "value", None), ast.Name)
    name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
    first = call.args[0] if call.args and by_name and name in _OPENERS else None
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value[:1] not in {"/", "~", "."}


def _import_reasons(node: ast.Import | ast.ImportFrom, usual: frozenset[str]) -> Iterator[str]:
    tops = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or "."]
    yield from (f"imports {name}" for name in tops if _is_unusual(name, usual))
    if isinstance(node, ast.ImportFrom):
        known = _KNOWN.get(node.module or "")
        of_system = _SYSTEM if node.module in {"os", "posix"} else frozenset()
        for alias in node.names:
            is_away = _leads_away(alias.name) or alias.name in of_system or alias.name in _UNUSUAL_PARTS
            is_inner = alias.name.startswith("_") and alias.name not in _SPECIAL
            is_all = alias.name == "*" and node.module in {*_KNOWN, "operator", "os", "typing", "types", "timeit"}
            if is_away or is_inner or is_all or (known is not None and alias.name not in known):
                yield f"imports {alias.name} from {node.module}"


def _is_unusual(module: str, usual: frozenset[str]) -> bool:
    top, *parts = module.split(".")
    inner = any(part.startswith("_") or part in _UNUSUAL_PARTS | _THROUGH for part in parts)
    return top not in usual or inner or module == "logging.config"


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
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text and node.value != "modules" and not _leads_away(node.value)  # type: ignore[attr-defined]  # is_text
