"""Text: cleaning of what is untrusted, folding, similar names, formatting of counts and money."""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

_SMALL = 0.1
_DIGITS = 4
_MAX_DIGITS = 9
# Text, not compiled: most titles are plain, and `re` caches patterns on first
# use.
_CSI = r"(?:\x1b\[|\x9b) [0-?]*+ [ -/]*+ [@-~]"  # colours, cursor
# Titles, links, clipboard.
_OSC = r"(?:\x1b\]|\x9d) (?P<osc> [^\x07\x1b\x9c]*+ ) (?P<osc_end> \x07|\x1b\\|\x9c )?"
# DCS, SOS, PM, APC.
_STRING = r"(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]) (?P<string> [^\x1b\x9c]*+ ) (?P<end> \x1b\\|\x9c )?"
_TWO_CHARACTERS = r"\x1b [ -/]*+ [0-~]"
_ESCAPES = rf"(?x) {_CSI} | {_OSC} | {_STRING} | {_TWO_CHARACTERS}"
_WITHIN_STRING = rf"(?x) {_CSI} | {_OSC}"
_WITHIN_OSC = rf"(?x) {_CSI}"
_LINE_ENDS = "\r\n|[\r\x0b\x0c\x85\u2028\u2029]"
_UNSAFE = (
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # C0 (but tab and newline), DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidi marks, embeddings, isolates
    "\ufff9-\ufffb\ud800-\udfff]"  # interlinear annotation, lone surrogates
)
_BREAKS = r"[\n\t]+"
_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
"""Marks on letters of Latin, Greek and Cyrillic; those of other scripts make other letters."""
_MARKDOWN = (
    r"(?x) ^\s*+ (?: \#{1,6}\s | >\s? | [-*+]\s )"  # heading, quotation, list item
    r"| \\(?P<kept> [!-/:-@\[-`{-~] )"
    r"| !?\[(?P<label> [^\[\]\\]*+ )\]\([^()\s]*+\)"
    r"| \*\*|__|`++"
    r"| (?<!\w)[*_](?=\S) | (?<=\S)[*_](?!\w)"
)

_ABBREVIATION = (
    r"(?i)(?<!\w)(?:approx|capt|cf|dept|dipl|dr|ext|fig|hon|incl|ing|mag|mlle|mme|mrs?|ms|no|nr|pp"
    r"|prof|rev|sgt|st|tel|vol|vs"
    # Initials, and the last letter of `e.g.`.
    r"|[a-z])\.\Z"
)
_MAY_END = r"(?i)(?<!\w)(?:etc|[ap]\.m|co|inc|jr|ltd|sr)\.\Z"
"""Abbreviations with which a sentence may end."""
_DAY_NUMBER = r"(?<![\w.,:])[0-3]?\d\.\Z"
_LONGEST_ABBREVIATION = 8
_MONTH_OR_DAY = (
    r"(?i:\s*+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january?|jan|february?|feb|march|märz"
    r"|mar|april|apr|may|mai|june|juni|jun|july|juli|jul|august|aug|september|sept?|october|oktober"
    r"|o[ck]t|november|nov|dec|december|dez|dezember)\b)"
)
_GOES_ON = rf"{_MONTH_OR_DAY}|\s*+[^\sA-ZÀ-Þ]"


def ends_in_abbreviation(text: str, end: int) -> bool:
    """Return True if the stop before `end` belongs to a word or a number, and ends no sentence.

    Such are the stops of `Ms. Brunner`, `approx. 5`, `J. Smith`, `5 p.m. on Monday`, `5. Dezember`.
    """
    start = max(end - _LONGEST_ABBREVIATION, 0)

    def is_before(pattern: str) -> bool:
        return re.compile(pattern).search(text, start, end) is not None

    if is_before(_MAY_END):
        return re.compile(_GOES_ON).match(text, end) is not None
    if is_before(_DAY_NUMBER):
        return re.compile(_MONTH_OR_DAY).match(text, end) is not None
    return is_before(_ABBREVIATION)


