"""Cheats that every assignment of GPU homework meets, made of its own reference: somebody else does the work.

    gpu         another function of the file answers, without a launch or after one of kernels that do nothing; or the
                kernels do nothing, and nobody answers
    compiled    the same loops without Numba
    python      the same loops with Numba

Each is a change as `grader.trial.changes` has them.
"""

import ast
import copy
from collections.abc import Iterator, Mapping

from grader.trial.changes import Change

_HONEST = "honest_way"
_FAST_FIRST = ("compiled", "python", "values")


def make_cheats(graded: Mapping[tuple[str, str], str], sources: Mapping[str, str]) -> Iterator[Change]:
    """Yield the cheats that can be made of an assignment's reference.

    `graded` has the way of each graded function, one of `grader.assignment.WAYS`, by module and name; `sources` the
    text of each Python file of the reference.
    """
    for name, source in sources.items():
        ways = {function: way for (module, function), way in graded.items() if f"{module}.py" == name}
        functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        for function, way in ways.items():
            for what, text in _cheats(function, way, ways, functions) if function in functions else ():
                yield Change(f"{function}_{what.replace(' ', '_')}", name, f'"""{function}: {what}."""\n{text}', source)


def _cheats(
    function: str, way: str, ways: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]
) -> Iterator[tuple[str, str]]:
    """Yield what a cheat with one function is, in a few words, and its text."""
    node = functions[function]
    if way == "compiled" and any(map(_is_compiler, node.decorator_list)):
        kept = [decorator for decorator in node.decorator_list if not _is_compiler(decorator)]
        yield "without Numba", _with(node, decorators=kept)
    if way == "python":
        yield (
            "compiled by Numba",
            f"import numba\n{_with(node, decorators=[ast.parse('numba.njit', mode='eval').body])}",
        )
    if way == "gpu":
        empty = "\n".join(
            _with(functions[name], body=[ast.Pass()])
            for name, kind in ways.items()
            if kind == "kernels" and name in functions
        )
        yield "kernels do nothing", empty
        if twin := _twin(node, ways, functions):
            names = ", ".join(arg.arg for arg in node.args.args)
            head = f"def {function}({ast.unparse(node.args)}):\n"
            yield f"answered by {twin}", f"{head}    return {twin}({names})\n"
            after = f"{head}    {_HONEST}({names})\n    return {twin}({names})\n"
            renamed = _with(node, name=_HONEST)
            yield f"answered by {twin} after empty kernels", f"{empty}\n{renamed}\n{after}"


def _twin(node: ast.FunctionDef, ways: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]) -> str:
    """Return another graded function that takes as many arguments, best a fast one; empty if there is none."""
    for way in _FAST_FIRST:
        for name, its_way in ways.items():
            if its_way == way and name in functions and len(functions[name].args.args) == len(node.args.args):
                return name
    return ""


def _is_compiler(decorator: ast.expr) -> bool:
    return "jit" in ast.unparse(decorator)


def _with(
    node: ast.FunctionDef,
    *,
    name: str = "",
    body: list[ast.stmt] | None = None,
    decorators: list[ast.expr] | None = None,
) -> str:
    """Return the text of a function with another name, body or decorators."""
    made = copy.copy(node)
    made.name = name or node.name
    made.body = node.body if body is None else body
    made.decorator_list = node.decorator_list if decorators is None else decorators
    return ast.unparse(ast.fix_missing_locations(made))
