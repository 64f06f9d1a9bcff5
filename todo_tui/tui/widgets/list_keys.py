"""The keys of the list that do something to its tasks."""

from __future__ import annotations

from todo_tui.tui.action_keys import bind
from todo_tui.tui.deeds import Deed

DEED_KEYS = tuple(bind(f"list.{deed}", f"deed('{deed}')", deed.replace("_", " ")) for deed in Deed)
