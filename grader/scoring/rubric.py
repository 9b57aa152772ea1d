"""The rubric file: where TAs edit points, thresholds, visibility and what a check needs.

    assignment = "tiny"
    title = "Adding two matrices"
    total = 10

    [[check]]
    id = "add.speedup"
    part = "Part 1: addition"
    points = 10
    threshold = { fact = "speedup", at_least = 40 }

A mistake in it is the staff's: `StaffError` with one sentence that names the file, the row and the next step.
"""

import difflib
import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import StaffError, UsageError
from grader.model import Criterion, LateRule, Rubric, Threshold, Timed, is_named

VISIBILITIES = ("visible", "hidden", "after_due_date", "after_published")
_MOST_BUDGET_S, _MOST_ERROR_PERCENT = 40.0, 10.0
"""The largest values of a rubric; a disturbed section is repeated twice, so a check may take three budgets."""
_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_ROW = re.compile(r"\$\.check\[(\d+)\]")


class _Document(msgspec.Struct):
    assignment: str
    title: str
    total: float
    check: tuple[Criterion, ...]
    late: LateRule | None = None


def load_rubric(path: Path) -> Rubric:
    """Return the rubric in the TOML file `path`.

    Raises:
        StaffError: the file cannot be read, has an unknown key or a wrong type, or contradicts itself.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise StaffError(
            f"The rubric {path} cannot be read ({error.strerror}): check the assignment's name and its folder."
        ) from error
    document = _parse(raw, path)
    rows, digest = tuple(replace(row, items=_scaled(row)) for row in document.check), hashlib.sha256(raw).hexdigest()
    rubric = Rubric(document.assignment, document.title, document.total, rows, digest, document.late)
    _refuse_first(_contradictions(rubric), path.name)
    return rubric


def validate(rubric: Rubric, check_ids: Iterable[str]) -> None:
    """Compare the rubric with the ids of the existing tests.

    Raises:
        StaffError: a row without a test, a test without a row, or two tests with the same id.
    """
    _refuse_first(_mismatches(rubric, tuple(check_ids)), f"rubric of {rubric.assignment}")


def expect_named(words: Iterable[str], rubric: Rubric) -> None:
    """Refuse a word that names no check of `rubric`, whether by its id or by the id's first words.

    Raises:
        UsageError: a word names no check; the message has similar ids, or all ids.
    """
    ids = [row.id for row in rubric.criteria]
    for word in words:
        if not any(is_named(check, (word,)) for check in ids):
            # Ids that contain the word, such as `add_gpu` for `add.gpu`; else those that differ by a few letters.
            plain = word.lower().replace("_", ".").strip(".")
            holding = [check for check in ids if plain and plain in check.replace("_", ".")]
            alike = holding or difflib.get_close_matches(word.lower(), ids, n=3)
            known = f"did you mean {' or '.join(alike)}?" if alike else f"the checks are {', '.join(ids)}"
            raise UsageError(f"there is no check {word!r}: {known}")


def _parse(raw: bytes, path: Path) -> _Document:
    try:
        tree = msgspec.toml.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StaffError(f"{path.name} is not valid TOML: {error}.") from error
    try:
        document = msgspec.convert(tree, _Document)
    except msgspec.ValidationError as error:
        raise StaffError(f"{path.name}: {_explain(str(error), tree)}.") from error
    unknown = _unknown_keys(tree, msgspec.to_builtins(document), "$")
    _refuse_first((_explain(words, tree) for words in unknown), path.name)
    return document


def _unknown_keys(given: Any, known: Any, place: str) -> Iterator[str]:
    """Yield a sentence for each key that the file has and the records do not."""
    if isinstance(given, dict):
        for key, value in given.items():
            if key in known:
                yield from _unknown_keys(value, known[key], f"{place}.{key}")
            else:
                yield f"Object contains unknown field `{key}` - at `{place}`"
    elif isinstance(given, list):
        for number, pair in enumerate(zip(given, known, strict=True)):
            yield from _unknown_keys(*pair, f"{place}[{number}]")


def _explain(complaint: str, tree: Any) -> str:
    """Return msgspec's complaint with the id of the row that it is about."""
    match = _ROW.search(complaint)
    if match is None:
        return complaint
    number = int(match[1])
    row = tree["check"][number]
    name = row.get("id") if isinstance(row, dict) else None
    return f"{complaint} (check number {number + 1}, id {name!r})"


def _scaled(row: Criterion) -> Mapping[str, float]:
    """Return the items, scaled to the points of the row up to rounding: a TA can change these and keep the items."""
    total, is_sound = math.fsum(row.items.values()), min(row.items.values(), default=0.0) > 0
    return {text: round(row.points * share / total, 2) for text, share in row.items.items()} if is_sound else row.items


def _refuse_first(problems: Iterator[str], name: str) -> None:
    for problem in problems:
        raise StaffError(f"{name}: {problem}.")


