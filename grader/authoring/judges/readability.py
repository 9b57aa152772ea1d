"""Whether a file has comments, and still has the prints of the template; a flag at most, never a loss of points."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.authoring import Note, Sources
from grader.slices.names import SourceFile, Unreadable, read_file

_WORD = re.compile(r"[^\W\d_]{2}")
_DIRECTIVE = re.compile(r"#+\s*(!|-\*-|noqa|ruff:|flake8|type:|pylint:|mypy:|fmt:|pragma|coding[:=])", re.IGNORECASE)
"""The beginning of comments for programs."""
_PRINTING = {"print", "pprint", "echo", "write", "writelines", "debug", "info", "warning", "error", "critical"}
"""Functions and methods that show something; `logger.info` and `sys.stdout.write` count like `print`."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the template of a file has, besides the functions to fill in."""

    functions: tuple[str, ...]  # the functions that it compares
    traces: tuple[str, ...]
    """Names that only the template's comparison binds. A file without them was written anew: nothing was removed."""


def flag_undocumented(sources: Sources, files: Sequence[str], note: Note) -> None:
    """Flag each Python file that defines functions, and has neither a docstring nor a comment for people."""
    for source in _read(sources, files):
        defines = any(isinstance(node, ast.FunctionDef) for node in source.statements)
        alone = (part for top in source.statements for part in ast.walk(top) if isinstance(part, ast.Expr))
        values = (vars(part.value).get("value") for part in alone)  # of docstrings, and of strings used as comments
        texts = (value for value in values if isinstance(value, str))
        if defines and not any(map(_WORD.search, (*texts, *_comments(source)))):
            note.flag(f"{source.name} has no docstring and no comment, and the sheet asks to document the code")


def flag_removed(sources: Sources, comparisons: dict[str, Given], note: Note) -> None:
    """Flag each file of `comparisons` whose prints or comparison are gone; both may be moved and changed."""
    for source in _read(sources, tuple(comparisons)):
        its = comparisons[source.name]
        if source.bindings.keys().isdisjoint(its.traces):
            continue
        gone = [] if _prints(source.statements) else ["it prints nothing"]
        if not _compares(source.statements, its.functions):
            gone.append(f"nothing calls {', '.join(its.functions[:-1])} and {its.functions[-1]} to compare them")
        if gone:
            note.flag(
                f"the prints that {source.name} was given with are gone ({'; '.join(gone)}), and the sheet asks to "
                "keep them: where do the report's times come from?"
            )


def _read(sources: Sources, files: Sequence[str]) -> Iterator[SourceFile]:
    """Yield the files that were handed in and are Python; other checks report the others."""
    for name in files:
        if name not in sources.submission.missing:
            try:
                yield read_file(name, sources.data(name))
            except Unreadable:
                continue


def _comments(source: SourceFile) -> Iterator[str]:
    try:
        tokens = [*tokenize.generate_tokens(io.StringIO("".join(source.lines)).readline)]
    except (tokenize.TokenError, SyntaxError):  # Python can read the file: say nothing
        yield "unknown"
        return
    comments = (token.string for token in tokens if token.type == tokenize.COMMENT)
    yield from (comment for comment in comments if not _DIRECTIVE.match(comment))


def _prints(statements: Sequence[ast.stmt]) -> bool:
    """Return whether the file shows something; `print()` and `print("")` show nothing."""
    empty: set[int] = set()
    for node in (node for statement in statements for node in ast.walk(statement)):
        match node:
            case ast.Call(func=called, args=[] | [ast.Constant(value="")], keywords=[]):
                empty.add(id(called))
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in _PRINTING and id(node) not in empty:
                return True
    return False


def _compares(statements: Sequence[ast.stmt], functions: Sequence[str]) -> bool:
    """Return whether one of `functions` is named outside of them, or has a decorator other than Numba's.

    A name counts in code, and in a string of code such as `timeit` gets, but not in a docstring.
    """
    own = [node for node in statements if isinstance(node, ast.FunctionDef) and node.name in functions]
    if any("jit" not in ast.unparse(decorator) for node in own for decorator in node.decorator_list):
        return True
    nodes = [node for statement in statements if statement not in own for node in ast.walk(statement)]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    wanted = re.compile(rf"\b({'|'.join(functions)})\b")
    for node in nodes:
        match node:
            case ast.Name(id=text) | ast.Constant(value=str(text)) if id(node) not in alone and wanted.search(text):
                return True
    return False
