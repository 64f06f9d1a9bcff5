"""The grammar of whole projects: rename one, merge two, delete what is in one."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Act, Deed, Intent, Regroup
from todo_tui.providers.offline.pattern import Build, Rule, Slots
from todo_tui.providers.offline.slot_values import names_in

_GROUP = r"(?:project|list|folder|category)"
_NAMED = r"(?:called |named )?"


def _regrouped(*, sure: bool) -> Build:
    def build(slots: Slots) -> Intent | None:
        old, new = names_in(slots["old"]), names_in(slots["new"])
        alone = old and new and "," not in old + new
        return Regroup(old, new, sure=sure) if alone else None

    return build


def _retagged(slots: Slots) -> Intent | None:
    old = names_in(slots.get("old") or slots.get("was") or "")
    new = names_in(slots.get("new") or slots.get("now") or "")
    return Regroup(old, new, sure=True, tag=True) if old and new else None


WHOLE_PROJECTS = (
    Rule(
        rf"(?:rename|retitle|change(?: the name of)?) (?:the |my )?{_GROUP} {_NAMED}"
        rf"(?P<old>[^ ]+(?: [^ ]+)?) (?:to|as|into) (?:the |a )?(?:{_GROUP} )?{_NAMED}(?P<new>.+)",
        _regrouped(sure=True),
    ),
    Rule(
        rf"(?:rename|retitle|change) (?:the |my )?(?P<old>[^ ]+) {_GROUP} (?:to|as|into) "
        rf"(?:the |a )?(?P<new>[^ ]+)(?: {_GROUP})?",
        _regrouped(sure=True),
    ),
    Rule(
        r"(?:rename) (?P<old>#(?!\d)[^ ]+) (?:to|as|into) (?P<new>#?[^ ]+)",
        _regrouped(sure=True),
    ),
    Rule(
        r"(?:rename|retitle|change|retag|replace) (?:the )?(?:tag|label) (?P<old>@?[^ ]+)"
        r" (?:to|as|into|with|by) (?:the )?(?:tag |label )?(?P<new>@?[^ ]+)",
        _retagged,
    ),
    Rule(
        r"(?:rename|retag|retitle) (?P<old>@[^ ]+) (?:to|as|into|with) (?P<new>@?[^ ]+)"
        r"|retag (?P<was>[^ ]+) (?:to|as|into|with) (?P<now>[^ ]+)",
        _retagged,
    ),
    Rule(
        rf"(?:merge|fold|combine) (?:the |my )?(?:{_GROUP} )?(?P<old>[^ ]+)(?: {_GROUP})? (?:in ?to"
        rf"|with|in) (?:the |my )?(?:{_GROUP} )?(?P<new>[^ ]+)(?: {_GROUP})?",
        _regrouped(sure=False),
        strong=False,
    ),
    Rule(
        rf"DELETE (?:the |my )?(?:whole |entire )?{_GROUP} {_NAMED}(?P<old>[^ ]+)",
        lambda slots: Act(Deed.DELETE, f"everything in project {names_in(slots['old'])}", ask=True),
    ),
    Rule(
        r"DELETE (?:the |my )(?:whole |entire )?(?P<old>[^ ]+) (?:project|folder|category)",
        lambda slots: Act(Deed.DELETE, f"everything in project {names_in(slots['old'])}", ask=True),
    ),
)
