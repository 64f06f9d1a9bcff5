"""Which presses of a dangerous key count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rows import each_row
from todo_tui.tui.key_queue import REPEAT_SECONDS, HeldKeyFilter, PressDecision


class HeldKey:
    """A key whose presses, and the timers after them, come at moments that a test sets."""

    def __init__(self, *, counts_double_press: bool = False) -> None:
        self.acts = 0
        self._now = 0.0
        self._on_timer: Callable[[], None] | None = None
        self._filter = HeldKeyFilter(
            self._set_timer, lambda: self._now, counts_double_press=counts_double_press
        )

    def _set_timer(self, seconds: float, call: Callable[[], None]) -> None:
        assert seconds == REPEAT_SECONDS
        self._on_timer = call

    def _act(self) -> None:
        self.acts += 1

    def press(self, at: float) -> PressDecision:
        self._now = at
        decision = self._filter.press()
        self._filter.follow(decision, self._act)
        return decision

    def run_timer(self, at: float) -> None:
        assert self._on_timer is not None
        self._now = at
        self._on_timer()


def acts(moments: list[float], *, counts_double_press: bool = False) -> int:
    """How many of these presses act, when each that waits is asked in time."""
    key = HeldKey(counts_double_press=counts_double_press)
    for index, moment in enumerate(moments):
        decision = key.press(moment)
        following = moments[index + 1] if index + 1 < len(moments) else moment + 10
        if decision is PressDecision.WAIT and following >= moment + REPEAT_SECONDS:
            key.run_timer(moment + REPEAT_SECONDS)
    return key.acts


@each_row("delay", [0.03, 0.2, 0.25, 0.4, 0.5, 0.66, 0.75])
@each_row("rate", [0.02, 0.033, 0.05, 0.1])
@each_row("counts_double_press", [False, True])
def test_a_held_key_acts_once_however_long_its_delay_and_however_fast_it_repeats(
    delay: float, rate: float, counts_double_press: bool
) -> None:
    presses = [10.0, *(10.0 + delay + rate * number for number in range(60))]
    assert acts(presses, counts_double_press=counts_double_press) == 1


@pytest.mark.parametrize("pause", [0.01, 0.1, 0.2])
def test_a_double_press_counts_where_it_may_be_meant(pause: float) -> None:
    assert acts([10.0, 10.0 + pause], counts_double_press=True) == 2


@each_row("pause", [0.2, 0.3, 0.6, 0.9, 5.0])
def test_presses_at_the_pace_of_a_person_all_count(pause: float) -> None:
    assert acts([10.0 + pause * number for number in range(5)]) == 5


def test_after_a_held_key_is_released_the_next_press_counts() -> None:
    held = [10.0, *(10.5 + 0.03 * number for number in range(20))]
    assert acts([*held, held[-1] + 1.0]) == 2


def test_a_stall_within_the_repeats_lets_none_through() -> None:
    assert acts([10.0, 10.5, 10.53, 10.56, 10.9, 10.91, 10.92, 10.95]) == 1


def test_a_press_whose_time_is_up_long_ago_waits_for_repeats_that_were_not_read_yet() -> None:
    key = HeldKey()
    assert [key.press(10.0), key.press(10.5)] == [PressDecision.ACT, PressDecision.WAIT]
    key.run_timer(10.9)
    assert [key.press(10.9), key.press(10.91)] == [PressDecision.WAIT, PressDecision.IGNORE]
    key.run_timer(11.06)
    assert key.acts == 1


def test_a_press_that_stood_alone_on_a_slow_machine_counts_in_the_end() -> None:
    key = HeldKey()
    assert [key.press(10.0), key.press(10.5)] == [PressDecision.ACT, PressDecision.WAIT]
    key.run_timer(11.5)
    assert key.acts == 1
    key.run_timer(11.66)
    assert key.acts == 2
