"""Rules that say whether a question to the documents is clear and safe to act on."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from todo_tui.domain.knowledge.content_words import content_words, stem
from todo_tui.domain.text import plain_text

LONGEST_QUERY = 1_000
"""Characters of a query."""
_GENERIC = frozenset(
    stem(word)
    for word in """
    answer content data help detail details doc document explain explanation file files find info
    information item look mean meaning more note page part passage question read section show
    source stuff subject summarise summarize summary talk task text thing tell topic word
    """.split()
)
"""Words that name no subject."""
_TASK_DATA = (
    r"(?:tasks?|to-?dos?(?: lists?)?|todo lists?|lists?|conversations?|chats?|messages?|documents?"
    r"|files|notes|data|passwords?|accounts?|calendars?|history)"
)
_OTHERS = r"(?:an)?other|others['’]?|every(?:one|body)?|all|some(?:one|body)|different|which"
_PEOPLE = r"(?:users?|accounts?|customers?|people|persons?)"
_OTHER_PEOPLE = re.compile(
    rf"""
    \b(?:{_OTHERS})\s+{_PEOPLE}(?:['’]s?)?\s+(?:\w+\s+){{0,2}}?{_TASK_DATA}\b
    | \b{_TASK_DATA}\s+(?:of|from|by|that\s+belongs?\s+to|belonging\s+to|owned\s+by|for)\s+
        (?:the\s+)?(?:(?:{_OTHERS})\s+(?:{_PEOPLE}|else)|others\b|(?:every|some)(?:one|body)\b
        |(?:user|account)\s+\S+)
    | \b(?:some|any|every)(?:one|body)\s+else['’]s\b
    | \b(?:every|some)(?:one|body)['’]s\s+{_TASK_DATA}\b
    | \b(?!(?:today|tomorrow|yesterday|week|month|year|it|that|what|let|here|there|who)\b)
        [^\W\d_]+['’]s\s+(?:tasks?|to-?dos?|todo\s+list|to-?do\s+list|conversations?|chats?
        |passwords?|account)\b
    | \b(?:switch\s+to|log\s?in\s+as|act\s+as|impersonate|as)\s+(?:the\s+)?
        (?:user|account|admin\w*)\b
    | \buser_?id\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RULES_OF_ASSISTANT = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directives?|restrictions?|safeguards?|filters?"
    r"|anweisungen|regeln|vorgaben|instrucciones|reglas|consignes|istruzioni|regole|instruções)"
)
_INSTRUCTIONS = re.compile(
    rf"""
    \b(?:ignor\w*|disregard\w*|forget|overrid\w+|bypass\w*|vergiss|olvida|oublie[sz]?|dimentica)\b
        .{{0,40}}\b(?:{_RULES_OF_ASSISTANT}|(?:everything|all|anything|what)\b.{{0,20}}\b
        (?:above|before|previous(?:ly)?|earlier|so\s+far))
    | \b(?:reveal|show|print|repeat|output|display|leak|tell|give|write
        |what(?:\s+is|\s+are|['’]s))\b
        .{{0,30}}\b(?:system\s+(?:prompt|message)|hidden\s+(?:prompt|instructions)
        |(?:your|initial|original)\s+(?:\w+\s+)?{_RULES_OF_ASSISTANT})
    | (?m:^)\W{{0,5}}(?:system|assistant|developer)\W{{0,3}}:
    | <\|[^|\n]{{0,30}}\|> | \[/?INST\] | </?(?:system|assistant|instructions?|tool_call)\b
    | (?<!\#)\#{{2,6}}\s?(?:system|instructions?)\b
    | \b(?:you\s+are\s+now|from\s+now\s+on|pretend\s+(?:to\s+be|you)|act\s+as\s+(?:if|an?\b|the\b)
        |new\s+instructions?|developer\s+mode|jailbreak)\b
    | "(?:name|tool|function|arguments|tool_calls?)"\s*:
    | \b(?:add|update|complete|reopen|delete)_tasks?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ORDER = re.compile(
    r"(?:^|[.!?;\n]\s{0,3}|\b(?:then|and)\s)(?:(?:please|now|(?:can|could|would|will)\s++you)\s++){0,3}+"
    r"(?:add|create|delete|remove|erase|complete|finish|cancel|reopen|undo|redo|rename|move|purge"
    r"|wipe|clear|mark|send|e-?mail|upload|post|execute|run|install)\b[^.?!\n]{0,100}"
    r"\b(?:tasks?|to-?dos?|lists?|everything|notes|documents?|files?|code|command|script|done|all)\b",
    re.IGNORECASE,
)
"""An order to do something, where a question is expected."""
_HIDDEN = re.compile("[\u200b\u2060\ufeff\U000e0000-\U000e007f]")
"""Characters that are not seen, in which instructions can be hidden."""


@dataclass(frozen=True, slots=True)
class QueryCheck:
    """Reasons why a query is not clear or safe; the question clears up the first of them."""

    reasons: tuple[str, ...] = ()
    clarifying_question: str = ""

    @property
    def is_valid(self) -> bool:
        """True if the query can be acted on."""
        return not self.reasons


class _Rule(NamedTuple):
    applies: Callable[[str], bool]
    reason: str
    question: str


def _is_empty(query: str) -> bool:
    return not any(each.isalnum() for each in query)


def _is_without_subject(query: str) -> bool:
    return not content_words(query) - _GENERIC


def _has_instructions(query: str) -> bool:
    plain = " ".join(plain_text(query).split(" "))
    return bool(_HIDDEN.search(query) or _INSTRUCTIONS.search(plain) or _ORDER.search(plain))


_RULES = (
    _Rule(_is_empty, "The query is empty.", "What would you like to know?"),
    _Rule(
        lambda query: len(query) > LONGEST_QUERY,
        f"The query is longer than {LONGEST_QUERY:,} characters.",
        "Which one thing would you like to know?",
    ),
    _Rule(
        lambda query: bool(_OTHER_PEOPLE.search(query)),
        "The query asks about data of other people, which are not available.",
        "What would you like to know about your own tasks and documents?",
    ),
    _Rule(
        _has_instructions,
        "The query carries instructions to the assistant.",
        "What would you like to know, as a question without instructions?",
    ),
    _Rule(
        _is_without_subject,
        "The query names no subject.",
        "Which subject or document do you mean?",
    ),
)


def check_query(query: str) -> QueryCheck:
    """Check a question before documents are searched for it."""
    if _is_empty(query):
        return QueryCheck((_RULES[0].reason,), _RULES[0].question)
    # Only its beginning: no rule may take long for a query that is too long.
    broken = [rule for rule in _RULES if rule.applies(query[: LONGEST_QUERY + 1])]
    return QueryCheck(tuple(rule.reason for rule in broken), broken[0].question if broken else "")
