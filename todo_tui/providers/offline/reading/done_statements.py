"""Reports of something done (`I bought the milk`), read into verb and object."""

import re

from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    GENERIC_DEEDS,
    base_form,
    is_past,
    is_verb,
    surely_verb,
    word_set,
)
from todo_tui.providers.offline.requests import Report

_NOT_DEEDS = word_set("not_deeds")
_SPEAKING = word_set("speaking_verbs")
_CHATTER = regex(
    r"(about|that (i|we|you|he|she|it|they|there|the|my|our)|if|whether|how|why|what|when|where"
    r"|who|because|so)\b"
)
_GOAL = regex(r"to\s+(?P<verb>\w+)\b")
_SUPPOSED = regex(
    r"(pretend|imagine|suppose|supposing|assume|assuming|picture|maybe|perhaps|hopefully|if|say"
    r"|as if|almost|nearly|half|partly|barely|hardly|i (hope|think|guess|believe|doubt|wish|bet)"
    r"|once|when)\b"
)
"""How what is not so, or not sure, is begun."""
_ADVERBS = (
    r"((just|already|finally|also|now|actually|then|today|yesterday|recently|both|really"
    r"|successfully|even|at last|definitely|only just|simply|quickly|in fact|ever|yet)\s+)*"
)
_VERB = r"(?P<verb>(?!(the|an?|my|our)\b)[^\W\d_]+)"
_OBJECT = r"(?P<object>.+)"
_WE = rf"((i|we)('ve| have)?\s+)?{_ADVERBS}"
_FORMS = {
    "got done":
        rf"{_WE}(got|gotten|had)\s+(?P<object>.+?)\s+(all\s+)?(done|finished|completed|sorted"
        r"|sorted out|out of the way|taken care of|over with)",
    "took care":
        rf"{_WE}(took|taken|dealt|got|knocked|ticked|checked|crossed)\s+"
        rf"(care of|with|through with|done with|out|off)\s+{_OBJECT}",
    "not yet":
        rf"(i|we)\s+{_ADVERBS}(didn't|did not|haven't|have not|hadn't|never|couldn't|could not"
        r"|forgot to|failed to|wasn't able to|didn't get (around|round) to"
        r"|haven't gotten around to|haven't managed to|didn't manage to|still haven't"
        rf"|still have not|have yet to|have still not)\s+{_ADVERBS}(got (around"
        rf"|round) to )?{_VERB}\s+{_ADVERBS}(?P<object>.+?)(\s+(yet|after all|though|actually"
        r"|either|so far|today|in the end))*",
    "got past": rf"{_WE}(got|gotten|had)\s+(?P<object>.+?)\s+(?P<verb>[^\W\d_]+)",
    "did":
        rf"(i|we)\s+{_ADVERBS}(did( already| finally)?|managed to|was able to|were able to"
        r"|got around to|got round to|remembered to|went and"
        rf"|have to say i)\s+{_ADVERBS}{_VERB}\s+{_OBJECT}",
    "first person": rf"(i|we)('ve|'d| have| had)?\s+{_ADVERBS}{_VERB}\s+{_ADVERBS}{_OBJECT}",
    "no subject": rf"{_ADVERBS}{_VERB}\s+{_OBJECT}",
    "passive":
        r"(?P<object>.+?)('s been|\s+(is|are|was|were|has been|have been|got|gets"
        rf"|has gotten))\s+(?P<not>not\s+)?{_ADVERBS}{_VERB}(?P<where>\s+"
        r"(to|into|onto|at)\s+[\w' -]{1,40}?)?(\s+(now|already|today|yesterday|too"
        r"|(this|last) \w+|off|out|up|away|in|by (me|us)))*",
    "noun first":
        r"(?!(the|my|our|his|her|i|we|you|he|she|they|it)\b)(?P<object>\S+"
        r"(\s+\S+){0,3})\s+(?P<verb>[^\W\d_]+)",
    "somebody":
        r"(?P<who>((my|our|the|his|her) )?[^\W\d_]+|he|she|they|someone|somebody)"
        rf"('s| has| have)?\s+{_ADVERBS}{_VERB}\s+{_OBJECT}",
}  # fmt: skip
"""Forms of reports, tried in this order."""
_PATTERNS = {form: regex(pattern, re.DOTALL) for form, pattern in _FORMS.items()}


def read_report(text: str) -> Report | None:
    """Return the report that a clause is; None for any other clause."""
    if _SUPPOSED.match(text):
        return None
    for form, pattern in _PATTERNS.items():
        if not (match := pattern.fullmatch(text)):
            continue
        if form in ("got done", "took care"):
            return Report("finish", match["object"])
        if _fits(form, match["verb"].lower()):
            return _report(form, match)
        if form == "first person":
            return None
    return None


def _fits(form: str, verb: str) -> bool:
    """Return True if a verb has the shape that a form asks for."""
    match form:
        case "not yet":
            return True
        case "first person":
            return is_past(verb) or (verb.endswith("ed") and not is_verb(verb))
        case "passive":
            return is_past(verb)
        case _:
            # Not also the base: `paid`, but not `read`.
            return is_past(verb) and base_form(verb) != verb


def _report(form: str, match: re.Match[str]) -> Report | None:
    verb = base_form(match["verb"].lower())
    groups = match.groupdict()
    said = match["object"].strip() + (groups.get("where") or "")
    if (goal := _GOAL.match(said)) and is_verb(goal["verb"].lower()):
        return None
    if verb in _NOT_DEEDS or _CHATTER.match(said):
        return None
    if form == "somebody" and surely_verb(match["who"].lower()):
        # `archive done tasks`
        return None
    by_others = (form == "somebody" and verb not in GENERIC_DEEDS) or (
        form == "noun first" and verb in _SPEAKING
    )
    return Report(verb, said, not by_others, form == "not yet" or bool(groups.get("not")))
