"""Tokens, stems, verb forms, quoted text and polite phrases of a message."""

import re
import tomllib
import unicodedata
from calendar import monthrange
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from todo_tui.domain.dates.text import month_name
from todo_tui.domain.text import fold_case, strip_accents
from todo_tui.providers.offline.language.pattern import lines, regex

_LISTS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
"""Words by what they are for, from a file beside this one."""


def word_list(name: str) -> tuple[str, ...]:
    """Return a list of `words.toml`, in its order."""
    text: str = _LISTS[name]
    return _entries(text) if ";" in text else tuple(text.split())


def word_set(name: str) -> frozenset[str]:
    """Return a list of `words.toml` in which words are looked up."""
    return frozenset(word_list(name))


def word_table(name: str) -> dict[str, str]:
    """Return a table of `words.toml`: each word with the one that it stands for."""
    table: dict[str, str] = _LISTS[name]
    return {word: key for key, words in table.items() for word in _entries(words)}


def patterns(name: str) -> tuple[tuple[str, str], ...]:
    """Return a table of `words.toml`: each pattern with the words that take its place."""
    table: dict[str, str] = _LISTS[name]
    return tuple(table.items())


def _entries(text: str) -> tuple[str, ...]:
    return tuple(" ".join(entry.split()) for entry in text.split(";"))