def format_count(count: int, one: str, many: str = "") -> str:
    """Return `1 task`, `1,234 tasks`; `many` is for other plurals than with an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def tool_words(name: str) -> str:
    """Return the name of a tool in words: `Delete task`."""
    return plain_line(name).replace("_", " ").capitalize()


def listed_count(count: int, most: int) -> int:
    """Return how many of `count` things a list of about `most` shows: never all but one.

    The line that would say “and 1 more” has room for that one.
    """
    return count if count <= most + 1 else most


def join_words(words: Sequence[str], joint: str) -> str:
    """Return `a, b or c`, with `joint` before the last word."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def shorten(text: str, longest: int) -> str:
    """Return the text, cut with an ellipsis if it has more characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def format_dollars(amount: float) -> str:
    """Return `$12.50`, `$0.0071`, `$0.000041`, `$0`: few digits, and `$0` only for 0."""
    if amount == 0:
        return "$0"
    if amount >= _SMALL:
        return f"${amount:,.2f}"
    # At least two significant digits.
    digits = min(max(_DIGITS, 1 - math.floor(math.log10(amount))), _MAX_DIGITS)
    return f"${amount:.{digits}f}"


def format_rate(amount: float) -> str:
    """Return `0.15`, `0.075`, `2.50`: a price without currency, to a tenth of a cent."""
    exact = f"{amount:.3f}"
    return exact.removesuffix("0")


def plain_text(text: str) -> str:
    """Remove control, escape and bidi characters; newlines and tabs stay.

    All kinds of line ends become a newline. Joiners and variation selectors stay,
    because emoji and many scripts need them.
    """
    if text.isprintable():
        return text
    without_escapes = re.sub(_ESCAPES, _after_escape, text)
    return re.sub(_UNSAFE, "", re.sub(_LINE_ENDS, "\n", without_escapes))


def _after_escape(found: re.Match[str]) -> str:
    """Return the replacement of an escape sequence: its text if it is unterminated."""
    if found["string"] is not None and found["end"] is None:
        # No nested string can end either: searching its end again would take
        # quadratic time.
        return re.sub(_WITHIN_STRING, _after_osc, found["string"])
    return _after_osc(found)


def _after_osc(found: re.Match[str]) -> str:
    """Return the replacement within a string, which only CSI and OSC sequences can end."""
    if found["osc"] is not None and found["osc_end"] is None:
        return re.sub(_WITHIN_OSC, "", found["osc"])
    return ""


def plain_line(text: str) -> str:
    """Clean like `plain_text`, on one line: newlines and tabs become one space."""
    if text.isprintable():
        return text
    return re.sub(_BREAKS, " ", plain_text(text))


def strip_markdown(line: str) -> str:
    """Remove the signs of Markdown from a line: its mark, emphasis, code, links, escapes."""
    return re.sub(_MARKDOWN, lambda found: found["kept"] or found["label"] or "", line)


def repair_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, so that UTF-8 can encode the text."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def fold_case(text: str) -> str:
    """Normalise text for search: casefolded, in one Unicode form."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def strip_accents(text: str) -> str:
    """Remove accents, as people leave them out: `cafe` for `café`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(each for each in parts if each not in _ACCENTS))


def similar(
    name: str, known: Iterable[str], *, most: int = 3, likeness: float = 0.6
) -> tuple[str, ...]:
    """Return known names that a mistyped or shortened name may mean, likeliest first.

    Names that begin with it come before those that only resemble it; case is ignored.
    """
    from difflib import get_close_matches  # 2 ms: only mistakes need it

    folded, by_folded = fold_case(name), {fold_case(each): each for each in known}
    longer = (each for each in by_folded if folded and each.startswith(folded))
    close = get_close_matches(folded, by_folded, n=most, cutoff=likeness)
    found = dict.fromkeys((*sorted(longer, key=len), *close))
    return tuple(by_folded[each] for each in found)[:most]


def search_text(title: str, notes: str, project: str | None, tags: Iterable[str]) -> str:
    """Return the text that filters search: each field normalised, on lines of its own."""
    # Folding never crosses line ends, so that one call for all fields is the same.
    return fold_case("\n".join((title, notes, project or "", *tags)))
