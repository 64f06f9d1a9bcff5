"""What keys ask of the views, and the keys."""

from __future__ import annotations

from enum import StrEnum

from todo_tui.tui.action_keys import bind


class ViewWish(StrEnum):
    """Something that a key or a click wants of the views."""

    BEFORE = "view_before"
    AFTER = "view_after"
    MENU = "views"
    CALENDAR = "calendar"
    WHY = "why"


_NAMES = {
    ViewWish.BEFORE: "view before",
    ViewWish.AFTER: "next view",
    ViewWish.MENU: "views",
    ViewWish.CALENDAR: "calendar",
    ViewWish.WHY: "why here",
}

VIEW_KEYS = tuple(bind(f"list.{wish}", f"view('{wish}')", _NAMES[wish]) for wish in ViewWish)
"""The bindings of the list that go to views and explain them."""