_IRREGULAR = tuple(entry.split() for entry in word_list("irregular_verbs"))
_REGULAR = word_list("regular_verbs")
_NOUN_LIKE = word_set("noun_like_verbs")
_UNDOUBLED = word_set("undoubled_verbs")
_DOUBLED = word_set("doubled_verbs")
_COMMANDS = word_list("commands")
_ALONE = word_list("commands_alone")
_NOT_COMMANDS = word_set("not_commands")
ARTICLES = word_set("articles")
LINKS = word_set("links")
GENERIC = word_set("generic_nouns")
KINDS = word_set("kinds_of_task")
GENERIC_DEEDS = word_set("generic_deeds")
UNFINISHING_DEEDS = word_set("unfinishing_deeds")
NUMBERS = {word: number for number, word in enumerate(word_list("numbers"), start=1)}
_OPENING = regex(
    "|".join(
        lines(r"""
((hey|hi|hello|hiya|yo)( there| you| again)?|ok|okay|k|so|well|now|then|also|and|but|alright
    |all right|o+h|a+h|right|great|cool|nice|perfect|super|awesome|thanks|thank you|thx|yes|yeah|yep
    |sure|um|uh|hmm+|oops|sorry|please|pls|plz|kindly|finally|lastly|additionally|by the way|btw
    |and then|and also|after that|plus|good (morning|afternoon|evening)|while you're at it
    |in addition|actually|anyways?|honestly|right then)\b(?![-'’]) ?[,.!:;–—-]*\s+
(quick (one|question|thing)|remind me)( ?[,:–—-]+ ?|\s+(?=(what|when|which|who|where)\b))(?=\w)
(morning|afternoon|evening)( all| everyone| both| there)?(!+|[,.](?= (how|what|when|can|could
    |is|are|do|did|just)\b))\s+
(stick|put|jot|write|note|pop|chuck|bung) down (that )?(?=\w)
add that (?=i (must|need to|have to|should)\b)
((make|take) a )?note that (?!(down|on|in|for|to|with|there|one|it|as)\b)(?=\w+ \w)
(another|one (more|other)|(the )?(next|other|last)) thing( is|,|:| [–-])( to| that)? (?=\w)
(oh )?(my )?(god|gosh|goodness|lord)\b[,!]* (?=\w)
(it )?(would|'d) be (great|good|nice|lovely|helpful|kind) if you (could|would|can)\s+
if you('d| would) be so (kind|good)[, ]+
you (need|have) to (?=remind me\b)
(do )?put me (down|in) for (?=\w)
(i )?((almost|nearly|totally|completely) )?forgot( about| that)?\b(, | - |: |! )
put (?=(call|buy|get|order|book|email|ring|pay|fix|clean|send|collect)\b)
(first|next|second|third) (?=(add|complete|mark|delete|move|remind|create|rename|tag|show|list
    |remove|finish|undo)\b)
(next|first|again|assistant|todo-tui|second|third|today)[,:]\s+
(can|could|would|will|can't|couldn't|won't) (you|u|ya|we)
    ( (please|pls|kindly|maybe|perhaps|just|also|quickly|now))*\s+
(i would|i'd|i 'd) (really )?(like|love) (for )?you to\s+
i (want|need) you to\s+
before i forget( again| yet again)?,? (?=\w)
i was (thinking,\s+|(wondering|hoping) (if )?(?=you\b))
((i would|i'd) (really )?(like|love)|i want) to (?=(add|create|see|view|move|reschedule|postpone
    |rename|tag)\b)
(can|could|may) i (please )?(?=(see|view|get|have a reminder)\b)
(please|pls|plz)[ ,]+
(just|quickly|simply|kindly) (?!now\b)
you (might|can|could|may) (?=(tell|show) me (what|which|when|how)\b)
(go ahead and|be so (kind|good) (as )?to|make sure (to|you)|feel free to
    |you (can|could|may|should)( now)?)\s+
(let's|lets|let us)\s+
(remind me|tell me|show me|let me know|i (want|need|would like) to know|i'd like to know
    |do you know|any idea) (of )?
    (?=(what|what's|whats|when|whens|which|where|how (many|much|often)|if|whether)\b)
""")
    )
)
_CLOSING = regex(
    r"((?<!\ba)[ ,.!;–—-]+(please|pls|plz|thanks( (a lot|so much|in advance|again))?"
    r"|thank you( (very much|so much))?|thx|for me|if you (can|could|would|please|don't mind)"
    r"|right away|if (that's |it's )?(possible|okay|ok)|(?<!missed ones )too"
    r"|as well|also|instead|then|actually|anyway|anyhow|(would|will|could|can) (you|ya|u)"
    r"|(at )?(the )?same (time|place)|(and|but) (leave|keep) (the )?(others?|other ones?|rest)"
    r"( alone| as (it|they) \w+)?"
    r"|lol|haha+|lmao|finally|at last|btw|by the way|(don't|dont|do not) let me forget"
    r"( it| this| that| about it)?|remind me)|, *(ok|okay|will you|would you|could you|can you"
    r"|cheers|then|my friend|mate|now|right))(\s*[^\w\s\"'`)\]]+)*$"
)
_STOPS = re.compile(r"(?<=[^\s!])[.!…]+$|\s*\?+[?!.]*$|\s+[.,;:]+$|[,;]$")
_SPELLINGS = tuple((regex(pattern), plain) for pattern, plain in patterns("spellings"))
_HEAD = 24
_ORNAMENTS = frozenset({"So", "Sk", "Cf"})
"""Unicode's categories of emoji, their colours and their joiner."""
_EMOJI_STYLE = "\ufe0f"
_MIND = regex(r"(would|do) you mind (?P<doing>\w+ing)\b(?P<what>.*)", re.DOTALL)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_QUOTED = re.compile(
    r"(?<![\w\"])\"([^\"\n]+)\"(?!\w)|`([^`\n]+)`|(?<![\w'])'([^'\n]+(?:'\w[^'\n]*)*)'(?![\w'])"
)
_FIRST_MARK = 0x12000
"""Cuneiform: letters, so that patterns see words, and of no list that is written today."""
_MARKS = 0x390
MARK = f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]"
"""The pattern of one quoted part, hidden."""
_MARK = re.compile(MARK)


