"""Pattern language of the rules, slot values, and builders of intents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Incomplete,
    Intent,
    Shape,
    Show,
    Why,
)

Slots = Mapping[str, str]
Build = Callable[[Slots], Intent | None]
Check = Callable[[str], bool]
"""Return True if words can fill a kind of slot."""
MACROS: dict[str, str] = {
    "DONE": r"(?:all |both )?(?:done|complete|completed|finished|ticked off|ticked|checked off"
    r"|checked)",
    "TASK": r"(?:tasks?|to-?dos?|to-? ?do items?|items?|reminders?|entry|entries)",
    "LIST": (
        r"(?:(?:my|the|our|this|that|your) )?(?:(?:to-? ?do|task|tasks) )?(?:list|to-?dos|tasks)"
    ),
    "THE": r"(?:the |my |our |an? )?",
    "OF": r"(?:of|for|on|from|in|to)",
    "FROM": r"(?:from|off of|off|of|on)",
    "PRIORITY": r"(?:priority|prio|importance|urgency)",
    "DELETE": (
        r"(?:delete|remove|erase|drop|trash|bin|scrap|discard|ditch|cancel|kill|get rid of"
        r"|throw away|throw out|clear out|clear|purge|wipe|nuke|forget about|forget|call off)"
    ),
    "MOVE": (
        r"(?:move|reschedule|re-schedule|postpone|push|shift|delay|defer|change|bump|snooze"
        r"|put off|put|set|bring|pull|slip|carry over|carry|update|advance|make)"
    ),
    "LATER": r"(?:postpone|push|delay|defer|bump|snooze|put off|slip|move|shift|reschedule)",
    "PUT": r"(?:move|put|file|place|assign|set|transfer|stick)",
    "GROUP": r"(?:project|list|category|folder|group|area)",
    "OPENED": (
        r"(?:not done|not complete|not completed|not finished|undone|open|incomplete|to-?do"
        r"|unfinished|uncompleted|active|pending|not yet done|unchecked)"
    ),
    "DATE": r"(?:due date|due day|deadline|date|due time|due)",
    "BE": r"(?:is|are|was|were|has been|have been|got|'s|should be|must be|needs to be|will be)",
}
_MOST_READINGS = 6
_SLOT = re.compile(r"\{(\w+)\}")
_MACRO = re.compile(r"\b[A-Z]{2,}\b")
LEVELS = {
    "high": "high", "top": "high", "highest": "high", "urgent": "high", "important": "high",
    "critical": "high", "very high": "high", "very important": "high", "very urgent": "high",
    "more urgent": "raise", "more important": "raise", "higher": "raise", "less urgent": "lower",
    "less important": "lower", "lower": "lower", "medium": "medium", "normal": "medium",
    "mid": "medium", "middle": "medium", "moderate": "medium", "low": "low", "lowest": "low",
    "unimportant": "low", "not urgent": "none", "not important": "none", "no": "none",
    "none": "none", "p1": "high", "p2": "medium", "p3": "low", "!high": "high",
    "!medium": "medium", "!low": "low", "!!!": "high", "!!": "medium",
}  # fmt: skip
"""Words for a priority, and the one that they mean; `raise` and `lower` go by one step."""
_LEVEL_TAIL = re.compile(r"[- ]?(?:priority|prio|importance|urgency)$", re.IGNORECASE)
_JOINS = re.compile(r"\s*(?:,|&|\band\b)\s*|\s+(?=[@#])", re.IGNORECASE)
_SPAN = re.compile(
    r"(?:an?|one|another|half an?|\d+|two|three|four|five|six|seven|eight|nine|ten|twelve"
    r"|a couple(?: of)?"
    r"|a few)\s*(?:more )?(?:minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?"
    r"|years?|fortnights?)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"#\d|\bwith\b", re.IGNORECASE)
"""What stands in no name of a tag or project, but in the words for a task."""
_THE_LIST = re.compile(
    r"(?:(?:the|my) )?(?:(?:task |to-?do )?list|order|view|pane|screen)|the|my|our|an?|this|that",
    re.IGNORECASE,
)
"""What names no project or tag either."""
_NEW_WITH_SEVERAL = re.compile(
    r"(?!(?:the|my|our|this|that|these|those)\b).* (?:with|for|between) .*(?:\band\b|,|&)",
    re.IGNORECASE,
)
"""`a review with Carol and Bob`: what is not there yet, and no two tasks by their names."""
SUB = r"(?:sub-? ?tasks?|children|child(?: tasks?)?|sub-?items?|sub-?steps?|steps?|parts?)"
BELOW = r"(?:under|underneath|beneath|inside|within|below)"
ID = r"(?:#|task #?|number )\d+"
CUT_SHORT = re.compile(
    r"(?:^|\s)(?:its|their|the|all|and|of|my|a|an)$|\band (?:everything|anything)$", re.IGNORECASE
)
"""How words end that name nothing by themselves."""


@dataclass(frozen=True)
class Rule:
    """A pattern for a whole clause and what it means.

    `strong` when the clause is surely a command wherever it stands; otherwise it
    may be the title of a task too, as `finish the report`.
    """

    pattern: str
    build: Build
    strong: bool = True

    @cached_property
    def parts(self) -> tuple[re.Pattern[str], str, re.Pattern[str] | None]:
        """What comes before the first slot, that slot's name, and what comes after it."""
        spelled = _MACRO.sub(lambda name: MACROS.get(name[0], name[0]), self.pattern)
        slot = _SLOT.search(spelled)
        if slot is None:
            return _compiled(spelled), "", None
        return _compiled(spelled[: slot.start()]), slot[1], _compiled(spelled[slot.end() :])

    def readings(self, clause: str, checks: Mapping[str, Check]) -> Iterator[Intent]:
        """What the clause means by this rule, once for each way its slots can be filled."""
        for slots in islice(self._fillings(clause, checks), _MOST_READINGS):
            intent = self.build(slots)
            if intent is not None:
                yield intent

    def _fillings(self, clause: str, checks: Mapping[str, Check]) -> Iterator[Slots]:
        """Slots that fit, those with a short first one before those with a long one."""
        head, name, tail = self.parts
        if tail is None:
            match = head.fullmatch(clause)
            if match and all(_fits(*slot, checks) for slot in _named(match)):
                yield dict(_named(match))
            return
        begun = head.match(clause)
        if begun is None:
            return
        for end in _word_ends(clause, begun.end()):
            if not clause[begun.end() : end].strip():
                continue
            if match := tail.fullmatch(clause, end):
                slots = [(name, clause[begun.end() : end].strip()), *_named(begun), *_named(match)]
                if all(_fits(*slot, checks) for slot in slots):
                    yield dict(slots)


