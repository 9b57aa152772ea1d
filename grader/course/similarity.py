"""Which hand-ins are alike in structure: a reason to read both, never a verdict.

Names, comments, texts and layout do not count: copydetect turns code into a string of token kinds, and two files are
alike where they share its k-grams (Schleimer, Wilkerson and Aiken, Winnowing, SIGMOD 2003; here every k-gram counts,
so that the result does not depend on the order of hashes). Left out is what is in the handed-out template, and what
many hand-ins have: everybody who follows the sheet writes those lines.

All pairs are ranked by the k-grams that they share, as one sparse product; only the first of them are compared by
position. Nothing here opens a file.

Files that are equal but for layout and comments are found apart from that, however many have them.
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

K = 25
"""Characters of tokenised code in a row: shorter agreement says nothing."""
COMMON_SHARE, COMMON_AT_LEAST = 0.2, 6
"""A k-gram in more hand-ins than both is common to the class."""
LEAST_OWN = 100
"""Characters of tokenised code that a file must have beside template and class to be compared at all."""
LEAST_SHARE = 0.6
"""Of the own code of one of two files: what less of it agrees is no pair."""
_CANDIDATES_PER_PAIR = 4
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
_SHAPES = {tokenize.NEWLINE: ";", tokenize.INDENT: "{", tokenize.DEDENT: "}"}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two files: how much of its own code the other has, and on which lines."""

    share: float
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two files of the same name."""

    name: str
    first: Side
    second: Side
    size: int
    """Characters of tokenised code that both have."""
    is_identical: bool
    """Whether they are equal but for layout and comments."""

    @property
    def share(self) -> float:
        """The larger of both shares: a copy with much added is still a copy."""
        return max(self.first.share, self.second.share)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two hand-ins, by key, with the files in which they are alike; the most alike first."""

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
    """A file that several hand-ins, by key, have with the same code: equal but for layout and comments."""

    name: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """What the comparison of a class found."""

    pairs: tuple[Pair, ...] = ()
    equal: tuple[Equal, ...] = ()
    compared: int = 0
    """How many hand-ins."""
    digest: str = ""
    """Of everything that was compared: with the same digest, a new comparison finds the same."""


def compare(
    handins: Mapping[str, Mapping[str, str]],
    template: Mapping[str, str],
    announce: Callable[[str], None] = lambda _text: None,
) -> Likeness:
    """Return all that is alike; arguments and errors as of `find_pairs`."""
    pairs = find_pairs(handins, template, announce=announce)
    return Likeness(pairs, find_equal(handins, template), len(handins), digest_of(handins, template))


def digest_of(handins: Mapping[str, Mapping[str, str]], template: Mapping[str, str]) -> str:
    """Return a digest of all texts and of who handed them in."""
    texts = [sorted((key, sorted(files.items())) for key, files in handins.items()), sorted(template.items())]
    return hashlib.sha256(repr(texts).encode("utf-8", "replace")).hexdigest()[:16]


def find_equal(handins: Mapping[str, Mapping[str, str]], template: Mapping[str, str]) -> tuple[Equal, ...]:
    """Return the files that several hand-ins have with the same code; not those as they were handed out, or tiny."""
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
    """Return the code of `text` without layout and comments; of what is no Python, its words."""
    try:
        return "\n".join(_tokens(text.lstrip("\ufeff").replace("\r\n", "\n")))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return " ".join(text.split())


def _tokens(text: str) -> Iterator[str]:
    """Yield the tokens that mean something; of the ends of lines and the depths of blocks, only that they are there."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _SHAPES:
            yield _SHAPES[token.type]
        elif token.type not in _LAYOUT:
            yield token.string


def find_pairs(
    handins: Mapping[str, Mapping[str, str]],
    template: Mapping[str, str],
    *,
    most: int = 100,
    announce: Callable[[str], None] = lambda _text: None,
) -> tuple[Pair, ...]:
    """Return the pairs of hand-ins of which a file's own code agrees by `LEAST_SHARE`, the most alike first.

    `handins` has the text of each file by its name, for each key; the code of `template` does not count, and
    there are at most `most` pairs.

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
    """Yield the pairs of hand-ins whose files of this name are alike."""
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
    """Return copydetect's module; it draws plots of its own and is slow to import, so only who needs it pays."""
    try:
        from copydetect import detector  # noqa: PLC0415 - belongs to the `staff` extra
    except ImportError as error:
        raise UsageError(f"similarity needs copydetect: {install_command('staff')}") from error
    return detector


def _fingerprint(text: str) -> Any:
    """Return copydetect's fingerprint of `text` as Python, with every k-gram in it."""
    return _copydetect().CodeFingerprint("text.py", K, 1, None, True, "python", io.StringIO(text))


def _forget(prints: Mapping[str, Any], template: set[int]) -> None:
    """Take out of `prints` what the template has, and what is common to the class."""
    from copydetect.utils import get_token_coverage  # noqa: PLC0415 - belongs to the `staff` extra

    counted = Counter(gram for code in prints.values() for gram in code.hashes)
    bound = max(COMMON_AT_LEAST, COMMON_SHARE * len(prints))
    common = template | {gram for gram, count in counted.items() if count > bound}
    for code in prints.values():
        code.hashes = code.hashes - common
        code.hash_idx = {gram: places for gram, places in code.hash_idx.items() if gram not in common}
        code.token_coverage = get_token_coverage(code.hash_idx, K, len(code.filtered_code))


def _candidates(grams: Sequence[set[int]], most: int) -> list[tuple[int, int]]:
    """Return the pairs of sets that share the largest part of the smaller one, at most `most`."""
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
    """Return the numbers of the lines that the spans of characters touch."""
    ends = np.cumsum([len(line) + 1 for line in text.split("\n")])
    numbers: set[int] = set()
    for start, end in np.asarray(spans).T.astype(int).tolist():
        first, last = np.searchsorted(ends, [start, max(end - 1, start)], side="right").tolist()
        numbers.update(range(first + 1, min(last, len(ends) - 1) + 2))
    return tuple(sorted(numbers))


def read_likeness(store: Store) -> Likeness | None:
    """Return what was found last, `None` if nothing was compared or the record is damaged: it can be made again."""
    try:
        return read_record(store.likeness, Likeness) if store.likeness.is_file() else None
    except UsageError:
        return None


def flagged(roster: Roster, likeness: Likeness | None) -> Roster:
    """Return `roster` with a flag at each hand-in that has the same code as others."""
    if likeness is None:
        return roster
    labels = {handin.key: " and ".join(handin.labels) for handin in roster.handins}
    handins = (replace(handin, flags=(*handin.flags, *_flags(handin, likeness, labels))) for handin in roster.handins)
    return replace(roster, handins=tuple(handins))


def _flags(handin: Handin, likeness: Likeness, labels: dict[str, str]) -> Iterator[str]:
    shared: dict[tuple[str, ...], list[str]] = {}
    for equal in likeness.equal:
        if handin.key in equal.keys:
            others = tuple(labels[key] for key in equal.keys if key != handin.key and key in labels)
            shared.setdefault(others, []).append(equal.name)
    for others, names in shared.items():
        if others:
            yield f"{listed(names)}: the same code as {listed(others)}, but for layout and comments"
