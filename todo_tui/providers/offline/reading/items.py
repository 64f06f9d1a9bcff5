"""Split the text of an addition into the texts of its tasks."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import WEEKDAY
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import is_mark, is_verb, surely_verb, word_set

_BULLET = re.compile(r"^\s*(?:[-*•–—+·‣◦▪]|\(?\d{1,3}[.)]|\[[ xX]?\]|[a-z]\))\s+(?:\[[ xX]?\]\s+)?")
_NUMBERED = re.compile(r"(?:^|[\s,;])\(?\d{1,2}[.)]\s+(?=\S)")
_STRONG = regex(
    r"\s*(;|\s/\s|,?\s+and also\b|,?\s+as well as\b|,?\s+plus\b|,?\s+and then\b|,\s*then\b"
    r"|,?\s+also\b(?=\s+\S)|,?\s+and\s+(another|a|an|one)(\s+(task|reminder|one|to-?do|item))?\s*"
    r"(to\b|for\b|:)|,?\s+and\s+add\b)\s*"
)
_WEAK = regex(r"(\s*,\s*(and\s+|&\s+)?|\s+(and|&|\+)\s+)")
_CONTINUES = regex(
    r"(who|which|that|because|but|so|if|when|while|where|since|as|or|with|without|for|to|of|than"
    r"|like|his|her|their|its|maybe|possibly|not|then|from|about|at|in|on|by|before|after|until"
    r"|etc\.?|the (other|rest)|others?|more|all|notes?(?=:))\b"
)
_PERSON = regex(rf"{phrases.PERSON}$")
"""With whom it is, rather than something new: `dentist friday at 9, Dr Weber`."""
_GOVERNS = regex(r"\b(with|for|between|about|of|from|to|without|re|regarding|against|versus|vs)\b")
_AFTER_VERBS = word_set("after_verbs")
_THINGS = word_set("thing_verbs")
_BUYING = word_set("buying_verbs")
_COUNT = regex(r"(\d+|an?|some|one|two|three|four|five|six|seven|eight|nine|ten|a dozen)\s+\w")
_AS_WELL = regex(r"to (?P<verb>\w+) ")
_LIKE_DEED = regex(
    r"(?!(all|both|half|over|under|round|around|through|across|also|even|just|maybe|and)\b)[a-z]+"
    r" (the|my|our) \w"
)
"""A verb that no list has, before a thing: `oil the shears`."""
_SHORT = 4
_MAX_JOINTS = 200
"""Joints of a list; what has more of them is no list."""
_PAIRS = word_set("pairs")
TitleOf = Callable[[str], str]
"""What is left of a piece as title, once dates and other attributes are taken off."""
_WEEKDAY = r"(WEEKDAY(s)?|mon|tue|wed|thu|fri|sat|sun)"
_WEEKLY = regex(rf"\b(every|each|weekly|repeats?)\b.*\b{_WEEKDAY}$")
_TAGGED = regex(
    r"\b((tagged|labell?ed)( as| with)?|with (the )?(tags?|labels?)):? @?[\w-]+"
    r"((,? (and|&) |, ?)@?[\w-]+)*$"
)
_OTHER_TAGGED = regex(r".+ (tagged|labell?ed|with|[@#]\w)")
_ENDS_IN_DAY = regex(rf".*\w (on )?{WEEKDAY}")
_ONLY_DAYS = regex(
    rf"{WEEKDAY}((,? (and|&) |, ?){WEEKDAY})*"
    r"( (at )?\d{1,2}([.:]\d\d)?( ?[ap]m)?)?( [#@!~]\S+)*"
)
"""What goes on with the days of one task: `yoga mon, wed, fri 7am`."""
_WEEKDAY_LIST = regex(rf"{_WEEKDAY}(?=$|,| and | & | at | until | till | for | from |\d)")


_PARTICLES = frozenset({"up", "off", "out", "down"})


@dataclass(frozen=True, slots=True)
class Piece:
    """Words between two joints; `title` is them without date and attributes."""

    text: str
    title: str

    @property
    def words(self) -> list[str]:
        """The words of the title."""
        return self.title.split()

    @property
    def dated(self) -> bool:
        """Return True if it has a date or another attribute of its own."""
        return self.title.casefold() != self.text.strip().casefold()

    @property
    def is_deed(self) -> bool:
        """Return True if it says to do something to something."""
        words = self.words
        return (
            len(words) > 1
            and is_verb(words[0].lower())
            and not (is_mark(self.text) or self.is_lone_verb)
        )

    @property
    def is_surely_deed(self) -> bool:
        """Return True if its verb is no noun: `book flights`, but not `milk chocolate`."""
        words = [word.lower() for word in self.words]
        return self.is_deed and (words[0] not in _THINGS or words[1] in _AFTER_VERBS)

    @property
    def begins_anew(self) -> bool:
        """Return True if a verb follows: `to post the letter`, `on friday paint it`."""
        if match := _AS_WELL.match(self.text):
            return is_verb(match["verb"].lower())
        text, title = self.text.casefold().strip(), self.title.casefold()
        return self.is_surely_deed and text != title and text.endswith(title)

    @property
    def is_lone_verb(self) -> bool:
        """Return True if it is a verb whose object is yet to come."""
        words = [word.lower() for word in self.words if word.lower() not in _PARTICLES]
        return len(words) == 1 and surely_verb(words[0])


def split_items(text: str, title_of: TitleOf) -> tuple[str, ...]:
    """The texts of the single tasks, bullets removed, in order."""
    items: list[str] = []
    for line in text.split("\n"):
        for chunk in _numbered(line.strip()):
            for part in _STRONG.split(chunk):
                items += _split_chunk(part.strip(), title_of) if part.strip() else ()
    cleaned = (
        re.sub(r"^(?:and|also|then|,)\s+", "", item.strip(), flags=re.IGNORECASE) for item in items
    )
    return tuple(item.strip(" ,") for item in cleaned if item.strip(" ,"))


def _counts_days(left: str, right: str) -> bool:
    """Return True if both sides of a joint are days of one recurrence: 15th and last day."""
    is_rule = bool(_WEEKLY.search(left) and _WEEKDAY_LIST.match(right))
    return is_rule or bool(_ENDS_IN_DAY.fullmatch(left) and _ONLY_DAYS.fullmatch(right))


def _lists_tags(left: str, right: str, title_of: TitleOf) -> bool:
    """Return True if a tag stands on both sides of a joint: `tagged home and shop`."""
    if not _TAGGED.search(left):
        return False
    following = _WEAK.split(right, maxsplit=1)[0]
    return len(title_of(following).split()) == 1 and not _OTHER_TAGGED.match(following)


def _numbered(line: str) -> list[str]:
    starts = list(_NUMBERED.finditer(line))
    if len(starts) < 2 or starts[0].start() != 0:
        return [_BULLET.sub("", line)]
    return [part for part in _NUMBERED.split(line) if part.strip()]


def _split_chunk(chunk: str, title_of: TitleOf) -> list[str]:
    joints = [
        joint
        for joint in _WEAK.finditer(chunk)
        if not _is_bracketed(chunk, joint.start())
        and not _counts_days(chunk[: joint.start()], chunk[joint.end() :])
        and not _lists_tags(chunk[: joint.start()], chunk[joint.end() :], title_of)
    ]
    if not joints or len(joints) > _MAX_JOINTS:
        return [chunk]
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(chunk)]
    texts = [chunk[start:end] for start, end in zip(starts, ends, strict=True)]
    pieces = [Piece(text, title_of(text)) for text in texts]
    while len(pieces) > 1 and not pieces[-1].title:
        last = pieces.pop()
        text = pieces[-1].text + joints.pop()[0] + last.text
        title = title_of(text)
        # Two days in a row are none that can be set, yet they end what stands before them.
        pieces[-1] = Piece(text, title if title != text.strip() else pieces[-1].title)
    if bought := _each_bought(pieces):
        return bought
    return _joined(pieces, joints, title_of) if joints else [chunk]


def _each_bought(pieces: Sequence[Piece]) -> list[str]:
    """`buy 3 apples, 2 pears and a melon`: an errand for each thing that is counted."""
    verb, *_ = pieces[0].words or [""]
    objects = [pieces[0].text.strip()[len(verb) :], *(piece.text for piece in pieces[1:])]
    counted = all(_COUNT.match(each.strip()) for each in objects)
    if len(pieces) < 3 or verb.lower() not in _BUYING or not counted:
        return []
    return [f"{verb.lower()} {each.strip()}" for each in objects]


def _is_bracketed(text: str, at: int) -> bool:
    """Return True if a place lies within brackets that are closed after it."""
    return text.count("(", 0, at) > text.count(")", 0, at) and ")" in text[at:]


def _joined(pieces: list[Piece], matches: Sequence[re.Match[str]], title_of: TitleOf) -> list[str]:
    """The pieces, those that belong together as one."""
    joints = [match[0] for match in matches]
    listing = _is_listing(pieces, joints)
    items = [pieces[0]]
    for piece, joint in zip(pieces[1:], joints, strict=True):
        if listing or _parts(items[-1], piece, joint):
            items.append(piece)
        else:
            text = items[-1].text + joint + piece.text
            items[-1] = Piece(text, title_of(text))
    return [item.text for item in items]


def _is_listing(pieces: list[Piece], joints: list[str]) -> bool:
    """Return True if all pieces are short things: `milk, eggs and bread`."""
    if any(not piece.words or _CONTINUES.match(piece.text) for piece in pieces):
        return False
    if pieces[0].dated and any(_PERSON.match(piece.text) for piece in pieces[1:]):
        return False
    if all(len(piece.words) == 1 for piece in pieces) and len(pieces) > 2:
        return True
    if any(piece.is_surely_deed or piece.is_lone_verb for piece in pieces):
        return False
    if any(len(piece.words) > _SHORT for piece in pieces):
        return False
    if any("," in joint for joint in joints):
        return not any(_GOVERNS.search(piece.title) for piece in pieces[:1])
    return len(pieces) == 2 and not _belong_together(*pieces)


def _belong_together(one: Piece, other: Piece) -> bool:
    """Return True if `one and other` is a single thing."""
    pair = f"{one.title} {other.title}".casefold()
    loose = f"{one.words[-1]} {other.words[0]}".casefold()
    if pair in _PAIRS or loose in _PAIRS or _GOVERNS.search(one.title):
        return True
    return len(one.words) > 3 or len(other.words) > 3


def _parts(left: Piece, right: Piece, joint: str) -> bool:
    """Return True if the joint between two pieces parts two tasks."""
    if is_mark(left.text) and is_mark(right.text):
        return True
    if not right.words or not left.words:
        return False
    if left.is_deed and right.begins_anew:
        return True
    if _CONTINUES.match(right.text) or (_PERSON.match(right.text) and not right.dated):
        return False
    if (left.is_lone_verb and not left.dated) or right.is_lone_verb:
        return False
    if right.is_surely_deed:
        return True
    if left.dated and (left.is_deed or right.dated or len(right.words) <= _SHORT):
        # What follows is something new where the attributes stand at the end.
        return left.text.casefold().strip().startswith(left.title.casefold())
    is_deed = right.is_deed or _LIKE_DEED.match(right.text)
    return left.is_deed and bool(is_deed) and ("," in joint or right.dated)
