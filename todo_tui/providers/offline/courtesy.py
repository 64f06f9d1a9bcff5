"""Courtesy: the wrapping of a wish, peeled off so that the wish itself can be read."""

from __future__ import annotations

import re
import unicodedata

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
    | i\ was\ (?:thinking,\s+|(?:wondering|hoping)\ (?:if\ )?(?=you\b))
    | (?:(?:i\ would|i'd)\ (?:really\ )?(?:like|love)|i\ want)\ to\ (?=(?:add|create|see|view
        |move|reschedule|postpone|rename|tag)\b)
    | (?:can|could|may)\ i\ (?:please\ )?(?=(?:see|view|get)\b)
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
      | for\ me|if\ you\ (?:can|could|would|please|don't\ mind)|right\ away
      | if\ (?:that's\ |it's\ )?(?:possible|okay|ok)
      | too|as\ well|also|instead|then)
    | ,\ *(?:ok|okay|will\ you|would\ you|could\ you|can\ you|cheers|then|my\ friend|mate|now|right)
    )(?:\s*[^\w\s"'`)\]]+)*$""",
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
        (r"\barent\b", "aren't"),
        (r"\bwasnt\b", "wasn't"),
        (r"\bwont\b", "won't"),
        (r"\bcant\b", "can't"),
        (r"\bcouldnt\b", "couldn't"),
        (r"\bshouldnt\b", "shouldn't"),
        (r"\bwouldnt\b", "wouldn't"),
        (r"\bmustnt\b", "mustn't"),
        (r"\bneednt\b", "needn't"),
        (r"\bwhats\b", "what's"),
        (r"\bwheres\b", "where's"),
        (r"\bhows\b", "how's"),
        (r"\btheres\b", "there's"),
        (r"\btodays\b", "today's"),
        (r"\btomorrows\b", "tomorrow's"),
        (r"^ill (?=[a-z]+ )", "I'll "),
        (r"^id (?=(?:like|love|prefer)\b)", "I'd "),
        (r"\bgimme\b", "give me"),
        (r"\blemme\b", "let me"),
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
_ORNAMENTS = frozenset({"So", "Sk", "Cf"})
"""Unicode's categories of emoji, their colours and their joiner."""

_EMOJI_STYLE = "\ufe0f"

_MIND = re.compile(r"(?:would|do) you mind (\w+ing)\b(.*)", re.IGNORECASE | re.DOTALL)


def peeled(clause: str) -> str:
    """The clause without greetings, please and thanks; of nothing but those, its last words."""
    text = without_stop(clause)
    while text:
        shorter = _CLOSING.sub("", text).strip()
        if shorter == text or not shorter:
            break
        text = without_stop(shorter)
    while not _MIND.fullmatch(text) and (match := _OPENING.match(text)):
        rest = text[match.end() :].strip()
        if not rest:
            break
        text = rest
    if minding := _MIND.fullmatch(text):
        return _base_of(minding[1].lower()) + minding[2]
    return text


def _base_of(doing: str) -> str:
    base = base_form(doing)
    return base if base != doing else doing.removesuffix("ing")


def without_ornament(text: str) -> str:
    """The text without the emoji and signs at its end: `mark milk done ✅`."""
    bare = text.rstrip()
    while bare and (_is_ornament(bare[-1]) or bare[-1].isspace()):
        bare = bare[:-1]
    return bare or text


def _is_ornament(sign: str) -> bool:
    return not sign.isascii() and (sign == _EMOJI_STYLE or unicodedata.category(sign) in _ORNAMENTS)


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
