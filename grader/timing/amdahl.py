"""Amdahl's law: how much faster n cores can be.

If a fraction s of the time on one core cannot be shared, then

    T(n) = T(1)·(s + (1 - s)/n)        S(n) = T(1)/T(n) = 1/(s + (1 - s)/n)  <=  1/s

(G. M. Amdahl, "Validity of the single processor approach to achieving large scale computing capabilities", AFIPS 1967.)
Solved for s at one n, this is the experimentally determined serial fraction of A. H. Karp and H. P. Flatt ("Measuring
parallel processor performance", CACM 33(5), 1990). With several n, s is fitted by least squares: with y = 1/S(n) - 1/n
and x = 1 - 1/n the law reads y = s·x, so that s = sum(x·y)/sum(x²).
"""

from collections.abc import Mapping


def fit_serial_fraction(times_s: Mapping[int, float]) -> float | None:
    """Return the serial fraction, 0 to 1, that fits seconds by number of cores; None without 1 core and more."""
    more = {cores: seconds for cores, seconds in times_s.items() if cores > 1 and seconds > 0}
    alone_s = times_s.get(1, 0.0)
    if not more or alone_s <= 0:
        return None
    pairs = [(1 - 1 / cores, seconds / alone_s - 1 / cores) for cores, seconds in more.items()]
    fitted = sum(x * y for x, y in pairs) / sum(x * x for x, _y in pairs)
    return min(max(fitted, 0.0), 1.0)


def bound(serial_fraction: float, cores: int) -> float:
    """Return the most that `cores` cores can be faster than one: 1/(s + (1 - s)/n)."""
    return 1.0 / (serial_fraction + (1.0 - serial_fraction) / cores)


def limit(serial_fraction: float) -> float:
    """Return the most that any number of cores can be faster than one: 1/s; infinite without a serial part."""
    return 1.0 / serial_fraction if serial_fraction else float("inf")
