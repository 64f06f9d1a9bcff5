"""Grammar of the assistant: read one clause into the intents it can have, the likeliest first.

Rules are tried in a fixed order; a slip in the first word of a command is corrected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from todo_tui.providers.offline.dates import Dates, bare_date, sounds_like_task
from todo_tui.providers.offline.filters import Asked, read_asked
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Deed,
    Help,
    Intent,
    Offer,
    Show,
    StepBack,
    Talk,
    TellTime,
    Unknown,
    read_claim,
)
from todo_tui.providers.offline.items import is_bullet
from todo_tui.providers.offline.references import ByPlace, read_reference
from todo_tui.providers.offline.rules import (
    add as add_rules,
)
from todo_tui.providers.offline.rules import (
    completion as finish_rules,
)
from todo_tui.providers.offline.rules import (
    completion as group_rules,
)
from todo_tui.providers.offline.rules import (
    conversation as limit_rules,
)
from todo_tui.providers.offline.rules import (
    conversation as talk_rules,
)
from todo_tui.providers.offline.rules import (
    conversation as view_rules,
)
from todo_tui.providers.offline.rules import (
    fields as field_rules,
)
from todo_tui.providers.offline.rules import (
    fields as time_rules,
)
from todo_tui.providers.offline.rules import (
    questions as ask_rules,
)
from todo_tui.providers.offline.rules import (
    questions as search_rules,
)
from todo_tui.providers.offline.rules import (
    questions as show_rules,
)
from todo_tui.providers.offline.rules import (
    relations as dependency_rules,
)
from todo_tui.providers.offline.rules import (
    relations as link_questions,
)
from todo_tui.providers.offline.rules import (
    relations as subtask_rules,
)
from todo_tui.providers.offline.rules import (
    series as order_rules,
)
from todo_tui.providers.offline.rules import (
    series as pausing_rules,
)
from todo_tui.providers.offline.rules import (
    series as series_rules,
)
from todo_tui.providers.offline.rules.pattern import Check, Rule, is_span, level_of
from todo_tui.providers.offline.words import (
    base_form,
    distance,
    is_verb,
    peeled,
    respelled,
    without_ornament,
    without_stop,
)

TALK = (*talk_rules.TALKING, *talk_rules.STEPPING)
HELP = talk_rules.HELPING
QUESTIONS = (
    *ask_rules.TIME,
    *view_rules.ARRANGING,
    *limit_rules.LIMITS,
    *link_questions.WHY,
    *link_questions.LINK_QUESTIONS,
    *link_questions.ABLE_QUESTIONS,
    *series_rules.COMING,
    *view_rules.UNFILTERING,
    *view_rules.SHOWING_VIEWS,
    *ask_rules.NEXT,
    *ask_rules.COUNTING,
    *ask_rules.GROUPING,
    *ask_rules.EXISTING,
    *search_rules.SEARCHING,
    *show_rules.SHOWING,
    *ask_rules.LISTING,
)
ANSWERABLE = (*TALK, *HELP, *QUESTIONS)
_COMMANDS = (
    "complete delete remove rename reopen reschedule postpone remind finish cancel change "
    "finished completed search create untag restore annotate prioritize prioritise uncheck undo "
    "redo move mark list show find remember schedule reminder done clear erase snooze repeat "
    "raise lower tomorrow what's overdue"
).split()
_ALONE = ("undo", "redo", "list", "help", "tomorrow", "next", "today")
"""Words that are a message by themselves."""
_SHORTEST = 4
_LONGEST = 600
"""Characters of a clause that patterns are tried on; nobody commands at such length."""
_LONGEST_DESCRIPTION = 120
_LONGEST_LEAD = 8
"""Words of a date with which a clause begins."""
_GAP = re.compile(r"\s*[,:]\s+|\s+")
_REMEMBERED = 4096
_QUESTION = re.compile(
    r"(?:what|which|who|whom|whose|why|how|when|where|is|are|am|was|were|did|does|has"
    r"|do (?:i|we|you|they)|have (?:i|we|you)"
    r"|can (?:i|we)|could (?:i|we)|may i|should|shall|will (?:i|it|there|we)|would (?:i|it)"
    r"|what's|who's|how's|when's|where's|isn't|aren't|any|anything)\b",
    re.IGNORECASE,
)
_COMMAND_LIKE = re.compile(r"do (?:i|we)\b.*\binstead", re.IGNORECASE)
_LISTED = re.compile(
    r"\b(?:do i have|have i got|i have|on my list|tasks?|to-?dos?|do i still have|items?"
    r"|are there)\b",
    re.I,
)
_LONG_ADD = re.compile(r"(?:please )?(?:add|remind me to|create|new task)[: ]", re.IGNORECASE)
_INTRODUCES = re.compile(
    r"(?:(?:please )?(?:add|remember|remind me)\b.*|(?:my |the |our "
    r"|a )?(?:[\w-]+ ){0,3}(?:list|tasks?|to-?dos?|to do|plan|errands|groceries"
    r"|chores|today|tomorrow|reminders|things to do|things)):?",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"^(?:i|we|i'm|i've|it|that|he|she|they|you)\b|\b(?:is|are|was|were)\b", re.IGNORECASE
)
_BULK = re.compile(
    r"^(?:everything|all|every|any|anything|each|the rest)\b"
    r"|\b(?:tasks|to-?dos|things|items|ones|stuff|everything)$",
    re.IGNORECASE,
)
"""Words for many tasks, of which a day or a group says which."""
_SPARED = re.compile(
    r"(?P<wish>.+?),? (?:except(?: for)?|but not|apart from|other than|excluding) (?P<out>.+)",
    re.IGNORECASE,
)
_CUT_SHORT = re.compile(
    r"(?:^|\s)(?:not|the|an|and|my)$|\s(?:that|which) (?:are|is)$", re.IGNORECASE
)
"""How words end that go on: `all tasks that are not`, before `due to friday`."""
_STARTED = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:just |already |finally |now )*(?:started|begun|began)(?: on"
    r"| with| working on| to work on)? (?P<ref>.+)",
    re.IGNORECASE,
)


def _changes() -> tuple[Rule, ...]:
    groups = (
        pausing_rules.PAUSING,
        pausing_rules.ENDING,
        series_rules.SERIES,
        series_rules.REMARKS,
        subtask_rules.FAMILY_FINISHING,
        dependency_rules.UNBLOCKING,
        subtask_rules.NESTING,
        order_rules.SWAPPING,
        series_rules.PLACING,
        time_rules.REPEATS,
        field_rules.NOTES,
        field_rules.TAGS,
        time_rules.POINTING,
        time_rules.SCHEDULING,
        time_rules.DATES,
        dependency_rules.BLOCKING,
        field_rules.PRIORITIES,
        finish_rules.REMOVING,
        field_rules.PROJECTS,
        field_rules.RENAMES,
        finish_rules.FINISHING,
        finish_rules.DELETING,
        finish_rules.MOVING,
        field_rules.REWORDING,
        pausing_rules.STOPPING,
    )
    return tuple(rule for group in groups for rule in group)


STATEMENTS = tuple(rule for rule in _changes() if rule.pattern.startswith("{ref}"))

COMMANDS = tuple(rule for rule in _changes() if not rule.pattern.startswith("{ref}"))

ADD_CHANGES = tuple(rule for rule in COMMANDS if "add" in rule.pattern)

OTHER_COMMANDS = tuple(rule for rule in COMMANDS if "add" not in rule.pattern)

ADD = (
    *add_rules.SELF_NOTES,
    *ADD_CHANGES,
    *subtask_rules.ADDING_BELOW,
    *add_rules.ADDING,
)

SPOKEN = (
    *TALK,
    *HELP,
    *finish_rules.NEGATED,
    *finish_rules.UNFINISHED,
    *view_rules.RESTORING,
    *view_rules.PURGING,
    *view_rules.SAVING,
    *view_rules.UNFILTERING,
    *limit_rules.LIMITS,
    *view_rules.ARRANGING,
    *group_rules.WHOLE_PROJECTS,
    *ADD,
    *OTHER_COMMANDS,
    *QUESTIONS,
)


def respell_command(text: str) -> str | None:
    """The text with its first word replaced by the one command that it nearly is.

    None where it is a word in its own right, or near to none or to several.
    """
    word, _, rest = text.partition(" ")
    given = word.casefold().strip(",:")
    if len(given) < _SHORTEST or not given.isalpha() or given in _COMMANDS:
        return None
    if is_verb(given) or base_form(given) != given:
        return None
    near = [
        command
        for command in (_COMMANDS if rest else _ALONE)
        if abs(len(command) - len(given)) <= 2
        and command[0] == given[0]
        and distance(given, command) <= (1 if len(command) < 6 else 2)
    ]
    best = sorted(near, key=lambda command: distance(given, command))
    if not best or (len(best) > 1 and distance(given, best[0]) == distance(given, best[1])):
        return None
    return f"{best[0]} {rest}".strip()


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a clause; `strong` when it is surely a command wherever it stands."""

    intent: Intent
    strong: bool