def _compiled(source: str) -> re.Pattern[str]:
    """A part of a pattern; slots in it are as short as they can be."""
    return re.compile(_SLOT.sub(r"(?P<\1>.+?)", source), re.IGNORECASE | re.DOTALL)


def _named(match: re.Match[str]) -> list[tuple[str, str]]:
    return [(name, (text or "").strip()) for name, text in match.groupdict().items()]


def _word_ends(text: str, start: int) -> Iterator[int]:
    """The places after `start` where a word may end."""
    for at in range(start + 1, len(text) + 1):
        if at == len(text) or not (text[at - 1].isalnum() and text[at].isalnum()):
            yield at


def _fits(name: str, words: str, checks: Mapping[str, Check]) -> bool:
    check = checks.get(name)
    return check is None or not words or check(words)


def level_of(words: str) -> str:
    """The priority that words mean, or nothing."""
    plain = words.strip().casefold()
    return LEVELS.get(plain) or LEVELS.get(_LEVEL_TAIL.sub("", plain), "")


def unlabelled(words: str) -> str:
    """A thing without the article that a title has no use for: `a haircut` is Haircut."""
    return re.sub(r"^(?:an?|the|some) ", "", words, flags=re.IGNORECASE)


def is_span(words: str) -> bool:
    """Return True if words are a length of time: `a week`, `2 days`."""
    return _SPAN.fullmatch(words.strip()) is not None


