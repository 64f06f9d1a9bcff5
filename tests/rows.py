"""Tables of quick cases: one test for a table, as to collect a test takes longer than its case."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def each_row(
    names: str | Sequence[str], rows: Iterable[Any]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Run a test with each row, whatever comes of the others; fail with all rows that are wrong.

    Names and rows are those of `pytest.mark.parametrize`. Rows share the fixtures of the test, so
    those keep no state. Several tables make every combination.
    """
    called = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    # As in pytest, one name, not in a sequence, has bare values.
    is_bare = isinstance(names, str) and len(called) == 1
    cases = [dict(zip(called, _values(row, is_bare), strict=True)) for row in rows]

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        def run(**fixtures: object) -> None:
            wrong: list[BaseException] = []
            for case in cases:
                with _kept(case, wrong):
                    test(**fixtures, **case)
            _report(wrong, len(cases))

        async def run_async(**fixtures: object) -> None:
            wrong: list[BaseException] = []
            for case in cases:
                with _kept(case, wrong):
                    await test(**fixtures, **case)
            _report(wrong, len(cases))

        # Its marks too, as those of `parametrize`.
        runner: Any = run_async if inspect.iscoroutinefunction(test) else run
        vars(runner).update(vars(test))
        taken = inspect.signature(test)
        others = [each for name, each in taken.parameters.items() if name not in called]
        runner.__signature__ = taken.replace(parameters=others)
        runner.__name__, runner.__qualname__ = test.__name__, test.__qualname__
        runner.__doc__, runner.__module__ = test.__doc__, test.__module__
        return runner  # type: ignore[no-any-return]  # a function with a signature of its own

    return decorate


def _values(row: object, is_bare: bool) -> Sequence[object]:
    if isinstance(row, ParameterSet):
        return row.values
    if is_bare:
        return (row,)
    assert isinstance(row, Sequence)
    return row


@contextmanager
def _kept(case: dict[str, Any], wrong: list[BaseException]) -> Iterator[None]:
    try:
        yield
    except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:
        error.add_note(f"in the row {case!r}"[:2_000])
        wrong.append(error)


def _report(wrong: list[BaseException], count: int) -> None:
    if wrong:
        raise BaseExceptionGroup(f"{len(wrong)} of {count} rows are wrong", wrong)
