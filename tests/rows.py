"""Families of small cases as one test: a test of its own costs each of them more than what it tests."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Signature, signature
from typing import Any

import pytest


def some(found: Iterable[Any]) -> list[Any]:
    """Return what there is as a list; fail if there is nothing: each assertion in a loop over it would hold."""
    listed = list(found)
    assert listed, "there is nothing to test"
    return listed


def check_rows(check: Callable[..., object], rows: Mapping[Any, Any] | Iterable[Any]) -> None:
    """Call `check` with the values of each row; fail after the last one, and name every row that failed, and why.

    Rows are name -> values, a tuple where `check` takes several arguments; or values alone, which are their own name.
    """
    named = some(rows.items() if isinstance(rows, Mapping) else [(repr(row), row) for row in rows])
    several = len(signature(check).parameters) > 1
    failed = []
    for name, values in named:
        try:
            check(*values) if several else check(values)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows are tried, too
            failed.append(f"{name}: {type(error).__name__}: {error}")
    assert not failed, f"{len(failed)} of {len(named)} rows failed\n\n" + "\n\n".join(failed)


def each(names: str, *rows: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a function that tests a row, see `check_rows`; it is used as pytest's `parametrize`.

    `rows` is one mapping or iterable of rows, or the rows themselves. Parameters not among `names` are fixtures.
    """
    own, table = names.split(", "), rows if len(rows) > 1 else rows[0]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_all(**fixtures: object) -> None:
            def check(row: Any) -> None:
                values = row if len(own) > 1 else [row]
                test(**fixtures, **dict(zip(own, values, strict=True)))

            check_rows(check, table)

        others = [parameter for name, parameter in signature(test).parameters.items() if name not in own]
        test_all.__signature__ = Signature(others)  # type: ignore[attr-defined] # what pytest asks for fixtures
        return test_all

    return decorate
