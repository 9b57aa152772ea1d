"""Chooses the members of a submission that are the files of the sheet, and writes warnings about the others.

All functions use names and sizes only. Only the chosen members are opened, by their own function `read`.
"""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.errors import SubmissionRefused
from grader.model import printable

MAX_FILE_BYTES = 64 << 20
MAX_NAME_CHARS = 1024
_MAX_SPARE = 50
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_OF_SYSTEMS = ("__macosx", ".ds_store", "icon\r", "thumbs.db", "desktop.ini")
_OF_TOOLS = ("__pycache__", ".ipynb_checkpoints", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".git", ".gitignore")
_OF_EDITORS = (".idea", ".vscode", ".vs", ".spyproject")
_ENVIRONMENTS = (".venv", "venv", "env", "site-packages", "node_modules")
LITTER = frozenset((*_OF_SYSTEMS, *_OF_TOOLS, *_OF_EDITORS, *_ENVIRONMENTS))
"""Names, in lower case, of files and folders that systems, tools and editors make, and not students."""


@dataclass(frozen=True, slots=True)
class Member:
    """One regular file of the archive or folder; `parts` are the components of its cleaned name."""

    parts: tuple[str, ...]
    size_bytes: int
    read: Callable[[], bytes]

    @property
    def path(self) -> str:
        """The cleaned name, with slashes."""
        return "/".join(self.parts)

    @property
    def folder(self) -> tuple[str, ...]:
        """The components of its folder."""
        return self.parts[:-1]


def clean_parts(name: str) -> tuple[str, ...]:
    """Return the components of a member's `name`; refuse a dangerous name. Backslashes separate like slashes."""
    flat = name.replace("\\", "/")
    parts = tuple(part for part in flat.split("/") if part not in {"", "."})
    problem = ""
    if not name:
        problem = "has no name"
    elif flat.startswith("/") or re.match(r"[A-Za-z]:", flat):
        problem = "has an absolute name"
    elif ".." in parts:
        problem = "leads out of its folder by '..'"
    elif CONTROL.search(name) and not is_litter(parts):
        problem = "has control characters in its name"
    elif len(name) > MAX_NAME_CHARS:
        problem = f"has a name of {len(name)} characters"
    if problem:
        raise SubmissionRefused(f"the member {quote(name)} {problem}: make a new zip archive of the files of the sheet")
    return parts


def select_files(
    members: Sequence[Member], files: Sequence[str], *, is_folder: bool = False
) -> tuple[dict[str, bytes], list[str]]:
    """Return the contents of the wanted files, and warnings; refuse if it is unclear which file is meant.

    A folder in which a student works always has further files, so with `is_folder` these give no warning.
    """
    useful = [member for member in members if not is_litter(member.parts)]
    chosen = _choose(useful, files)
    if not chosen:
        others = _enumerate([member.path for member in useful]) or "nothing but system files"
        raise SubmissionRefused(f"it holds none of {', '.join(files)} but {others}: is this the right file?")
    for member in chosen.values():
        if member.size_bytes > MAX_FILE_BYTES:
            raise SubmissionRefused(describe_large(quote(member.path)))
    contents = {name: member.read() for name, member in chosen.items()}
    litter = sorted({part for member in members for part in member.parts if is_litter((part,))})
    warnings = [f"ignored what the computer added: {_enumerate(litter)}"] if litter and not is_folder else []
    extra = sorted(member.path for member in useful if member not in chosen.values())
    if extra and not is_folder:
        warnings.append(f"ignored {len(extra)} extra {'file' if len(extra) == 1 else 'files'}: {_enumerate(extra)}")
    if empty := [name for name, data in contents.items() if not data.strip()]:
        warnings.append(f"empty: {_enumerate(empty)}")
    return contents, [*warnings, *_describe_choice(chosen, extra, files)]


def find_spare(members: Sequence[Member], files: Sequence[str]) -> tuple[str, ...]:
    """Return names of Python files and PDFs that are not in `files`; they may be misnamed, or imported by others."""
    wanted = {name.lower() for name in files}
    named = (member for member in members if member.parts[-1].lower() not in wanted and not is_litter(member.parts))
    return tuple(sorted(member.path for member in named if member.path.lower().endswith((".py", ".pdf")))[:_MAX_SPARE])


def find_near(name: str, paths: Sequence[str]) -> str:
    """Return the path that may be the wanted file `name`: with a similar name, or the only PDF; else an empty text.

    Only paths with the same ending are considered, and not a kit's own layerscheck.py.
    """
    ending = f".{name.rpartition('.')[2]}".lower()
    alike = (path for path in paths if path.lower().endswith(ending) and not path.endswith("check.py"))
    names = {path.rsplit("/", 1)[-1]: path for path in alike}
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.75)
    same = [path for path in paths if name.endswith(".pdf") and path.lower().endswith(".pdf")]
    return names[near[0]] if near else same[0] if len(same) == 1 else ""


def describe_large(name: str) -> str:
    """Return the sentence for a wanted file above the limit."""
    return f"{name} is larger than {MAX_FILE_BYTES >> 20} MiB: make it smaller"


def is_litter(parts: Sequence[str]) -> bool:
    """Return whether a name, or a folder above it, is litter."""
    return any(part.lower() in LITTER or part.startswith("._") for part in parts)


def _choose(members: Sequence[Member], files: Sequence[str]) -> dict[str, Member]:
    """Return the member for each wanted file: in the fewest folders, then with the most wanted files beside it."""
    wanted = {name.lower(): name for name in files}
    candidates = [member for member in members if member.parts[-1].lower() in wanted]
    companions = Counter(member.folder for member in candidates)

    def rank(member: Member) -> tuple[int, int]:
        return len(member.parts), -companions[member.folder]

    chosen: dict[str, Member] = {}
    for member in sorted(candidates, key=rank):
        name = wanted[member.parts[-1].lower()]
        first = chosen.setdefault(name, member)
        if first is not member and rank(first) == rank(member):
            raise SubmissionRefused(
                f"it is unclear which {name} is meant, {quote(first.path)} or {quote(member.path)}: hand in one of them"
            )
    return {name: chosen[name] for name in files if name in chosen}


def _describe_choice(chosen: dict[str, Member], extra: Sequence[str], files: Sequence[str]) -> Iterator[str]:
    folders = sorted({"/".join(member.folder) for member in chosen.values()} - {""})
    if folders:
        yield f"the files lie in the folder {_enumerate(folders)}: the sheet asks for them at the top"
    for name, member in chosen.items():
        if member.parts[-1] != name:
            yield f"{quote(member.path)} was taken as {name}: write the name exactly as the sheet does"
    for name in files:
        near = find_near(name, extra[:1000]) if name not in chosen else ""
        if near:
            yield f"{name} is missing, but there is {quote(near)}: is it meant?"


def _enumerate(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quote(name) for name in names[:most]) + more


def quote(name: str) -> str:
    """Return a member's `name` as one short line in quotes."""
    return "'" + re.sub(r"[\n\t']", "\N{REPLACEMENT CHARACTER}", printable(name, 100)) + "'"
