"""The words that say of which kind tasks are, each as a condition of a filter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a filter, and how it is said back.

    It is said before the noun (`overdue tasks`) or after it (`tasks due today`).
    """

    filter: str
    before: str = ""
    after: str = ""


NAME = r"[@#]?[^\W\d_][\w.-]*"


_NAMES = (
    rf"{NAME}(?:(?:,? (?:and|or) |, ?)(?!(?:due|overdue|open|done|in|with|high|low|not|that|are"
    rf"|is)\b){NAME})*"
)


_LACKS = (
    r"(?:(?:with|having|have|has|in) no|without|w/o|lacking|missing|no|not in) (?:an? |any |the "
    r"|my )?"
)


DONE = r"(?:done|finished|completed?|accomplished|ticked off|checked off|closed)"


DID = r"(?:do|did|finish|complete|accomplish|get done|got done|achieve|tick off|check off)"


Make = Callable[[re.Match[str]], Condition | None]


def _plain(filter_words: str, before: str = "", after: str = "") -> Make:
    return lambda _: Condition(filter_words, before, after)


def _nothing(_: re.Match[str]) -> None:
    """What is asked for anyway, unless more is said."""


def _groups(mark: str, said: str) -> Make:
    def make(match: re.Match[str]) -> Condition:
        names = next(text for text in match.groups() if text)
        found = [name.lstrip("@#") for name in re.split(r",? (?:and|or) |, ?", names)]
        joined = " or ".join(f"{mark}{name}" for name in found if name)
        words = joined.replace(mark, "")
        return Condition(f"({joined})" if " or " in joined else joined, after=f"{said} {words}")

    return make


