"""The plot of Amdahl's law: which parts can run in parallel, what that allows at most, and what was measured."""

from __future__ import annotations

from itertools import accumulate

from grader.model import Result
from grader.reports.figure import WIDTH, Drawing, bar, named_numbers, words

SHARES_FACT = "parallel_parts_percent"
BOUNDS_FACT, MEASURED_FACT = "speedup_bounds", "speedup_measured"
_MAX_PARTS, _MAX_BARS = 6, 6
BARS_LEFT, _BARS_RIGHT, _BAR_HEIGHT = 170, 90, 26
_LEGEND_ACROSS, _LEGEND_HEIGHT, _LEGEND_TOP = 3, 20, 40
_WHOLE, _LETTERS = 100.0, 26


def amdahl(result: Result) -> Drawing | None:
    """Return the parts as pieces of a bar, `None` where the facts hold no shares that add up to at most the whole."""
    shares = named_numbers(result.observation.facts.get(SHARES_FACT), _MAX_PARTS, _LETTERS)
    if not shares or sum(shares.values()) > _WHOLE + 1 or not sum(shares.values()):
        return None
    rest = max(_WHOLE - sum(shares.values()), 0.0)
    names = [f"{name} {share:.3g} %" for name, share in (*shares.items(), ("not parallel", rest))]
    ends = list(accumulate((*shares.values(), rest), initial=0.0))
    scale, shapes = WIDTH / ends[-1], []
    for place, (name, left, right) in enumerate(zip(names, ends, ends[1:], strict=False)):
        kind = f"part-{place}" if place < len(shares) else "rest"
        x, y = place % _LEGEND_ACROSS * WIDTH / _LEGEND_ACROSS, _LEGEND_TOP + place // _LEGEND_ACROSS * _LEGEND_HEIGHT
        shapes.append(bar(kind, left * scale, 4, (right - left) * scale, 18))
        shapes += [bar(kind, x, y - 10, 11, 11), words("", x + 17, y, name)]
    height = _LEGEND_TOP + _LEGEND_HEIGHT * -(-len(names) // _LEGEND_ACROSS)
    return Drawing("What can run in parallel", height, tuple(shapes), "Parts of the time: " + ", ".join(names))


def bounds(result: Result) -> Drawing | None:
    """Return a bar for each bound of the law, and one for what was measured, from 0 on; `None` without any parts."""
    facts = result.observation.facts
    allowed = named_numbers(facts.get(BOUNDS_FACT), _MAX_BARS, _LETTERS)
    measured = named_numbers({"measured on the GPU": facts.get(MEASURED_FACT)}, 1, _LETTERS)
    longest = max((*allowed.values(), *measured.values()), default=0.0)
    if not longest or amdahl(result) is None:
        return None
    drawn = [(name, value, "bound", f"at most {value:.3g}") for name, value in allowed.items()]
    drawn += [(name, value, "time", f"{value:.3g}") for name, value in measured.items()]
    shapes = []
    for row, (name, value, kind, label) in enumerate(drawn):
        y, width = _BAR_HEIGHT * row, (WIDTH - BARS_LEFT - _BARS_RIGHT) * value / longest
        shapes += [words("", BARS_LEFT - 10, y + 17, name, "end"), bar(kind, BARS_LEFT, y + 4, width)]
        shapes.append(words("value", BARS_LEFT + width + 8, y + 17, label))
    described = "Times as fast: " + ", ".join(f"{name} {label}" for name, _value, _kind, label in drawn)
    title = "How many times as fast it can become, by Amdahl's law"
    return Drawing(title, _BAR_HEIGHT * len(drawn) + 4, tuple(shapes), described)