def _forms() -> dict[str, str]:
    bases: dict[str, str] = {}
    for base, *others in _IRREGULAR:
        for form in (base, base + "s", *others):
            bases.setdefault(form, base)
        bases.setdefault(_present(base), base)
    for base in _REGULAR:
        for form in (base, base + "s", base + "es", _past(base), _present(base)):
            bases.setdefault(form, base)
        if base.endswith("y"):
            bases.setdefault(base[:-1] + "ies", base)
    for form in ("goes", "does"):
        bases[form] = form[:2]
    return bases


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _present(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and len(base) > 2:
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _doubled(base: str) -> str:
    """The base with its last consonant doubled where spelling asks for it: plan, mop."""
    short = len(base) >= 3 and base[-1] not in "aeiouwxy" and base[-2] in "aeiou"
    if not short or base[-3] in "aeiou" or base in _UNDOUBLED:
        return base
    last_syllable = sum(letter in "aeiou" for letter in base) == 1
    return base + base[-1] if last_syllable or base in _DOUBLED else base


_BASE_OF = _forms()
_BASES = frozenset(_BASE_OF.values())
_PAST_FORMS = {
    *(form for base, *others in _IRREGULAR for form in others or [base]),
    *map(_past, _REGULAR),
    *word_list("other_past_forms"),
}
_MEANINGS: dict[str, frozenset[str]] = {}
for _group in map(str.split, word_list("synonyms")):
    for _verb in _group:
        _MEANINGS[_verb] = _MEANINGS.get(_verb, frozenset()).union(_group)


def base_form(word: str) -> str:
    """The base of a verb's form, as `buy` of `bought`; any other word as it stands."""
    if word in _BASE_OF:
        return _BASE_OF[word]
    for ending in ("led", "ling"):
        if word.endswith("l" + ending) and word.removesuffix(ending) in _BASES:
            return word.removesuffix(ending)
    return word


def is_verb(word: str) -> bool:
    """Return True if the word is the base of a verb people write tasks with."""
    return word in _BASES and _BASE_OF.get(word) == word


def surely_verb(word: str) -> bool:
    """Return True if it is a verb that hardly stands for a thing: `call`, but not `milk`."""
    return is_verb(word) and word not in _NOUN_LIKE


def is_past(word: str) -> bool:
    """Return True if the word is a past form, of a verb known or regular enough to see it."""
    return word in _PAST_FORMS or (word.endswith("lled") and base_form(word) != word)


def same_deed(one: str, other: str) -> bool:
    """Return True if two base forms can report one deed: `get` and `buy`."""
    return one == other or other in _MEANINGS.get(one, ())


def peeled(clause: str) -> str:
    """The clause without greetings, please and thanks, its contractions with apostrophes.

    Of nothing but politeness, its last words.
    """
    return respelled(_without_politeness(clause))


def _without_politeness(clause: str) -> str:
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


@lru_cache(maxsize=256)
def respelled(clause: str) -> str:
    """Contractions at the beginning with their apostrophes: `dont delete` is `don't delete`."""
    head, tail = clause[:_HEAD], clause[_HEAD:]
    cut = len(head) if not tail else head.rfind(" ") + 1
    head, tail = clause[:cut], clause[cut:]
    for pattern, plain in _SPELLINGS:
        head = pattern.sub(plain, head)
    return head + tail


@lru_cache(maxsize=256)
def respelled_whole(text: str) -> str:
    """Contractions everywhere with their apostrophes, for reading only."""
    for pattern, plain in _SPELLINGS:
        text = pattern.sub(plain, text)
    return text


_DOTTED = re.compile(r"(?<![\w.])(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(?=\s|$|,|;|!|\?)")


def with_months(text: str) -> str:
    """Return a text with `15 December` in place of `15.12.`, whose dot ends no sentence."""
    return _DOTTED.sub(_with_month, text)


def _with_month(found: re.Match[str]) -> str:
    day, month = int(found[1]), int(found[2])
    is_day = day <= monthrange(2000, month)[1]
    return f"{day} {month_name(month)}" if is_day else found[0]


def straightened(text: str) -> str:
    """Typographic quotes made plain and text normalised, its case kept."""
    return unicodedata.normalize("NFC", text).translate(_QUOTES)


def folded(text: str) -> str:
    """Text as it is compared: plain quotes, one case, single spaces."""
    return " ".join(fold_case(straightened(text)).split())


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in their order, folded, without accents and possessive endings."""
    return tuple(word.removesuffix("'s") for word in _TOKEN.findall(strip_accents(folded(text))))


def stem(word: str) -> str:
    """What the forms of a word have in common: bought, buys and buying are buy."""
    return _without_plural(base_form(word))


def content(text: str) -> tuple[str, ...]:
    """The stems that carry meaning, in order; all of them where none does."""
    words = tokens(text)
    kept = [word for word in words if word not in ARTICLES and word not in LINKS]
    return tuple(stem(word) for word in kept or words)


def distance(one: str, other: str) -> int:
    """Edits between two words: insert, delete, replace, or swap two neighbours."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


_SHORT = 5
_LONGEST_CUT = 3
"""Letters that a shortened word may lack, a short one two more: `chem` is chemistry, but no
presentation a present."""


@lru_cache(maxsize=65_536)
def alike(one: str, other: str) -> bool:
    """Return True if two words are the same but for a typo or a cut end.

    Short words must be equal; a word of four or five letters may have one slip,
    a longer one two. Numbers never stand for each other.
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    extra = len(longer) - len(shorter)
    most = _LONGEST_CUT if len(shorter) > _SHORT else _LONGEST_CUT + 2
    is_cut = extra <= most and longer.startswith(shorter)
    slips = 1 if len(longer) < 7 else 2
    # A slip adds a letter and removes one at most, which is quicker to tell than `distance`.
    if len(shorter) < 4 or not (is_cut or (extra <= slips and len({*one} ^ {*other}) <= 2 * slips)):
        return False
    if any(letter.isdigit() for letter in one + other):
        return False
    if is_cut or one in GENERIC:
        # `stuff` is no slip of *staff*.
        return is_cut
    found = distance(one, other)
    if one[0] == other[0]:
        return found <= slips
    # Another first letter makes another word of a short one: Mike is no bike, but mail is email.
    is_other = len(one) == len(other) <= _SHORT and sorted(one) != sorted(other)
    return found < 2 and not is_other


def _without_plural(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text whose quoted parts are single marks, and what the marks stand for."""

    text: str
    parts: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with its marks opened, the quotes gone."""
        return _MARK.sub(lambda mark: self._part(mark[0]), text)

    def kept(self, text: str) -> str:
        """The text with its marks opened, in double quotes."""
        return _MARK.sub(lambda mark: _in_quotes(self._part(mark[0])), text)

    def _part(self, mark: str) -> str:
        at = ord(mark) - _FIRST_MARK
        return self.parts[at] if at < len(self.parts) else ""


def hide_quoted(text: str) -> Quoted:
    """Put a mark of Unicode's cuneiform block in place of each quoted part."""
    parts: list[str] = []

    def hide(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or match[3]).strip()
        if not words or len(parts) >= _MARKS:
            return match[0]
        parts.append(words)
        return chr(_FIRST_MARK + len(parts) - 1)

    return Quoted(_QUOTED.sub(hide, _MARK.sub("", straightened(text))), tuple(parts))


def is_mark(text: str) -> bool:
    """Return True if the text is one quoted part and nothing else."""
    return _MARK.fullmatch(text.strip()) is not None


def _in_quotes(words: str) -> str:
    return f"`{words}`" if '"' in words else f'"{words}"'


_SHORTEST = 4


def respell_command(text: str) -> str | None:
    """The text with its first word replaced by the one command that it nearly is.

    None where it is a word in its own right, or near to none or to several.
    """
    word, _, rest = text.partition(" ")
    given = word.casefold().strip(",:")
    if (
        len(given) < _SHORTEST
        or not given.isalpha()
        or given in _COMMANDS
        or given in _NOT_COMMANDS
    ):
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
