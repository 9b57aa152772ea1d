"""Plots of checks' facts; a fact that does not have the expected form gives no plot.

Accuracy over epochs, times, a speed verdict with every sample; how a program scales: efficiency over ranks,
Amdahl's law, and the calls of ranks over time.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from statistics import median
from typing import Any

from grader.model import Result, printable
from grader.reports import figure
from grader.reports.figure import SHORTEST_S, WIDTH, Axis, Drawing, Shape, bar, columns, dot, line, path, rows, words
from grader.reports.story import seconds_text

CURVE_FACT = "accuracy_per_epoch_percent"
CURVE_HEIGHT = 200
_MAX_POINTS, _MAX_LABELS = 200, 12
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 24, 18, 32
_INSET = 24
_WHOLE = 100.0
_STEPS = (1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0)  # steps between grid lines of a percent axis; each divides 100


def curve(result: Result) -> Drawing | None:
    """Return the plot of `accuracy_per_epoch_percent`; None unless that is a list with two or more percentages.

    Values that are not numbers from 0 to 100 are left out.
    """
    fact = result.observation.facts.get(CURVE_FACT)
    numbers = fact[:_MAX_POINTS] if isinstance(fact, list | tuple) else ()
    values = [float(value) for value in numbers if figure.is_number(value) and 0 <= value <= _WHOLE]
    if len(values) < 2:  # noqa: PLR2004 - one point is no curve
        return None
    bound = result.criterion.threshold.above if result.criterion.threshold else None
    bounds = [] if bound is None or not 0 <= bound <= _WHOLE else [bound]
    ticks = _ticks([*values, *bounds])
    across = Axis(0, len(values) - 1, _LEFT + _INSET, WIDTH - _RIGHT - _INSET)
    up = Axis(ticks[0], ticks[-1], CURVE_HEIGHT - _BOTTOM, _TOP)
    shapes = [*rows(up, ticks, "{:g} %".format, _LEFT, WIDTH - _RIGHT)]
    for needed in bounds:
        y = up.at(needed)
        label = words("needed", WIDTH - _RIGHT, y + 14, f"{needed:g} % needed", "end")
        shapes += [line("needed", (_LEFT, y), (WIDTH - _RIGHT, y)), label]
    points = [(across.at(place), up.at(value)) for place, value in enumerate(values)]
    shapes += [path("curve", points), *(dot("dot", x, y, 3.5) for x, y in points)]
    for epoch, ((x, y), value) in enumerate(zip(points, values, strict=True), start=1):
        if len(points) <= _MAX_LABELS:
            shapes.append(words("value", x, y - 9, f"{value:.1f}", "middle"))
            shapes.append(words("", x, CURVE_HEIGHT - 8, str(epoch), "middle"))
    described = "Accuracy after each epoch in percent: " + ", ".join(f"{value:.2f}" for value in values)
    return Drawing("Accuracy after each epoch", CURVE_HEIGHT, tuple(shapes), described)


def _ticks(values: Sequence[float]) -> list[float]:
    """Return the grid lines of a percent axis: three or more, with some space around the values."""
    low, high = min(values), max(values)
    step = next((step for step in _STEPS if high - low <= 4 * step), _STEPS[-1])
    first = max(math.floor(low / step - 0.5), 0)
    last = min(math.ceil(high / step + 0.2), round(_WHOLE / step))
    first = min(first, last - 2) if last > 1 else 0
    return [step * number for number in range(first, max(last, first + 2) + 1)]


BARS_FACT, BARS_LEFT = "best_times_s", 96
_BARS_RIGHT, _MAX_BARS = 76, 12
_LOG_FROM_RATIO = 20


def bars(result: Result) -> Drawing | None:
    """Return the plot of `best_times_s`; None unless that is a mapping of names to positive seconds."""
    times = figure.named_numbers(result.observation.facts.get(BARS_FACT), _MAX_BARS, 24, math.nextafter(SHORTEST_S, 1))
    if not times:
        return None
    shortest, longest = min(times.values()), max(times.values())
    logarithmic = longest > shortest * _LOG_FROM_RATIO
    low, high = figure.whole_decades(shortest, longest) if logarithmic else (0.0, longest)
    axis = Axis(low, high, BARS_LEFT, WIDTH - _BARS_RIGHT, logarithmic)
    drawn = [(name, value, "time", seconds_text(value)) for name, value in times.items()]
    shapes, height = figure.named_bars(axis, drawn, top=6)
    grid = axis.decades() if logarithmic else axis.even_values()
    shapes = [*columns(axis, grid, lambda value: seconds_text(value) if value else "0", height + 30), *shapes]
    described = "Best times: " + ", ".join(f"{name} {label}" for name, _value, _kind, label in drawn)
    return Drawing("Best times" + logarithmic * " (logarithmic scale)", height + 30, tuple(shapes), described)


SAMPLES_FACT, SPLIT_FACT, FIRST_FACT = "times_s", "gpu", "first_call_s"
ROW_HEIGHT, INTERVAL_HEIGHT = 34, 64
_MAX_ROWS, _MAX_DOTS = 8, 80
_ROWS_LEFT, _ROWS_RIGHT = 96, 24
_TURNS = 380  # if a median is at this pixel or further right, its label is on its left
_ROOM = 1.6


def split(result: Result) -> Drawing | None:
    """Return a bar that splits one GPU call into copies and the rest; None unless the facts have both times."""
    fact = result.observation.facts.get(SPLIT_FACT)
    if not isinstance(fact, Mapping) or not all(figure.is_positive(fact.get(name)) for name in ("copying_s", "call_s")):
        return None
    call_s, copying_s = float(fact["call_s"]), float(fact["copying_s"])
    share = min(copying_s / call_s, 1.0)
    copying = f"plain copies: {seconds_text(copying_s)} ({100 * share:.0f} %)"
    rest = f"kernel, Python, other copies: {seconds_text(max(call_s - copying_s, 0.0))}"
    shapes = (
        *(bar("rest", 0, 4, WIDTH, 14), bar("time", 0, 4, share * WIDTH, 14)),
        *(words("", 0, 36, copying), words("", WIDTH, 36, rest, "end")),
    )
    first = result.observation.facts.get(FIRST_FACT)
    calls = figure.named_numbers(first, _MAX_ROWS, 24, math.nextafter(SHORTEST_S, 1)).items()
    times = ", ".join(f"{name} {seconds_text(value)}" for name, value in calls)
    note = f"First calls, which compile: {times}." if times else ""
    described = f"One call takes {seconds_text(call_s)}: {copying}; {rest}"
    return Drawing("One call of the GPU function", 46, shapes, described, note)


def interval(result: Result) -> Drawing | None:
    """Return the plot of the interval with a threshold; None unless it is two positive numbers in order."""
    ends = interval_ends(result)
    if ends is None:
        return None
    low, high, bound = ends
    axis = Axis(min(low, bound) / _ROOM, max(high, bound) * _ROOM, _ROWS_LEFT, WIDTH - _ROWS_RIGHT, is_logarithmic=True)
    x, end, needed = axis.at(low), axis.at(high), axis.at(bound)
    is_clear = low >= bound or high < bound
    shapes = (
        *columns(axis, axis.round_values(), "{:g}".format, INTERVAL_HEIGHT),
        *(line("needed", (needed, 4), (needed, 40)), words("needed", needed + 5, 12, f"{bound:g} needed")),
        bar("interval clear" if is_clear else "interval", x, 20, max(end - x, 3), 12),
        *(words("value", x - 6, 30, f"{low:.3g}", "end"), words("value", max(end, x + 3) + 6, 30, f"{high:.3g}")),
    )
    described = f"Measured between {low:.3g} and {high:.3g}, {bound:g} needed"
    return Drawing("Speed-up, as an interval", INTERVAL_HEIGHT, shapes, described)


def interval_ends(result: Result) -> tuple[float, float, float] | None:
    """Return the measured interval and its threshold: low, high, bound; None unless all are positive and in order."""
    threshold = result.criterion.threshold
    ends = result.observation.facts.get(threshold.fact) if threshold else None
    if not threshold or not isinstance(ends, list | tuple) or len(ends) != 2 or not all(map(figure.is_positive, ends)):  # noqa: PLR2004 - two ends
        return None
    low, high = float(ends[0]), float(ends[1])
    return (low, high, threshold.bound) if low <= high and threshold.bound > 0 else None


def strips(result: Result) -> Drawing | None:
    """Return the plot of `times_s`; None unless that is a mapping of names to lists with positive seconds."""
    lists = figure.named_lists(result.observation.facts.get(SAMPLES_FACT), _MAX_ROWS, 16)
    samples = {
        name: times for name, values in lists.items() if (times := [*map(float, filter(figure.is_positive, values))])
    }
    if not samples:
        return None
    every = [value for values in samples.values() for value in values]
    axis = Axis(min(every) / 1.2, max(every) * 1.2, _ROWS_LEFT, WIDTH - _ROWS_RIGHT, is_logarithmic=True)
    height = ROW_HEIGHT * len(samples) + 30
    shapes = [*columns(axis, axis.round_values(most=5), seconds_text, height)]
    for row, (name, values) in enumerate(samples.items()):
        y, middle = ROW_HEIGHT * row + ROW_HEIGHT / 2, axis.at(median(values))
        shapes += [words("", _ROWS_LEFT - 8, y + 4, name, "end"), line("middle", (middle, y - 11), (middle, y + 11))]
        shown = values[:: math.ceil(len(values) / _MAX_DOTS)]
        shapes += [dot("sample", axis.at(value), y + (i % 5 - 2) * 3.0) for i, value in enumerate(shown)]
        x, anchor = (middle + 8, "start") if middle < _TURNS else (middle - 8, "end")
        shapes.append(words("value", x, y - 6, seconds_text(median(values)), anchor))
    lines = (f"{name} {len(values)}, median {seconds_text(median(values))}" for name, values in samples.items())
    title = "Every sample, and the medians (logarithmic scale)"
    return Drawing(title, height, tuple(shapes), f"Samples: {'; '.join(lines)}")


EFFICIENCY_FACT = "efficiency_percent"
LINES_HEIGHT = 236
_LINES_LEFT, _LINES_RIGHT, _LINES_BOTTOM = 60, 20, LINES_HEIGHT - 84
_LINES_UP = _LINES_BOTTOM, 16
_LEGEND_HEIGHT = 20
_MAX_LINES, _MAX_RANKS_SHOWN = 4, 16
Curves = dict[str, list[float | None]]


def efficiency(result: Result) -> Drawing | None:
    """Return the plot of `efficiency_percent`, from 0 % up; None if there are no lines."""
    ranks, curves = _read(result.observation.facts.get(EFFICIENCY_FACT))
    if not curves:
        return None
    up = Axis(0.0, max(_WHOLE, *_known(curves.values())), *_LINES_UP)
    title = "Efficiency over the number of ranks: speed-up divided by ranks"
    grid = rows(up, [part / 4 * _WHOLE for part in range(5)], "{:g} %".format, _LINES_LEFT, WIDTH - _LINES_RIGHT)
    lines = (f"{name} {', '.join(f'{value:.3g} %' for value in _known([values]))}" for name, values in curves.items())
    described = f"Efficiency by number of ranks: {'; '.join(lines)}"
    return Drawing(title, LINES_HEIGHT, (*grid, *_draw(ranks, curves, up)), described)


def _read(fact: Any) -> tuple[list[int], Curves]:
    """Return the numbers of ranks and name -> values; a value is None if it is not a number of 0 or more."""
    lists = figure.named_lists(fact, _MAX_POINTS, 24)
    ranks = [int(value) for value in lists.pop("ranks", [])[:_MAX_RANKS_SHOWN] if figure.is_number(value) and value > 0]
    curves: Curves = {
        name: [float(value) if figure.is_number(value) and value >= 0 else None for value in values[: len(ranks)]]
        for name, values in list(lists.items())[:_MAX_LINES]
    }
    return ranks, {name: values for name, values in curves.items() if any(value is not None for value in values)}


def _known(lines: Iterable[list[float | None]]) -> list[float]:
    return [value for values in lines for value in values if value is not None]


def _draw(ranks: list[int], curves: Curves, up: Axis) -> Iterator[Shape]:
    """Yield the lines over the numbers of ranks, which have equal distances, and the legend."""
    across = Axis(0, max(len(ranks) - 1, 1), _LINES_LEFT + 20, WIDTH - _LINES_RIGHT - 20)
    for place, count in enumerate(ranks):
        label = f"{count} ranks" if place == 0 and count > 1 else str(count)
        yield words("", across.at(place), _LINES_BOTTOM + 20, label, "middle")
    for number, (name, values) in enumerate(curves.items()):
        points = [(across.at(place), up.at(value)) for place, value in enumerate(values) if value is not None]
        yield path(f"line-{number}", points)
        yield from (dot("point", x, y) for x, y in points)
        x = _LINES_LEFT + (WIDTH - _LINES_LEFT) / 2 * (number % 2)
        y = LINES_HEIGHT - 26 + _LEGEND_HEIGHT * (number // 2)
        yield path(f"line-{number}", [(x, y - 4), (x + 22, y - 4)])
        yield words("", x + 27, y, name)


SHARES_FACT, BOUNDS_FACT, MEASURED_FACT = "parallel_parts_percent", "speedup_bounds", "speedup_measured"
_MAX_PARTS = 6
_BOUNDS_LEFT, _BOUNDS_RIGHT = 170, 90
_PARTS_ACROSS, _PARTS_TOP = 3, 40
_LETTERS = 26


def amdahl(result: Result) -> Drawing | None:
    """Return a bar with the parallel parts and the rest; None unless the facts have shares of at most 100 % in sum."""
    shares = figure.named_numbers(result.observation.facts.get(SHARES_FACT), _MAX_PARTS, _LETTERS)
    if not shares or sum(shares.values()) > _WHOLE + 1 or not sum(shares.values()):
        return None
    rest = max(_WHOLE - sum(shares.values()), 0.0)
    names = [f"{name} {share:.3g} %" for name, share in (*shares.items(), ("not parallel", rest))]
    ends = list(accumulate((*shares.values(), rest), initial=0.0))
    scale, shapes = WIDTH / ends[-1], []
    for place, (name, left, right) in enumerate(zip(names, ends, ends[1:], strict=False)):
        kind = f"part-{place}" if place < len(shares) else "rest"
        x, y = place % _PARTS_ACROSS * WIDTH / _PARTS_ACROSS, _PARTS_TOP + place // _PARTS_ACROSS * _LEGEND_HEIGHT
        shapes.append(bar(kind, left * scale, 4, (right - left) * scale, 18))
        shapes += [bar(kind, x, y - 10, 11, 11), words("", x + 17, y, name)]
    height = _PARTS_TOP + _LEGEND_HEIGHT * -(-len(names) // _PARTS_ACROSS)
    return Drawing("What can run in parallel", height, tuple(shapes), "Parts of the time: " + ", ".join(names))


def bounds(result: Result) -> Drawing | None:
    """Return a bar for each bound by the law, and one for the measured value; None if there are no parts."""
    facts = result.observation.facts
    allowed = figure.named_numbers(facts.get(BOUNDS_FACT), _MAX_PARTS, _LETTERS)
    measured = figure.named_numbers({"measured on the GPU": facts.get(MEASURED_FACT)}, 1, _LETTERS)
    longest = max((*allowed.values(), *measured.values()), default=0.0)
    if not longest or amdahl(result) is None:
        return None
    drawn = [(name, value, "bound", f"at most {value:.3g}") for name, value in allowed.items()]
    drawn += [(name, value, "time", f"{value:.3g}") for name, value in measured.items()]
    shapes, height = figure.named_bars(Axis(0.0, longest, _BOUNDS_LEFT, WIDTH - _BOUNDS_RIGHT), drawn, top=4)
    described = "Times as fast: " + ", ".join(f"{name} {label}" for name, _value, _kind, label in drawn)
    return Drawing("How many times as fast it can become, by Amdahl's law", height + 4, tuple(shapes), described)


CALLS_FACT = "calls_of_ranks"
_LANE_HEIGHT, _BAR = 34, 14
_LANES_LEFT, _LANES_RIGHT, _LANES_TOP = 56, 14, 6
_MAX_RANKS, _MAX_CALLS = 64, 200
_NARROWEST = 2.0


def space_time(result: Result) -> Drawing | None:
    """Return the drawing of `calls_of_ranks`; None if the fact is missing or has another form."""
    fact = result.observation.facts.get(CALLS_FACT)
    if not isinstance(fact, Mapping) or not figure.is_number(fact.get("ranks")):
        return None
    ranks = min(int(fact["ranks"]), _MAX_RANKS)
    calls = [row for row in _rows(fact.get("calls"), 5) if all(map(figure.is_number, row[:3])) and 0 <= row[0] < ranks]
    if not calls:
        return None
    end_ms = max(max(row[1], row[2]) for row in calls) * 1.04 + 0.1
    across, height = Axis(0.0, end_ms, _LANES_LEFT, WIDTH - _LANES_RIGHT), _LANES_TOP + _LANE_HEIGHT * ranks + 26

    def y_of(rank: float) -> float:
        return _LANES_TOP + _LANE_HEIGHT * rank + _LANE_HEIGHT / 2

    shapes = [*columns(across, [end_ms * part / 4 for part in range(4)], "{:.3g} ms".format, height)]
    for rank in range(ranks):
        shapes.append(words("", _LANES_LEFT - 8, y_of(rank) + 4, f"rank {rank}", "end"))
        shapes.append(line("middle", (_LANES_LEFT, y_of(rank)), (WIDTH - _LANES_RIGHT, y_of(rank))))
    shapes += [_span(row, across, y_of(row[0])) for row in calls]
    messages = [row for row in _rows(fact.get("messages"), 4) if all(map(figure.is_number, row)) and row[3] >= 0]
    shapes += [
        line("message", (across.at(row[1]), y_of(row[0])), (across.at(row[3]), y_of(row[2]))) for row in messages
    ]
    title = "Calls of each rank over time, and messages between them"
    stuck = ", ".join(f"rank {row[0]} in {printable(str(row[3]), 24)}" for row in calls if _is_stuck(row))
    described = f"{len(calls)} calls of {ranks} ranks over time, {len(messages)} messages between them"
    return Drawing(title, height, tuple(shapes), described + (f"; without an end: {stuck}" if stuck else ""))


def _rows(value: Any, length: int) -> list[Sequence[Any]]:
    rows = value if isinstance(value, list | tuple) else ()
    return [row for row in rows[:_MAX_CALLS] if isinstance(row, list | tuple) and len(row) == length]


def _is_stuck(row: Sequence[Any]) -> bool:
    """Return whether a call did not end; nonblocking calls, such as `Isend`, do not count."""
    return bool(row[2] < 0 and str(row[3])[:1] not in "Ii")


def _span(row: Sequence[Any], across: Axis, y: float) -> Shape:
    begin_ms, stuck = float(row[1]), _is_stuck(row)
    x = across.at(begin_ms)
    width = across.at(across.high if stuck else max(float(row[2]), begin_ms)) - x
    label = f"{printable(str(row[3]), 24)} {printable(str(row[4]), 80)}{', which did not end' if stuck else ''}"
    return bar("call stuck" if stuck else "call", x, y - _BAR / 2, max(width, _NARROWEST), _BAR, label)


PLOTS: Mapping[Callable[[Result], Drawing | None], tuple[str, ...]] = {
    space_time: (CALLS_FACT,),
    curve: (CURVE_FACT,),
    interval: (),
    strips: (SAMPLES_FACT,),
    split: (FIRST_FACT,),
    bars: (BARS_FACT,),
    efficiency: (EFFICIENCY_FACT,),
    amdahl: (SHARES_FACT, BOUNDS_FACT, MEASURED_FACT),
    bounds: (),
}
"""Function of a plot, in the order of the page -> the facts that the plot shows, so that the text can omit them."""