def names_in(words: str) -> str:
    """Names of tags or projects, joined with commas, their marks gone."""
    bare = re.sub(
        r"^(?:the |tags? |labels? |called |named )+|(?: tags?| labels?)$",
        "",
        words.strip(),
        flags=re.I,
    )
    names = (name.strip().lstrip("@#").strip() for name in _JOINS.split(bare))
    return ",".join(dict.fromkeys(name.replace(" ", "-") for name in names if name))


def act(deed: Deed, value: str = "") -> Build:
    """Do the deed, with a value that the pattern implies."""
    return lambda slots: Act(deed, slots["ref"], value)


def due(slots: Slots) -> Intent:
    """Set the due date to what `{when}` says."""
    return Act(Deed.DUE, slots["ref"], slots["when"])


def scheduled(slots: Slots) -> Intent:
    """Set a due date, or add a task with it where there is none."""
    title = unlabelled(slots["ref"])
    if _NEW_WITH_SEVERAL.match(slots["ref"]):
        return Add(f"{title} {slots['when']}")
    return Act(Deed.DUE, slots["ref"], slots["when"], f"{title} {slots['when']}")


def it_due(slots: Slots) -> Intent:
    """Set the due date of what was named last."""
    return Act(Deed.DUE, "it", slots["when"])


def shift(direction: str) -> Build:
    """Move the due date by `{span}`, `earlier` or `later`."""

    def build(slots: Slots) -> Intent:
        span = re.sub(r"^another ", "1 ", slots["span"], flags=re.IGNORECASE)
        return Act(Deed.SHIFT, slots["ref"], f"{span.replace(' more ', ' ')} {direction}")

    return build


def level(slots: Slots) -> Intent | None:
    """Set the priority that `{level}` names."""
    level = level_of(slots["level"])
    return Act(Deed.PRIORITY, slots["ref"], level) if level else None


def stated_level(slots: Slots) -> Intent | None:
    """`the report is urgent`; of a rent that is high, or of everything, nothing follows."""
    plain = slots["level"].casefold()
    weight = plain in LEVELS and plain.split()[-1] in ("urgent", "important", "critical")
    if slots["ref"].casefold() in ("everything", "all", "it all", "nothing", "life"):
        return None
    return level(slots) if weight or plain not in LEVELS else None


def named(deed: Deed) -> Build:
    """Do the deed with the names in `{name}`."""

    def build(slots: Slots) -> Intent | None:
        names = names_in(slots["name"])
        if _NO_NAME.search(slots["name"]) or _THE_LIST.fullmatch(slots["name"]):
            return None
        return Act(deed, slots["ref"], names) if names else None

    return build


def value(deed: Deed, slot: str) -> Build:
    """Do the deed with the words of a slot as they stand."""
    return lambda slots: Act(deed, slots["ref"], slots[slot])


def lacks(question: str, template: str) -> Build:
    """Ask for the part that a command lacks; `{blank}` is its place in the template."""
    return lambda slots: Incomplete(
        question, template.format_map({**slots, "blank": "{}"}), slots["ref"]
    )


def ask(shape: Shape, slot: str = "np", *, beside: bool = False) -> Build:
    """Ask about the tasks that a slot describes; `beside`: in the list beside the chat."""
    return lambda slots: Ask(shape, slots[slot], show=beside)


def show(aspect: str = "") -> Build:
    """Ask about the one task of `{ref}`; `aspect` is what is asked of it."""
    return lambda slots: Show(slots["ref"], aspect)


def why(slots: Slots) -> Intent:
    """Ask why `{ref}` presses so, or whether it presses more than `{other}`."""
    return Why(slots["ref"], slots.get("other") or "")


def linked(deed: Deed) -> Build:
    """Do the deed to `{ref}`, with the task that `{other}` names at its other end."""

    def build(slots: Slots) -> Intent | None:
        cut = CUT_SHORT.search(slots["ref"])
        return None if cut else Act(deed, slots["ref"], slots["other"])

    return build
