"""Finds hand-ins with similar structure: a reason to read both, never a verdict.

Names, comments, strings and layout do not count: copydetect turns code into a string of token kinds, and two files are
similar where they share its k-grams (Schleimer, Wilkerson and Aiken, Winnowing, SIGMOD 2003; here every k-gram counts,
so that the result does not depend on the order of hashes). Code of the handed-out template is left out, and code that
many hand-ins have, because all students who follow the sheet write it.

All pairs are ranked by their number of shared k-grams, computed as one sparse matrix product; only the first pairs are
compared by position. This module opens no hand-in.

Files that are equal except for layout and comments are found separately, even if many hand-ins have them.
"""

import hashlib
import io
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from grader.course.model import Store, read_record
from grader.course.people import Handin, Roster
from grader.errors import UsageError, install_command
from grader.reports.story import listed

K = 25  # length of a k-gram, in characters of tokenised code; shorter matches mean nothing
COMMON_SHARE, COMMON_AT_LEAST = 0.2, 6
"""A k-gram is common to the class if more hand-ins have it than this share and than this number."""
LEAST_OWN = 100  # a file with fewer characters of tokenised code outside template and common code is not compared
LEAST_SHARE = 0.6  # two files are a pair only if this share of the own code of at least one of them agrees
_CANDIDATES_PER_PAIR = 4
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_SHAPES = {tokenize.NEWLINE: ";", tokenize.INDENT: "{", tokenize.DEDENT: "}"}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two files: the share of its own code that the other file has, and the lines of that code."""

    share: float
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two files of the same name."""

    name: str
    first: Side
    second: Side
    size: int  # characters of tokenised code that both have
    is_identical: bool  # whether they are equal except for layout and comments

    @property
    def share(self) -> float:
        """The larger of both shares, because a copy with much added code is still a copy."""
        return max(self.first.share, self.second.share)


@dataclass(frozen=True, slots=True)
class Pair:
    """The keys of two hand-ins, with their similar files; the most similar file comes first."""

    first: str
    second: str
    overlaps: tuple[Overlap, ...]

    @property
    def share(self) -> float:
        """The largest share of any file."""
        return self.overlaps[0].share

    @property
    def size(self) -> int:
        """Characters of tokenised code that both have, in all files."""
        return sum(overlap.size for overlap in self.overlaps)


@dataclass(frozen=True, slots=True)
class Equal:
    """A file name, and the keys of hand-ins whose file has the same code, except for layout and comments."""

    name: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Similarities:
    """The result of comparing a class."""

    pairs: tuple[Pair, ...] = ()
    equal: tuple[Equal, ...] = ()
    compared: int = 0  # number of hand-ins
    digest: str = ""  # digest of everything that was compared; if it is the same, a new comparison finds the same


def compare(
    handins: Mapping[str, Mapping[str, str]],
    template: Mapping[str, str],
    announce: Callable[[str], None] = lambda _text: None,
) -> Similarities:
    """Return all similar pairs and equal files; arguments and errors as in `find_pairs`."""
    pairs = find_pairs(handins, template, announce=announce)
    return Similarities(pairs, find_equal(handins, template), len(handins), digest_of(handins, template))


def digest_of(handins: Mapping[str, Mapping[str, str]], template: Mapping[str, str]) -> str:
    """Return a digest of all texts and of the keys of their hand-ins."""
    texts = [sorted((key, sorted(files.items())) for key, files in handins.items()), sorted(template.items())]
    return hashlib.sha256(repr(texts).encode("utf-8", "replace")).hexdigest()[:16]


def find_equal(handins: Mapping[str, Mapping[str, str]], template: Mapping[str, str]) -> tuple[Equal, ...]:
    """Return the files with the same code in several hand-ins; unchanged template files and tiny files are left out."""
    handed_out = {_bare(text) for text in template.values()}
    same: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, files in sorted(handins.items()):
        for name, text in files.items():
            code = _bare(text)
            if len(code) >= LEAST_OWN and code not in handed_out:
                same[name, code].append(key)
    equal = (Equal(name, tuple(keys)) for (name, _code), keys in same.items() if len(keys) > 1)
    return tuple(sorted(equal, key=lambda file: (file.name, file.keys)))


