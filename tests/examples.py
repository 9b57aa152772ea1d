"""How many examples tests of properties try: all in runs of wide or slow tests, a quarter of them by `make test`."""

from hypothesis import HealthCheck, settings

# How long an example takes says how busy the machine is, and what is compiled meanwhile.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", UNHURRIED)
settings.register_profile("few", UNHURRIED, max_examples=25)


def choose(marks: str) -> None:
    """Choose for a run with this expression of marks, before any test is imported."""
    settings.load_profile("few" if "not wide" in marks else "all")


def examples(number: int) -> int:
    """Return how many examples this run tries of a test that tries `number` in CI."""
    return max(1, number * settings().max_examples // 100)