_VOCABULARY: tuple[tuple[str, Make], ...] = (
    (
        rf"{_LACKS}(?:due )?(?:dates?|deadlines?)|undated|unscheduled"
        rf"|(?:(?:that|which) )?(?:(?:is|are) not|aren't|isn't|not) (?:due|dated|scheduled)"
        rf"(?! (?:on|in|by|before|after|until|for|this|next|to|\w*day|\d))",
        _plain("no due", after="without a date"),
    ),
    (rf"{_LACKS}projects?", _plain("no project", after="without a project")),
    (rf"{_LACKS}(?:tags?|labels?)|untagged|unlabell?ed", _plain("no tag", after="without a tag")),
    (rf"{_LACKS}(?:priority|prio)", _plain("no priority", after="without a priority")),
    (
        r"(?:with |of |at |on )?(?:an? |the )?(?:high|top|highest)[- ](?:priority|prio|importance)"
        r"|priority:? ?high|!high|!!!|urgent|important|critical",
        _plain("priority:high", "high-priority"),
    ),
    (
        r"(?:with |of |at )?(?:a )?(high|medium|low)(?: priority)?(?: or |/)(high|medium|low)"
        r"[- ](?:priority|prio)",
        lambda match: Condition(
            f"(priority:{match[1].lower()} or priority:{match[2].lower()})",
            f"{match[1].lower()}- or {match[2].lower()}-priority",
        ),
    ),
    (
        r"(?:with |of |at )?(?:a )?(?:medium|normal|mid)[- ](?:priority|prio)"
        r"|priority:? ?medium|!medium",
        _plain("priority:medium", "medium-priority"),
    ),
    (
        r"(?:with |of |at )?(?:a )?(?:low|lowest)[- ](?:priority|prio)|priority:? ?low|!low",
        _plain("priority:low", "low-priority"),
    ),
    (
        r"(?:due )?today(?: or|,? and|,| &) (?:is |are )?(?:overdue|late)"
        r"|(?:overdue|late)(?: or|,? and|,| &) (?:due )?today",
        _plain("(overdue or today)", after="overdue or due today"),
    ),
    (
        r"overdue|past due|past (?:their|its) (?:due )?dates?|running late"
        r"|(?:is|are|am i|i'm|we're|am) (?:late|behind)(?: (?:on|with))?|late(?=$| )"
        r"|(?:have |did )?i (?:missed|miss)|missed",
        _plain("overdue", "overdue"),
    ),
    (
        rf"including (?:the )?{DONE}(?: ones| tasks)?|{DONE} and open|open and {DONE}",
        _plain("all", after="in all"),
    ),
    (
        r"(?:including|with|and)(?: the| also)* (?:hidden|waiting|deferred|snoozed)"
        r"(?: ones| tasks)?(?: too)?",
        _plain("(open or waiting)", after="hidden ones included"),
    ),
    (
        r"(?:(?:that|which) )?(?:(?:is|are|was|were|has|have) not|isn't|aren't|wasn't|hasn't"
        r"|haven't|not|(?:i|we) (?:haven't|have not|didn't|did not))(?: yet)?(?: been)? (?:yet )?"
        r"(?:done|finished?|completed?|started|do|did)(?: yet)?|unfinished|incomplete|outstanding"
        r"|pending|remaining|uncompleted|still open|open|left(?: to do)?|still to do|unchecked",
        _nothing,
    ),
    (
        rf"(?:already |been |recently |all )*{DONE}|(?:did|have) (?:i|we) (?:already )?{DID}"
        rf"|(?:i|we)(?: have|'ve)? (?:already )?(?:{DONE}|did|got done)",
        _plain("done", "done"),
    ),
    (r"waiting|hidden|deferred|snoozed", _plain("waiting", "waiting")),
    (
        r"(?:not|un)[ -]?blocked|ready(?: to (?:do|start))?|(?:that "
        r"|which )?(?:i|we) can (?:do|start)"
        r"(?: (?:right )?now)?|(?:start|begin) (?:right )?now|actionable|available",
        _plain("ready", "ready"),
    ),
    (
        r"blocking(?: (?:others|other tasks|something|anything))?|(?:that "
        r"|which )?blocks? (?:others"
        r"|other tasks|something|anything)",
        _plain("blocking", "blocking"),
    ),
    (
        r"blocked|(?:that |which )?(?:is |are )?(?:stuck|waiting for (?:another|other)"
        r" (?:tasks?|things?))",
        _plain("blocked", "blocked"),
    ),
    (
        r"(?:with|having|that have|which have|has) (?:any |some |a )?(?:notes?|descriptions?)",
        _plain("has:notes", after="with notes"),
    ),
    (
        r"(?:without|with no|that have no|having no) (?:any )?(?:notes?|descriptions?)",
        _plain("no notes", after="without notes"),
    ),
    (
        r"(?:with|having|that have|which have|has) (?:any |some |a "
        r"|open )?(?:sub-?tasks?|children)",
        _plain("has:children", after="with subtasks"),
    ),
    (
        r"(?:without|with no|that have no) (?:any )?(?:sub-?tasks?|children)",
        _plain("no children", after="without subtasks"),
    ),
    (
        r"top[- ]level|(?:that are )?(?:not|no) sub-?tasks?(?: of (?:anything|others))?",
        _plain("no parent", "top-level"),
    ),
    (
        r"(?:with|having|that have) (?:any |some |a )?(?:remarks?|annotations?)",
        _plain("has:remarks", after="with remarks"),
    ),
    (
        r"(?:with|having|that have|which have) (?:any |a |some |due )?(?:tags?|labels?)(?! \w)",
        _plain("has:tag", after="with tags"),
    ),
    (
        r"under:? ?#?(\d+)|(?:below|beneath|inside) #?(\d+)",
        lambda match: Condition(
            f"under:{match[1] or match[2]}", after=f"under #{match[1] or match[2]}"
        ),
    ),
    (
        r"recurring|repeating|recurrent|(?:that |which )?(?:repeats?|recurs?)",
        _plain("recurring", "repeating"),
    ),
    (
        r"in[- ]progress|(?:have |did )?i (?:started|begun|start|begin)|started|ongoing|underway"
        r"|being worked on|(?:am i|i'm|i am) (?:working on|doing)",
        _plain("doing", after="in progress"),
    ),
    (
        r"(?:in |from )?(?:the |my )?trash(?:ed)?|deleted|(?:have |did )i (?:deleted?|removed?)",
        _plain("trash", "deleted"),
    ),
    (r"cancell?ed", _plain("cancelled", "cancelled")),
    (
        rf"(?:tagged|labell?ed)(?: with| as| by)? (?:the )?({_NAMES})|tag:({_NAMES})"
        rf"|with (?:the )?(?:tags?|labels?) ({_NAMES})|(?:in |under |with |for )?@({_NAMES})"
        rf"|(?<!\S)(?:tags?|labels?) (?!do\b|are\b|have\b)({NAME})",
        _groups("@", "tagged"),
    ),
    (
        rf"(?:in|from|under|of|for) (?:the |my )?(?:projects?|lists?|categor(?:y|ies)) ({_NAMES})"
        rf"|(?:in|from|under|of|for) (?:the |my )?((?!to-?do\b|task\b){NAME})"
        rf" (?:project|category|folder|list)|project:? ?({NAME})|(?:in |under |for )?#({_NAMES})"
        rf"|^(?:the |my )?(?!to-?do\b|task\b)({NAME}) (?:project|category|folder)$",
        _groups("#", "in project"),
    ),
)

CONDITIONS = tuple(
    (re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), make)
    for pattern, make in _VOCABULARY
)
"""Patterns, each with what it makes of the words that it finds."""