class Grammar:
    """Reads clauses at one moment, for one person's way to write dates.

    It remembers what it has read: a turn reads its message anew in every round.
    """

    def __init__(self, dates: Dates) -> None:
        self._dates = dates
        self._known: dict[str, tuple[Reading, ...]] = {}
        self._checks: Mapping[str, Check] = {
            "ref": lambda words: not _CUT_SHORT.search(words),
            "bulk": lambda words: bool(_BULK.search(words)),
            "days": dates.is_stretch,
            "when": lambda words: dates.is_when(bare_date(words)),
            "repeat": dates.is_rhythm,
            "span": is_span,
            "other": lambda words: not (dates.is_when(bare_date(words)) or is_span(words)),
            "level": lambda words: bool(level_of(words)),
            "np": _short(self._is_description),
            "loose": _short(self._is_listable),
            "strict": _short(self._is_only_description),
            "q": _short(self._is_searchable),
        }

    def read(self, clause: str) -> tuple[Reading, ...]:
        """What a clause can mean; of one that means nothing here, a single Unknown."""
        if clause not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[clause] = self._read(clause)
        return self._known[clause]

    def _read(self, clause: str) -> tuple[Reading, ...]:
        if "\n" in clause and (listed := _listed_items(clause)):
            return (Reading(Add(listed), strong=True),)
        text = respelled(without_stop(clause))
        if not text or len(text) > _LONGEST:
            return self._long(text)
        if found := self._by((*TALK, *time_rules.CORRECTING), text):
            return found
        plain = without_ornament(text)
        if plain != text and not any(isinstance(r.intent, Add) for r in self.read(plain)):
            return self.read(plain)
        wish = respelled(peeled(text))
        if found := self._first(wish):
            bare = wish == text and clause.rstrip().endswith("?")
            return tuple(_doubted(reading, wish) for reading in found) if bare else found
        corrected = respell_command(wish)
        if corrected and (found := self._first(corrected)):
            return found
        return (Reading(Unknown(text), strong=False),)

    def is_command(self, clause: str) -> bool:
        """Return True if the clause is surely a command of its own, wherever it stands."""
        return any(
            reading.strong and not isinstance(reading.intent, Unknown | Offer | Talk)
            for reading in self.read(clause)
        )

    def only_adds(self, clause: str) -> bool:
        """Return True if the clause adds tasks, or says nothing that concerns any."""
        return all(
            isinstance(reading.intent, Add | Talk | Offer | Help | TellTime | StepBack)
            for reading in self.read(clause)
        )

    def _long(self, text: str) -> tuple[Reading, ...]:
        """The reading of a text that is too long for a command, but not for what one carries."""
        head, colon, tail = text.partition(":")
        if colon and tail.strip() and len(head) < _LONGEST:
            for reading in self._first(respelled(peeled(f"{head}: x"))):
                if isinstance(reading.intent, Act) and reading.intent.deed is Deed.NOTE:
                    return (Reading(replace(reading.intent, value=tail.strip()), strong=True),)
        if match := _LONG_ADD.match(text):
            return (Reading(Add(text[match.end() :].strip()), strong=True),)
        return (Reading(Unknown(text), strong=False),)

    def _first(self, words: str) -> tuple[Reading, ...]:
        if _QUESTION.match(words) and not _COMMAND_LIKE.match(words):
            return self._by(ANSWERABLE, words)
        if found := self._sparing(words) or self._by(SPOKEN, words):
            return found
        claim = read_claim(words)
        if claim and claim[1]:
            return (Reading(claim[0], strong=True),)
        if found := self._by(STATEMENTS, words):
            return found
        if claim:
            return (Reading(claim[0], strong=False),)
        if started := _STARTED.fullmatch(words):
            return (Reading(Act(Deed.BEGIN, started["ref"]), strong=True),)
        if dated := self._dated_first(words):
            return dated
        if found := self._by(add_rules.OFFERING, words):
            return found
        if sounds_like_task(words, self._dates):
            return (Reading(Offer(words), strong=False),)
        return ()

    def _sparing(self, words: str) -> tuple[Reading, ...]:
        """`postpone all health tasks by a week except yoga`: the exception is of the tasks."""
        match = _SPARED.fullmatch(words)
        if match is None:
            return ()
        spared = []
        for reading in self._by(OTHER_COMMANDS, match["wish"]):
            wish = reading.intent
            if not (isinstance(wish, Act) and wish.value and _BULK.search(wish.ref)):
                return ()
            wish = replace(wish, ref=f"{wish.ref} except {match['out']}")
            spared.append(Reading(wish, reading.strong))
        return tuple(spared)

    def _dated_first(self, words: str) -> tuple[Reading, ...]:
        """`on sunday I need to call grandma`: an addition after its date or its rhythm."""
        for gap in reversed(tuple(islice(_GAP.finditer(words), _LONGEST_LEAD))):
            lead = re.sub(r"^each\b", "every", words[: gap.start()], flags=re.IGNORECASE)
            rest = respelled(peeled(words[gap.end() :]))
            if not (self._dates.when(bare_date(lead)) or self._dates.is_rhythm(lead)):
                continue
            if ":" in gap[0]:
                return (Reading(Add(rest, lead), strong=True),)
            intent = self._first(rest)[0].intent if self._first(rest) else None
            if isinstance(intent, Add) and not intent.extra:
                return (Reading(replace(intent, extra=lead), strong=True),)
            if isinstance(intent, Offer):
                return (Reading(replace(intent, text=f"{intent.text} {lead}"), strong=False),)
        return ()

    def _by(self, rules: Sequence[Rule], words: str) -> tuple[Reading, ...]:
        """The readings of the first rule that has any."""
        for rule in rules:
            if found := tuple(rule.readings(words, self._checks)):
                return tuple(Reading(intent, rule.strong) for intent in found)
        return ()

    def _asked(self, words: str) -> Asked:
        return read_asked(words, self._dates)

    def _is_description(self, words: str) -> bool:
        """Return True if words describe tasks, after a question that could be about anything."""
        asked = self._asked(words)
        few = len(asked.rest.split()) <= 2
        return asked.clear and (not asked.rest or (few and bool(_LISTED.search(words))))

    def _is_only_description(self, words: str) -> bool:
        """Return True if words by themselves can only be a description: `overdue tasks`."""
        if _STATES.search(words) or isinstance(read_reference(words, self._dates), ByPlace):
            return False
        asked = self._asked(words)
        named = asked.rest or asked.search or (asked.group and not asked.conditions)
        return asked.clear and not named

    def _is_searchable(self, words: str) -> bool:
        """Return True if words are something to look for, and not a day or a thing to do."""
        if words.casefold().split()[0] in ("do", "finish", "complete"):
            return False
        asked = self._asked(words)
        return bool(asked.rest or asked.group or asked.search) or not asked.clear

    def _is_listable(self, words: str) -> bool:
        """Return True if `list` or `show` can be followed by the words."""
        asked = self._asked(words)
        return len(asked.rest.split()) <= 3 and not words.casefold().startswith("of ")


def _doubted(reading: Reading, words: str) -> Reading:
    """`milk done?` asks; `delete milk?` is a wish of somebody who is not sure."""
    intent = reading.intent
    if not isinstance(intent, Act) or intent.deed not in (Deed.COMPLETE, Deed.DELETE):
        return reading
    if intent.deed is Deed.DELETE and is_verb(words.split()[0].lower()):
        return replace(reading, intent=replace(intent, ask=True))
    return replace(reading, intent=Show(intent.ref, "status"))


def _short(check: Check) -> Check:
    """The check of a description, which nobody makes longer than a line."""
    return lambda words: len(words) <= _LONGEST_DESCRIPTION and check(words)


def _listed_items(block: str) -> str:
    """The entries of a block that is a list, with or without a line that introduces it."""
    head, _, rest = block.partition("\n")
    lines = rest.split("\n")
    if not all(is_bullet(line) for line in lines):
        return ""
    if is_bullet(head):
        return block
    return rest if head.rstrip().endswith(":") and _INTRODUCES.match(head.strip()) else ""


@lru_cache(maxsize=2)
def grammar_at(dates: Dates) -> Grammar:
    """The grammar of a moment: one and the same in all rounds of a turn."""
    return Grammar(dates)
