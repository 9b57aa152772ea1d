"""Packs the files for students, with a small wheel of the grader. The wheel has only files on an allow-list.

    template + launcher + wheel(allowed files of the grader, checks of the assignment without hidden files)

These files are left out:

    the reference       it is the solution; it is neither in the grader's package nor in the files that an assignment
                        outside it gives away
    hidden files        `kit.toml` names them: they contain what students must find out. The assignment's `kit/` may
                        have a student edition of such a file, with the same functions but without the secret
    for staff only      sandbox, batch, marking, most of the reports

The checks are handed out unchanged: their inputs come from a fresh seed in every run, so the code of a check gives no
answer away. Expected values in checks should be values from the sheet, or properties, never a way to write the
function that students must write; `tests/kit/test_secrets.py` compares every file with the reference.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath

from jinja2 import Environment, StrictUndefined
from packaging.markers import Marker
from packaging.requirements import Requirement

from grader import __version__
from grader.assignment import find_imports
from grader.errors import StaffError, UsageError
from grader.intake.archive import pack
from grader.intake.disk import write_atomically
from grader.kit.settings import KitSettings

PACKAGE = Path(__file__).parents[1]
OPEN = (
    *("__init__.py", "py.typed", "assignment.py", "errors.py", "machine.py", "model.py"),
    *("authoring/**/*.py", "intake/*.py", "scoring/__init__.py", "scoring/rubric.py", "scoring/score.py"),
    *("slices/*.py", "worker/**/*.py", "cuda_cpu/**/*.py"),
    *(f"reports/{name}.py" for name in ("__init__", "audience", "cards", "figure", "html", "listing")),
    *("reports/plots.py", "reports/story.py"),
    *(f"reports/templates/{name}.html" for name in ("check", "frame", "plots", "report", "source")),
    *(f"reports/templates/{name}" for name in ("base.css", "report.css", "chart.svg")),
    *(f"kit/{name}.py" for name in ("__init__", "dialogue", "handin", "prediction", "selfcheck", "settings")),
    *("commands/__init__.py", "commands/own.py"),
    *("assignments/__init__.py", "timing/*.py", "bench/*.py", "commands/bench.py"),
)
"""Files of the package that students get; a pattern with `**` means all folders below."""
_JUDGES = "authoring/judges"  # the folder with ready-made comparisons, of which an assignment needs only some files
EDITIONS = "kit"  # the folder of an assignment with student editions of its hidden files
NEEDS = {
    "jinja2": "jinja2",
    "msgspec": "msgspec",
    "numba": "numba",
    "numpy": "numpy",
    "nvidia-ml-py": "pynvml",
    "psutil": "psutil",
    "pygments": "pygments",
    "pypdf": "pypdf",
    "pypdfium2": "pypdfium2",
    "pytest": "pytest",
    "pytest-timeout": "pytest_timeout",
    "scikit-learn": "sklearn",
    "scipy": "scipy",
}
"""Projects that the kit needs -> the names by which they are imported."""
_TEMPLATES = PACKAGE / "kit/templates"
_USUAL = ("Makefile", "README.md")
_TEXTS = Environment(trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined)  # noqa: S701 - no pages


@dataclass(frozen=True, slots=True)
class Handout:
    """The zip for students, and the wheel in it."""

    path: Path
    wheel: Wheel
    files: tuple[str, ...]


def make_handout(settings: KitSettings, template: Path, folder: Path) -> Handout:
    """Write `<assignment>-handout.zip` into `folder` and return its description.

    Raises:
        UsageError: `folder` cannot be made; also as in `handout_files`.
        StaffError: as in `handout_files`.
    """
    name = settings.assignment.name
    files, wheel = handout_files(settings, template)
    packed = pack((f"{name}/{path}", files[path]) for path in sorted(files))
    return Handout(write_atomically(folder / f"{name}-handout.zip", packed), wheel, tuple(sorted(files)))


def handout_files(settings: KitSettings, template: Path) -> tuple[dict[str, bytes], Wheel]:
    """Return file name -> content of all files that students get, and the wheel, which is one of them.

    Raises:
        UsageError: there is no folder `template`.
        StaffError: the rubric has hidden checks, or `kit.toml` hides a file that does not exist.
    """
    name = settings.assignment.name
    if not template.is_dir():
        raise UsageError(f"there is no student template at {template}: name it with --template")
    wheel = make_wheel(settings)
    own = {path.relative_to(template).as_posix(): path.read_bytes() for path in written_below(template)}
    start = launcher(name, wheel.name, settings.needs.values())
    return _usual_files(settings, wheel) | own | {f"{name}check.py": start, f"kit/{wheel.name}": wheel.data}, wheel


def _usual_files(settings: KitSettings, wheel: Wheel) -> dict[str, bytes]:
    """Return a Makefile and a README for students; those of the template, if it has any, replace them later."""
    assignment = settings.assignment
    context = {
        "name": assignment.name,
        "title": assignment.rubric.title,
        "files": assignment.files,
        "wheel": wheel.name,
        "check": assignment.rubric.criteria[0].id,
        "learns": bool(assignment.learns),
        "compares": (assignment.folder / "comparisons.toml").is_file(),
    }
    return {name: render_text(_TEMPLATES / f"{name}.txt", context) for name in _USUAL}


def render_text(template: Path, context: Mapping[str, object]) -> bytes:
    """Return the template rendered with `context`, which must have all names that the template uses."""
    return _TEXTS.from_string(template.read_text("utf-8")).render(context).encode()


def make_wheel(settings: KitSettings) -> Wheel:
    """Return the wheel of the kit for one assignment.

    Its copy of the grader is in its own folder, which the launcher finds: kits of several assignments share no file in
    one environment, even if they come from different versions of the grader.
    """
    name = settings.assignment.name
    project = f"{name}check"
    wheel_name = f"{project}-{__version__}-py3-none-any.whl"
    files = {f"{project}_files/grader/{path}": data for path, data in collect(settings).items()}
    files[f"{project}.py"] = launcher(name, wheel_name, settings.needs.values())
    summary = f"Checks {name} on a student's own computer"
    asked = {need.name.lower(): str(need) for extra, need in list_needs() if not extra}  # the grader's own versions
    needs = [asked.get(need, need) for need in NEEDS]
    return build_wheel(project, summary, [*needs, *settings.needs], files)


def launcher(name: str, wheel: str, more: Iterable[str] = ()) -> bytes:
    """Return the program behind `python -m <name>check`, for any Python; it also looks for the modules `more`."""
    packages = ", ".join(f'"{module}"' for module in (*NEEDS.values(), *filter(None, more), "grader"))
    return render_text(_TEMPLATES / "start.py.txt", {"name": name, "packages": packages, "wheel": wheel})


def collect(settings: KitSettings) -> dict[str, bytes]:
    """Return path -> content of the files in the grader's package that students get; raises as `handout_files`."""
    if rows := [row.id for row in settings.assignment.rubric.criteria if row.visibility != "visible"]:
        raise StaffError(
            f"the rubric hides {rows[0]} from students, and a kit would show it: make it visible, or hand out no kit"
        )
    opened = {path for pattern in (*OPEN, *settings.adds) for path in PACKAGE.glob(pattern)}
    files = {path.relative_to(PACKAGE).as_posix(): path.read_bytes() for path in written(opened)}
    folder, prefix = settings.assignment.folder, f"assignments/{settings.assignment.name}"
    own = {path.relative_to(folder).as_posix(): path.read_bytes() for path in written(settings.assignment.own_files())}
    if absent := sorted(set(settings.hidden) - set(own)):
        raise StaffError(f"{settings.assignment.name}/kit.toml hides {absent[0]}, which does not exist: correct it")
    aside = f"{EDITIONS}/"
    shown = {name: data for name, data in own.items() if name not in settings.hidden and not name.startswith(aside)}
    editions = folder / EDITIONS
    shown |= {path.relative_to(editions).as_posix(): path.read_bytes() for path in written_below(editions)}
    files |= {f"{prefix}/{name}": data for name, data in shown.items()}
    return _without_unused(files, _JUDGES)