def _bare(text: str) -> str:
    """Return the code of `text` without layout and comments; if it is not Python, return its words.

    Ends of lines and changes of indentation become `;`, `{` and `}`.
    """
    code = io.StringIO(text.lstrip("\ufeff").replace("\r\n", "\n"))
    try:
        tokens = list(tokenize.generate_tokens(code.readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return " ".join(text.split())
    return "\n".join(_SHAPES.get(one.type, one.string) for one in tokens if one.type not in _LAYOUT)


def find_pairs(
    handins: Mapping[str, Mapping[str, str]],
    template: Mapping[str, str],
    *,
    most: int = 100,
    announce: Callable[[str], None] = lambda _text: None,
) -> tuple[Pair, ...]:
    """Return the pairs of hand-ins with a file whose own code agrees by `LEAST_SHARE`, the most similar pair first.

    `handins` maps key -> file name -> text. Code of `template`, by file name, does not count. At most `most` pairs
    are returned.

    Raises:
        UsageError: copydetect is not installed.
    """
    overlaps: dict[tuple[str, str], list[Overlap]] = defaultdict(list)
    names = sorted({name for files in handins.values() for name in files})
    for number, name in enumerate(names, start=1):
        announce(f"{name}, file {number} of {len(names)}")
        texts = {key: files[name] for key, files in sorted(handins.items()) if files.get(name)}
        for keys, overlap in _compare_file(name, texts, template.get(name, ""), most):
            overlaps[keys].append(overlap)
    pairs = (Pair(*keys, tuple(sorted(rows, key=lambda row: -row.share))) for keys, rows in overlaps.items())
    return tuple(sorted(pairs, key=lambda pair: (-round(pair.share, 1), -pair.size, pair.first, pair.second))[:most])


def _compare_file(
    name: str, texts: Mapping[str, str], template: str, most: int
) -> Iterable[tuple[tuple[str, str], Overlap]]:
    """Yield the pairs of hand-ins whose files of this name are similar."""
    compare = _copydetect().compare_files
    prints = {key: _fingerprint(text) for key, text in texts.items()}
    _forget(prints, set(_fingerprint(template).hashes) if template else set())
    keys = [key for key, code in prints.items() if code.token_coverage >= LEAST_OWN]
    for i, j in _candidates([prints[key].hashes for key in keys], most * _CANDIDATES_PER_PAIR):
        first, second = prints[keys[i]], prints[keys[j]]
        size, shares, slices = compare(first, second)
        if max(shares) >= LEAST_SHARE:
            left, right = (
                Side(min(float(share), 1.0), _lines(code.raw_code, spans))
                for code, share, spans in zip((first, second), shares, slices, strict=True)
            )
            is_identical = _bare(first.raw_code) == _bare(second.raw_code)
            yield (keys[i], keys[j]), Overlap(name, left, right, int(size), is_identical)


def _copydetect() -> Any:
    """Return copydetect's module; it is imported only when needed, because it loads a plotting library slowly."""
    try:
        from copydetect import detector  # noqa: PLC0415 - belongs to the `staff` extra
    except ImportError as error:
        raise UsageError(f"similarity needs copydetect: {install_command('staff')}") from error
    return detector


def _fingerprint(text: str) -> Any:
    """Return copydetect's fingerprint of `text` as Python, with every k-gram in it."""
    return _copydetect().CodeFingerprint("text.py", K, 1, None, True, "python", io.StringIO(text))


def _forget(prints: Mapping[str, Any], template: set[int]) -> None:
    """Remove the k-grams of the template, and those that are common to the class, from `prints`."""
    from copydetect.utils import get_token_coverage  # noqa: PLC0415 - belongs to the `staff` extra

    counted = Counter(gram for code in prints.values() for gram in code.hashes)
    bound = max(COMMON_AT_LEAST, COMMON_SHARE * len(prints))
    common = template | {gram for gram, count in counted.items() if count > bound}
    for code in prints.values():
        code.hashes = code.hashes - common
        code.hash_idx = {gram: places for gram, places in code.hash_idx.items() if gram not in common}
        code.token_coverage = get_token_coverage(code.hash_idx, K, len(code.filtered_code))


def _candidates(grams: Sequence[set[int]], most: int) -> list[tuple[int, int]]:
    """Return at most `most` pairs of sets, those that share the largest part of the smaller set first."""
    numbers = {gram: column for column, gram in enumerate(sorted(set().union(*grams)))}
    if not numbers:
        return []
    rows = np.repeat(np.arange(len(grams)), [len(each) for each in grams])
    columns = np.array([numbers[gram] for each in grams for gram in each])
    table = sparse.csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=(len(grams), len(numbers)))
    shared = sparse.triu(table @ table.T, k=1).tocoo()
    sizes = np.array([max(len(each), 1) for each in grams])
    shares = shared.data / np.minimum(sizes[shared.row], sizes[shared.col])
    order = np.lexsort((shared.col, shared.row, -shares))[:most]
    return [(int(shared.row[place]), int(shared.col[place])) for place in order]


def _lines(text: str, spans: Any) -> tuple[int, ...]:
    """Return the numbers of the lines that the spans of characters overlap."""
    ends = np.cumsum([len(line) + 1 for line in text.split("\n")])
    numbers: set[int] = set()
    for start, end in np.asarray(spans).T.astype(int).tolist():
        first, last = np.searchsorted(ends, [start, max(end - 1, start)], side="right").tolist()
        numbers.update(range(first + 1, min(last, len(ends) - 1) + 2))
    return tuple(sorted(numbers))


def read_similarities(store: Store) -> Similarities | None:
    """Return the last result; None if nothing was compared yet, or the file is damaged and must be made again."""
    try:
        return read_record(store.similarities, Similarities) if store.similarities.is_file() else None
    except UsageError:
        return None


def flagged(roster: Roster, similar: Similarities | None) -> Roster:
    """Return `roster` with a flag at each hand-in that has the same code as others."""
    if similar is None:
        return roster
    labels = {handin.key: " and ".join(handin.labels) for handin in roster.handins}
    handins = (replace(handin, flags=(*handin.flags, *_flags(handin, similar, labels))) for handin in roster.handins)
    return replace(roster, handins=tuple(handins))


def _flags(handin: Handin, similar: Similarities, labels: dict[str, str]) -> Iterator[str]:
    shared: dict[tuple[str, ...], list[str]] = {}
    for equal in similar.equal:
        if handin.key in equal.keys:
            others = tuple(labels[key] for key in equal.keys if key != handin.key and key in labels)
            shared.setdefault(others, []).append(equal.name)
    for others, names in shared.items():
        if others:
            yield f"{listed(names)}: the same code as {listed(others)}, but for layout and comments"
