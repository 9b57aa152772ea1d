"""What a batch keeps for a platform: the tables that a TA downloaded from it, and how they are filled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from grader.course.model import Store, batch_rubric, read_record, write_record
from grader.course.people import Roster, Student
from grader.course.platforms import PLATFORMS
from grader.course.platforms.platform import Filling, Grade, Line
from grader.errors import UsageError
from grader.intake.disk import write_atomically
from grader.model import Rubric

PROVISIONAL = ("skip", "low")


@dataclass(frozen=True, slots=True)
class Publishing:
    """How scores leave the batch; kept in the batch, so that every later writing does the same."""

    provisional: str = "skip"
    """`skip` writes no grade for a student whose score is open; `low` writes the lower end."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Platform -> the column of its table that is meant."""
    canvas_column: str = ""
    """The same, as earlier versions wrote it."""

    def filling(self, platform: str, rubric: Rubric) -> Filling:
        """Return how the table of a platform is filled."""
        column = self.columns.get(platform, self.canvas_column if platform == "canvas" else "")
        return Filling(rubric, self.provisional == "low", column)


def kept_table(store: Store, platform: str) -> Path | None:
    """Return the table of a platform that the batch keeps; None if it has none."""
    path = store.lms / f"{platform}.csv"
    return path if path.is_file() else None


def read_kept(store: Store, roster: Roster) -> Mapping[str, Line]:
    """Return id of a student -> what a kept table says of them; `UsageError` if one is damaged."""
    lines: dict[str, Line] = {}
    for platform in PLATFORMS.values():
        if (table := kept_table(store, platform.name)) is not None:
            lines |= platform.read(table, roster)
    return lines


def read_roster(store: Store) -> Roster:
    """Return who handed in what, with names and addresses that a kept table has and the download had not.

    Raises:
        UsageError: this is no batch, or a kept table is damaged.
    """
    roster = read_record(store.roster, Roster)
    lines = read_kept(store, roster)

    def known(student: Student) -> Student:
        line = lines.get(student.id, Line())
        return replace(student, name=student.name or line.name, email=student.email or line.email)

    handins = (replace(handin, students=tuple(map(known, handin.students))) for handin in roster.handins)
    return replace(roster, handins=tuple(handins), missing=tuple(map(known, roster.missing)))


def fill_tables(
    store: Store, roster: Roster, rubric: Rubric, grades: Sequence[Grade]
) -> tuple[dict[str, bytes], list[str]]:
    """Return the filled tables by file name, new ones of the roster's platform among them, and sentences for the TA."""
    how = read_publishing(store)
    contents: dict[str, bytes] = {}
    notes: list[str] = []
    for platform in PLATFORMS.values():
        table = kept_table(store, platform.name)
        if table is None and platform.name != roster.platform:
            continue
        if (filled := platform.fill(table, grades, how.filling(platform.name, rubric))) is not None:
            contents[f"{platform.name}.csv"] = filled[0]
            notes += filled[1]
    return contents, notes


def set_publishing(
    store: Store,
    tables: Mapping[str, Path] = MappingProxyType({}),
    columns: Mapping[str, str] = MappingProxyType({}),
    provisional: str = "",
) -> None:
    """Keep what is to be filled, and how; what is not named stays as it is.

    `tables` has a downloaded table for each platform, `columns` the column that is meant; `provisional` is one of
    `PROVISIONAL`.

    Raises:
        UsageError: a file is missing or no such table; nothing was changed.
    """
    before = read_publishing(store)
    chosen = {"canvas": before.canvas_column} if before.canvas_column else {}
    after = Publishing(provisional or before.provisional, {**chosen, **before.columns, **columns})
    for name, table in tables.items():
        PLATFORMS[name].fill(table, (), after.filling(name, batch_rubric(store)))
    for name, table in tables.items():
        keep_file(table, store.lms / f"{name}.csv")
    if after != before:
        write_record(store.publishing, after)


def read_publishing(store: Store) -> Publishing:
    """Return how scores leave this batch."""
    return read_record(store.publishing, Publishing) if store.publishing.is_file() else Publishing()


def keep_file(source: Path, target: Path) -> None:
    """Copy a file of the TA into the batch; `UsageError` if that cannot be."""
    try:
        if not (target.exists() and target.samefile(source)):
            write_atomically(target, source.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{source} cannot be copied into the batch ({error.strerror}): check its name and permissions."
        ) from error
