"""Follow the names that a graded function uses, to find its slice; write the text of all slices of a hand-in."""

import ast
import builtins
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grader.slices import names, policy, reading
from grader.slices.names import SourceFile, Unreadable

LIMIT_S = 5.0  # of the processor: reading takes time linear in the size of a file, unless it is made to be slow
_OF_MODULES = frozenset({"__builtins__", "__loader__", "__spec__", "__file__"})
"""Names that every module has and that lead away from it."""

Place = tuple[str, int]  # a file's name and the position of a statement in it


@dataclass(frozen=True, slots=True)
class Opening:
    """Why a slice is open: where, and a few words that begin with a verb."""

    location: str
    words: str

    def __str__(self) -> str:
        return f"{self.location} {self.words}"


@dataclass(frozen=True, slots=True)
class Slice:
    """One graded function with everything that it names."""

    module: str
    function: str
    places: tuple[Place, ...] = ()
    openings: tuple[Opening, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether all that the function can do is written in its slice."""
        return bool(self.places) and not self.openings


@dataclass(frozen=True, slots=True)
class Slices:
    """The slices of a hand-in: of each graded function that its file binds."""

    files: Mapping[str, SourceFile]
    slices: Mapping[tuple[str, str], Slice]
    unread: Mapping[str, Opening] = field(default_factory=dict)  # file -> why it could not be read

    def of(self, module: str, function: str) -> Slice:
        """Return the slice of a function; an open one without places if there is none."""
        if piece := self.slices.get((module, function)):
            return piece
        why = self.unread.get(f"{module}.py", Opening(f"{module}.py", f"binds no {function} that could be followed"))
        return Slice(module, function, (), (why,))

    def words(self, module: str, function: str) -> frozenset[str]:
        """Return the names and attributes in the slice of a function, and the original names of what it imports."""
        places = self.of(module, function).places
        return reading.find_words(self.files[file].statements[position] for file, position in places)

    def modules(self) -> tuple[str, ...]:
        """Return the modules with graded functions."""
        return tuple(dict.fromkeys(module for module, _ in self.slices))

    def functions(self, module: str) -> tuple[str, ...]:
        """Return the graded functions that a module binds."""
        return tuple(function for of, function in self.slices if of == module)

    def odd_guard(self, module: str) -> str:
        """Return where a module has a condition that only looks like the usual guard; empty if it has none."""
        source = self.files.get(f"{module}.py")
        guard = names.find_odd_guard(source) if source else None
        return f"{module}.py:{guard.lineno}" if guard else ""

    def texts(self) -> dict[str, str]:
        """Return file -> its text, in which all but the closed slices is blank, each character at its old place.

        So line numbers, and the code that Python makes of the text, are those of the file as it was handed in.
        """
        kept: dict[str, set[int]] = {}
        for piece in self.slices.values():
            for file, position in piece.places if piece.is_closed else ():
                kept.setdefault(file, set()).add(position)
        modules = [file.module for file in self.files.values()]
        return {name: _keep(self.files[name], positions, modules) for name, positions in kept.items()}


def cut(contents: Mapping[str, bytes], wanted: Iterable[tuple[str, str]], limit_s: float = LIMIT_S) -> Slices:
    """Return the slices of the `wanted` functions, kernels included; reading takes at most `limit_s`.

    The graded Python files of one hand-in are its `contents`: file name -> bytes.
    """
    deadline = time.thread_time() + limit_s
    files: dict[str, SourceFile] = {}
    unread: dict[str, Opening] = {}
    for name, data in contents.items():
        try:
            files[name] = names.read_file(name, data)
        except Unreadable as error:
            unread[name] = Opening(f"{name}:{error.line}" if error.line else name, str(error))
    cutter = _Cutter(files, deadline)
    slices = {
        (module, function): cutter.cut(module, function)
        for module, function in wanted
        if function in getattr(files.get(f"{module}.py"), "bindings", ())
    }
    return Slices(files, slices, unread)


class _Cutter:
    """Follows names through the files of one hand-in; what was found about a statement is kept for the next slice."""

    def __init__(self, files: Mapping[str, SourceFile], deadline: float) -> None:
        self._files = files
        self._deadline = deadline
        self._modules = [file.module for file in files.values()]
        self._used: dict[Place, frozenset[str]] = {}
        self._strange: dict[Place, tuple[Opening, ...]] = {}
        self._stars = {name: names.star_names(file, files) for name, file in files.items()}

    def cut(self, module: str, function: str) -> Slice:
        places: dict[Place, None] = {}
        openings: dict[Opening, None] = {}
        todo = [(f"{module}.py", function)]
        reached = set(todo)
        while todo:
            if time.thread_time() > self._deadline:
                openings[Opening(f"{module}.py", "is made so that reading it takes too long")] = None
                break
            file, name = todo.pop()
            fresh = [step for step in self._by_star(file, name) if step not in reached]
            for place in self._follow(file, name):
                if isinstance(place, Opening):
                    openings[place] = None
                elif place not in places:
                    places[place] = None
                    openings |= dict.fromkeys(self._strangeness(place))
                    fresh += [step for step in self._next(place) if step not in reached]
            reached.update(fresh)
            todo += dict.fromkeys(fresh)
        openings |= dict.fromkeys(self._strange_imports(places, reached))
        for file in {file for file, _ in places}:
            places |= dict.fromkeys((file, position) for position in self._files[file].futures)
        return Slice(module, function, tuple(sorted(places)), tuple(openings))

    def _follow(self, file: str, name: str) -> Iterator[Place | Opening]:
        """Yield the statements that bind a name, or change what it is bound to, or why it may not be used."""
        source = self._files[file]
        positions = source.bindings.get(name, ())
        star = self._stars[file].get(name)
        if not positions and star is not None:
            yield file, star[0]
        elif not positions:
            if name in _OF_MODULES or (hasattr(builtins, name) and name not in policy.BUILTINS):
                nodes = (node for statement in source.statements for node in ast.walk(statement))
                line = min((node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == name), default=1)
                yield Opening(f"{file}:{line}", f"uses {name}")
        elif name not in source.changes and all(isinstance(source.statements[at], ast.FunctionDef) for at in positions):
            yield file, positions[-1]  # written anew below, as in a template that keeps its empty version
        else:
            yield from ((file, position) for position in positions)
        yield from ((file, position) for position in source.changes.get(name, ()) if positions)

    def _by_star(self, file: str, name: str) -> Iterator[tuple[str, str]]:
        """Yield the other file of the hand-in from which `import *` takes a name, and the name."""
        star = None if name in self._files[file].bindings else self._stars[file].get(name)
        if star is not None and f"{star[1]}.py" in self._files:
            yield f"{star[1]}.py", name

    def _strangeness(self, place: Place) -> tuple[Opening, ...]:
        if place not in self._strange:
            file, position = place
            source = self._files[file]
            statement = source.statements[position]
            reasons = reading.find_strange(statement, source, self._modules)
            is_import = isinstance(statement, ast.Import | ast.ImportFrom)
            listed = [] if is_import else [Opening(f"{file}:{line}", words) for line, words in reasons]
            self._strange[place] = tuple(dict.fromkeys(listed))
        return self._strange[place]

    def _strange_imports(self, places: Iterable[Place], used: Container[tuple[str, str]]) -> Iterator[Opening]:
        """Yield why imports open a slice; an imported name counts only if the slice uses it."""
        for file, position in places:
            statement = self._files[file].statements[position]
            for _, name, words in reading.strange_imports(statement, self._modules):
                if (file, name) in used:
                    yield Opening(f"{file}:{statement.lineno}", words)

    def _next(self, place: Place) -> Iterator[tuple[str, str]]:
        """Yield file and name of everything that a statement names, in its own file or, by an import, in another."""
        file, position = place
        if place not in self._used:
            try:
                self._used[place] = frozenset(names.used_names(self._files[file], position))
            except Unreadable as error:
                self._used[place] = frozenset()
                self._strange[place] = (*self._strange.get(place, ()), Opening(f"{file}:{error.line}", str(error)))
        yield from ((file, name) for name in sorted(self._used[place]))
        yield from self._imported(self._files[file].statements[position])

    def _imported(self, statement: ast.stmt) -> Iterator[tuple[str, str]]:
        """Yield file and name of what a statement takes from other files of the hand-in."""
        for node in ast.walk(statement):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.py" in self._files:
                yield from ((f"{node.module}.py", alias.name) for alias in node.names if alias.name != "*")
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if target := self._files.get(f"{alias.name}.py"):
                        yield from ((target.name, name) for name in self._read_of(target))

    def _read_of(self, target: SourceFile) -> list[str]:
        """Return what may be read of a module of the hand-in: everything of it that any file names as an attribute."""
        statements = (statement for file in self._files.values() for statement in file.statements)
        nodes = (node for statement in statements if not names.is_main_guard(statement) for node in ast.walk(statement))
        return sorted({node.attr for node in nodes if isinstance(node, ast.Attribute)} & set(target.bindings))


def _keep(source: SourceFile, positions: set[int], modules: Sequence[str]) -> str:
    """Return the file's text with everything blank but the statements at `positions`.

    Imports keep only the names that the policy allows: no closed slice uses the others.
    """
    rows = [row.rstrip("\r\n").encode() for row in source.lines]
    blank = [bytearray(b" " * len(row)) for row in rows]
    whole: set[int] = set()
    for position in sorted(positions):
        line, column, last, end = source.span(position)
        if column:  # behind a semicolon
            before = blank[line - 1][: column - 1]
            blank[line - 1][:column] = (before if before.strip() else b"0".ljust(column - 1)) + b";"
        for number in range(line, last + 1):
            begin, stop = (column if number == line else 0), (end if number == last else len(rows[number - 1]))
            blank[number - 1][begin:stop] = rows[number - 1][begin:stop]
            whole.add(number)
        _blank_imports(source.statements[position], blank, modules)
    return "".join(f"{row.decode().rstrip() if number in whole else ''}\n" for number, row in enumerate(blank, 1))


def _blank_imports(statement: ast.stmt, rows: Sequence[bytearray], modules: Sequence[str]) -> None:
    """Blank the names in an import that the policy does not allow, and a comma with each."""
    strange = {alias for alias, _, _ in reading.strange_imports(statement, modules)}
    names = getattr(statement, "names", [])
    kept = [alias for alias in names if alias not in strange]
    for alias in strange if kept else ():
        is_behind = names.index(alias) > names.index(kept[0])
        near = names[names.index(alias) + (-1 if is_behind else 1)]
        begin, end = (_end(near), _end(alias)) if is_behind else (_begin(alias), _begin(near))
        for line in range(begin[0], end[0] + 1):
            row = rows[line - 1]
            first, last = begin[1] if line == begin[0] else 0, end[1] if line == end[0] else len(row)
            row[first:last] = bytes(byte if byte in b"#\\" else 32 for byte in row[first:last])


def _begin(alias: ast.alias) -> tuple[int, int]:
    return alias.lineno, alias.col_offset


def _end(alias: ast.alias) -> tuple[int, int]:
    return alias.end_lineno or alias.lineno, alias.end_col_offset or 0
