"""Answer questions from documents, by quoting the passages that fit best."""

import re
from collections.abc import Sequence

from todo_tui.domain.knowledge.content_words import content_words
from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL, Evidence, evidence_in
from todo_tui.domain.text import plain_text
from todo_tui.providers.offline import phrases, replies, rules
from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.reader import Reader
from todo_tui.providers.offline.tool_results import Call, Plan
from todo_tui.providers.offline.words import peeled

_MOST_QUOTED = 3
_RELEVANT = 0.6
"""Share of the words asked for that a passage has to have."""
_NEARLY_AS_GOOD = 0.75
"""Share of the best passage's matching words from which on another one is quoted too."""
_QUESTION = regex(
    r"(tell me (about|of|more|what|when|who|how|why|where|which)|explain|describe|summari[sz]e"
    r"|according to|i('d| would) like to know|do you know|(\w+ ){0,3}(what|which|whom|whose"
    r"|how (many|much|long|often|far|big))|(can|may|must|could|will) (?!you\b)\w+)\b"
)
_TO_ASSISTANT = regex(r"((what|who|how|why|where|when) )?(are|do|did|have|were|can|will) you\b")
_SEARCH = regex(
    r"(search|find|look( up| for)?|check|read|quote|what|where|which|show)\b.*"
    r"\b(my|the|these|those) (documents?|docs|papers|files|pdfs?|notes|knowledge|manuals?)\b"
)
"""Orders to search documents."""
_ABOUT_TASKS = regex(r"\b((sub-?)?tasks?|to-?dos?|to do list|my (list|agenda)|overdue|trash)\b")


_GENERIC = content_words(
    "check describe docs documents explain files find look mean notes papers pdfs quote read search"
    " show summarise summarize"
)
"""Words of questions that are about no subject."""


def is_question(reader: Reader, text: str) -> bool:
    """Return True for a question that no rule answers, unless it may be about the list."""
    words = peeled(text.strip())
    if _ABOUT_TASKS.search(words) or _TO_ASSISTANT.match(words):
        return False
    if _SEARCH.match(words):
        return True
    asks = words.endswith("?") or text.rstrip().endswith("?")
    if not (asks or phrases.QUESTION.match(words) or _QUESTION.match(words)):
        return False
    parts = (part.strip() for step in reader.read() for part in re.split("[,;]", step.clause))
    return not any(map(_is_command, map(peeled, parts)))


def _is_command(words: str) -> bool:
    return rules.is_command(words) and not _QUESTION.match(words)


def quote(question: str) -> Plan[str]:
    """Return an answer in quotations; empty if no passage fits the question."""
    (outcome,) = yield (Call(RETRIEVAL_TOOL, {"query": question}),)
    passages = _relevant(question, evidence_in(outcome.data))
    if not passages:
        return ""
    return "\n\n".join([replies.ONLY_QUOTES, *map(_quotation, passages)])


def _relevant(question: str, passages: Sequence[Evidence]) -> list[Evidence]:
    """Return the passages with most of the words asked for, and nearly as many as the best one.

    A search finds passages that share a single word, which may be about anything. If only one is
    asked for, it has to be in a title or heading.
    """
    asked = content_words(question) - _GENERIC
    if all(word.isdigit() for word in asked):
        return []
    shared = {
        each.number: len(asked & content_words(each.searchable if len(asked) > 1 else each.place))
        for each in passages
    }
    least = max(_RELEVANT * len(asked), min(2, len(asked)))
    best = max(shared.values(), default=0)
    return [each for each in passages if shared[each.number] >= max(least, best * _NEARLY_AS_GOOD)][
        :_MOST_QUOTED
    ]


def _quotation(passage: Evidence) -> str:
    lines = [replies.escaped(line.strip()) for line in plain_text(passage.text).splitlines()]
    quoted = "  \n".join(f"> {line}" for line in lines if line)
    return f"**{replies.escaped(passage.place)}**\n\n{quoted} [{passage.number}]"