def _without_unused(files: dict[str, bytes], folder: str) -> dict[str, bytes]:
    """Return `files` without modules in `folder` that no other file imports."""
    spare = {name for name in files if PurePosixPath(name).match(f"{folder}/[!_]*.py")}
    front = files.keys() - spare
    while front:
        imported = {module for name in front if name.endswith(".py") for module in find_imports(files[name])}
        front = {name for name in spare if f"grader.{name.removesuffix('.py').replace('/', '.')}" in imported}
        spare -= front
    return {name: data for name, data in files.items() if name not in spare}


def written_below(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that a person wrote, sorted."""
    return written(folder.rglob("*"))


def written(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths that are files written by a person, sorted: no hidden, compiled or zip files."""
    for path in sorted(paths):
        is_hidden = path.name.startswith(".") and path.name != ".gitignore"
        if path.is_file() and not (is_hidden or "__pycache__" in path.parts or path.suffix in {".pyc", ".zip"}):
            yield path


PROJECT = "gpu-grader"
REQUIRES_PYTHON = ">=3.11"
_FOR_AN_EXTRA = re.compile(r'(?:(?P<others>.+) and )?extra == "(?P<extra>[^"]*)"')
"""The condition of a requirement for an extra, as `packaging` writes it; setuptools puts the extra last."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel's file name, its bytes, and its requirements."""

    name: str
    data: bytes
    needs: tuple[str, ...] = ()


def list_needs() -> Iterator[tuple[str, Requirement]]:
    """Yield the extra and the requirement, for each requirement of this project; its condition on the extra is removed.

    The extra is empty if the requirement is not for an extra. Other conditions, such as a version of Python, stay.
    """
    for line in metadata.requires(PROJECT) or []:
        need = Requirement(line)
        match = _FOR_AN_EXTRA.fullmatch(str(need.marker or ""))
        if match:
            need.marker = Marker(match["others"]) if match["others"] else None
        yield match["extra"] if match else "", need


def build_wheel(
    project: str,
    summary: str,
    needs: Iterable[str],
    files: Mapping[str, bytes],
    scripts: Mapping[str, str] | None = None,
) -> Wheel:
    """Return the wheel of pure Python `files`.

    `project` is the name for file names, with `_` in place of `-`; `scripts` maps the name of a command to its
    `module:function`.
    """
    folder, needs = f"{project}-{__version__}.dist-info", tuple(needs)
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {project}",
        f"Version: {__version__}",
        f"Summary: {summary}",
        f"Requires-Python: {REQUIRES_PYTHON}",
        *(f"Requires-Dist: {need}" for need in needs),
    ]
    kind = ["Wheel-Version: 1.0", "Generator: gpu-grader", "Root-Is-Purelib: true", "Tag: py3-none-any"]
    contents = dict(sorted(files.items())) | {f"{folder}/METADATA": _text(metadata), f"{folder}/WHEEL": _text(kind)}
    if scripts:
        commands = [f"{name} = {function}" for name, function in scripts.items()]
        contents[f"{folder}/entry_points.txt"] = _text(["[console_scripts]", *commands])
    record = []
    for path, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{path},sha256={digest},{len(data)}")
    contents[f"{folder}/RECORD"] = _text([*record, f"{folder}/RECORD,,"])
    return Wheel(f"{project}-{__version__}-py3-none-any.whl", pack(contents.items(), zipfile.ZIP_STORED), needs)


def _text(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()
