"""Courtesy: the wrapping of a wish, peeled off so that the wish itself can be read."""

from __future__ import annotations

import re

from todo_tui.providers.offline.verbs import base_form

_OPENING = re.compile(
    r"""(?:
      (?:(?:hey|hi|hello|hiya|yo)(?:\ there|\ you|\ again)?|ok|okay|k|so|well|now|then|also|and|but
        |alright|all\ right|oh|ah|right|great|cool|nice|perfect|super|awesome|thanks|thank\ you|thx
        |yes|yeah|yep|sure|um|uh|hmm+|oops|sorry|please|pls|plz|kindly|finally|lastly|additionally
        |by\ the\ way|btw|and\ then|and\ also|after\ that|plus|good\ (?:morning|afternoon|evening)
        |while\ you're\ at\ it|in\ addition|actually)
        \b(?![-'’])\ ?[,.!:;–—-]*\s+
    | (?:first|next|second|third)\ (?=(?:add|complete|mark|delete|move|remind|create|rename|tag
        |show|list|remove|finish|undo)\b)
    | (?:next|first|again|assistant|todo-tui|second|third|today)[,:]\s+
    | (?:can|could|would|will|can't|couldn't|won't)\ (?:you|u|ya|we)
        (?:\ (?:please|pls|kindly|maybe|perhaps|just|also|quickly|now))*\s+
    | (?:i\ would|i'd|i\ 'd)\ (?:really\ )?(?:like|love)\ (?:for\ )?you\ to\s+
    | i\ (?:want|need)\ you\ to\s+
    | (?:please|pls|plz)[ ,]+
    | (?:just|quickly|simply|kindly)\ (?!now\b)
    | (?:go\ ahead\ and|be\ so\ kind\ (?:as\ )?to|make\ sure\ (?:to|you)|feel\ free\ to
        |you\ (?:can|could|may|should)(?:\ now)?)\s+
    | (?:let's|lets|let\ us)\s+
    | (?:remind\ me|tell\ me|show\ me|let\ me\ know|i\ (?:want|need|would\ like)\ to\ know
        |i'd\ like\ to\ know|do\ you\ know|any\ idea)\ (?:of\ )?
        (?=(?:what|what's|when|which|where|how\ (?:many|much|often)|if|whether)\b)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = re.compile(
    r"""(?:
      (?<!\ba)[ ,.!;–—-]+(?:
        please|pls|plz|thanks(?:\ (?:a\ lot|so\ much|in\ advance|again))?
      | thank\ you(?:\ (?:very\ much|so\ much))?|thx
      | for\ me|if\ you\ (?:can|could|would|please|don't\ mind)|if\ possible|right\ away
      | too|as\ well|also|instead)
    | ,\ *(?:ok|okay|will\ you|would\ you|could\ you|can\ you|cheers|then|my\ friend|mate|now|right)
    )\s*[.!?]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_STOPS = re.compile(r"(?<=[^\s!])[.!…]+$|\s*\?+[?!.]*$|\s+[.,;:]+$|[,;]$")
_SPELLINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), plain)
    for pattern, plain in (
        (r"\bdont\b", "don't"),
        (r"\bdidnt\b", "didn't"),
        (r"\bdoesnt\b", "doesn't"),
        (r"\bhavent\b", "haven't"),
        (r"\bhasnt\b", "hasn't"),
        (r"\bisnt\b", "isn't"),
        (r"\bwhats\b", "what's"),
        (r"\bwhens\b", "when's"),
        (r"\bthats\b", "that's"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\bgotta\b", "have to"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
    )
)
_HEAD = 24
_MIND = re.compile(r"(?:would|do) you mind (\w+ing)\b(.*)", re.IGNORECASE | re.DOTALL)


def peeled(clause: str) -> str:
    """The clause without greetings, please and thanks; of nothing but those, its last words."""
    text = without_stop(clause)
    while text:
        shorter = _CLOSING.sub("", text).strip()
        if shorter == text or not shorter:
            break
        text = without_stop(shorter)
    while match := _OPENING.match(text):
        rest = text[match.end() :].strip()
        if not rest:
            break
        text = rest
    if minding := _MIND.fullmatch(text):
        return base_form(minding[1].lower()) + minding[2]
    return text


def without_stop(text: str) -> str:
    """The text without the punctuation that ends a sentence; `!!` stays, as a priority."""
    text = text.strip()
    return _STOPS.sub("", text).strip() or text


def respelled(clause: str) -> str:
    """Contractions at the beginning with their apostrophes: `dont delete` is `don't delete`."""
    head, tail = clause[:_HEAD], clause[_HEAD:]
    cut = len(head) if not tail else head.rfind(" ") + 1
    head, tail = clause[:cut], clause[cut:]
    for pattern, plain in _SPELLINGS:
        head = pattern.sub(plain, head)
    return head + tail