def _contradictions(rubric: Rubric) -> Iterator[str]:
    """Yield a sentence for each contradiction inside a rubric."""
    ids = [row.id for row in rubric.criteria]
    if not ids:
        yield "there is no [[check]], so there is nothing to grade; add one for each check"
    if twice := repeated(ids):
        yield f"the id {twice} stands there twice; give each check one row"
    for row in rubric.criteria:
        yield from _row_contradictions(row, frozenset(ids))
    if cycle := _cycle(rubric):
        yield f"these checks need each other in a circle: {' → '.join(cycle)}; remove one of the needs"
    if rubric.late is not None:
        yield from _late_contradictions(rubric.late)
    total = math.fsum(row.points for row in rubric.criteria)
    if not math.isclose(total, rubric.total, abs_tol=1e-9):
        yield f"the points sum up to {total:g}, but total = {rubric.total:g}; change the points or the total"


def _row_contradictions(row: Criterion, ids: frozenset[str]) -> Iterator[str]:
    if not _ID.fullmatch(row.id):
        yield f"{row.id!r} is no check id; ids are lower-case words joined by dots, such as add.gpu.launch"
    if not (math.isfinite(row.points) and row.points >= 0):
        yield f"{row.id} has points = {row.points:g}; points are 0 or more"
    yield from _unknown_word(row, "visibility", row.visibility, VISIBILITIES)
    yield from _unknown_word(row, "hardware", row.hardware, ("", "gpu"))
    yield from _unknown_word(row, "marked_by", row.marked_by, ("", "ta"))
    for unknown in sorted(set(row.needs) - ids):
        yield f"{row.id} needs {unknown!r}, which is no check of this rubric; correct the name in its needs"
    if row.items and not row.marked_by:
        yield f"{row.id} has items, which a person looks at: they need marked_by = 'ta'"
    for text, points in row.items.items():
        if not (points > 0 or points == row.points == 0):
            yield f"{row.id} has {points:g} points for {text!r}; use more than 0"
    if row.threshold is not None:
        yield from _threshold_contradictions(row.id, row.threshold)


def _unknown_word(row: Criterion, key: str, value: str, allowed: tuple[str, ...]) -> Iterator[str]:
    if value not in allowed:
        yield f"{row.id} has {key} = {value!r}; use one of {', '.join(repr(word) for word in allowed)}"


def _threshold_contradictions(check: str, threshold: Threshold) -> Iterator[str]:
    bounds = [bound for bound in (threshold.above, threshold.at_least) if bound is not None]
    if len(bounds) != 1:
        yield f"the threshold of {check} needs exactly one of above and at_least; it has {len(bounds)}"
    elif not math.isfinite(bounds[0]):
        yield f"the threshold of {check} is {bounds[0]:g}; it has to be a finite number"
    if threshold.timed is not None:
        yield from _timed_contradictions(check, threshold.timed)


def _timed_contradictions(check: str, timed: Timed) -> Iterator[str]:
    low, high = timed.baseline
    if not 0 < low <= high < math.inf:
        yield f"{check} has baseline = [{low:g}, {high:g}]; it has to be two positive numbers, the smaller one first"
    if not 0 < timed.budget_s <= _MOST_BUDGET_S:
        yield f"{check} has budget_s = {timed.budget_s:g}; give it more than 0 and at most {_MOST_BUDGET_S:g} seconds"
    if not 0 < timed.error_percent <= _MOST_ERROR_PERCENT:
        yield f"{check} has error_percent = {timed.error_percent:g}; use 0 to {_MOST_ERROR_PERCENT:g}, without 0"
    if not 0 < timed.flagged_from < math.inf:
        yield f"{check} has flagged_from = {timed.flagged_from:g}; it has to be a positive number"


def _late_contradictions(rule: LateRule) -> Iterator[str]:
    for name in ("free_days", "points_per_day", "percent_per_day", "max_days"):
        value = getattr(rule, name)
        if value is not None and not (math.isfinite(value) and value >= 0):
            yield f"[late] has {name} = {value:g}; it has to be 0 or more"
    if rule.points_per_day and rule.percent_per_day:
        yield "[late] has both points_per_day and percent_per_day; keep one of them"
    if rule.max_days is not None and rule.max_days < rule.free_days:
        yield f"[late] accepts nothing after {rule.max_days:g} days, but {rule.free_days:g} are free; raise max_days"


def _cycle(rubric: Rubric) -> tuple[str, ...]:
    try:
        TopologicalSorter({row.id: row.needs for row in rubric.criteria}).prepare()
    except CycleError as error:
        return tuple(error.args[1])
    return ()


def _mismatches(rubric: Rubric, check_ids: tuple[str, ...]) -> Iterator[str]:
    rows = {row.id for row in rubric.criteria}
    tests = set(check_ids)
    if twice := repeated(check_ids):
        yield f"two tests carry the id {twice}; rename one of them"
    if lonely := sorted(rows - tests):
        yield f"no test carries the id {', '.join(lonely)}; write the check or remove the row"
    if lonely := sorted(tests - rows):
        yield f"the test {', '.join(lonely)} has no row in the rubric; add a [[check]] for it"


def repeated(ids: Iterable[str]) -> str:
    """Return the first id that occurs more than once, or an empty text."""
    return next((name for name, count in Counter(ids).items() if count > 1), "")
