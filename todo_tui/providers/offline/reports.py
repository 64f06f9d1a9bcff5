"""Reports of something done (`I bought the milk`), read into verb and object."""

from __future__ import annotations

import re
from collections.abc import Callable

from todo_tui.providers.offline.pattern import regex
from todo_tui.providers.offline.requests import Report
from todo_tui.providers.offline.words import base_form, is_past, is_verb, word_set

_ADVERBS = (
    r"(?:(?:just|already|finally|also|now|actually|then|today|yesterday|recently|both|really|"
    r"successfully|even|at last|definitely|only just|simply|quickly|in fact|ever|yet)\s+)*"
)
_NOT_DEEDS = word_set("not_deeds")
_CHATTER = regex(
    r"(about|that (i|we|you|he|she|it|they|there|the|my|our)|if|whether|how|why|what|when|where|who"
    r"|because|so)\b"
)
_GOAL = regex(r"to\s+(?P<verb>\w+)\b")
_FIRST_PERSON = regex(
    rf"(i|we)('ve|'d| have| had)?\s+{_ADVERBS}(?P<verb>(?!(the|an?|my"
    rf"|our)\b)[^\W\d_]+)\s+{_ADVERBS}(?P<object>.+)",
    re.DOTALL,
)
_DID = regex(
    rf"(i|we)\s+{_ADVERBS}(did( already| finally)?|managed to|was able to|were able to"
    rf"|got around to|got round to|remembered to|went and|have to say i)\s+{_ADVERBS}(?P<verb>(?!"
    r"(the|an?|my|our)\b)[^\W\d_]+)\s+(?P<object>.+)",
    re.DOTALL,
)
_NOT_YET = regex(
    rf"(i|we)\s+{_ADVERBS}(didn't|did not|haven't|have not|hadn't|never|couldn't|could not"
    r"|forgot to|failed to|wasn't able to|didn't get (around|round) to|haven't gotten around to"
    r"|haven't managed to|didn't manage to|still haven't|still have not|have yet to"
    rf"|have still not)\s+{_ADVERBS}(got (around|round) to )?(?P<verb>(?!(the|an?|my"
    rf"|our)\b)[^\W\d_]+)\s+{_ADVERBS}(?P<object>.+?)(\s+(yet|after all|though|actually|either"
    r"|so far|today|in the end))*",
    re.DOTALL,
)
_GOT_DONE = regex(
    rf"((i|we)('ve| have)?\s+)?{_ADVERBS}(got|gotten|had)\s+(?P<object>.+?)\s+(all\s+)?(done"
    r"|finished|completed|sorted|sorted out|out of the way|taken care of|over with)",
    re.DOTALL,
)
_GOT_PAST = regex(
    rf"((i|we)('ve| have)?\s+)?{_ADVERBS}(got|gotten|had)\s+(?P<object>.+?)\s+(?P<verb>[^\W\d_]+)",
    re.DOTALL,
)
_TOOK_CARE = regex(
    rf"((i|we)('ve| have)?\s+)?{_ADVERBS}(took|taken|dealt|got|knocked|ticked|checked"
    r"|crossed)\s+(care of|with|through with|done with|out|off)\s+(?P<object>.+)",
    re.DOTALL,
)
_PASSIVE = regex(
    r"(?P<object>.+?)('s been|\s+(is|are|was|were|has been|have been|got|gets"
    rf"|has gotten))\s+(?P<not>not\s+)?{_ADVERBS}(?P<verb>(?!(the|an?|my"
    r"|our)\b)[^\W\d_]+)(?P<where>\s+(to|into|onto|at)\s+[\w' -]{1,40}?)?(\s+(now|already|today"
    r"|yesterday|too|(this|last) \w+|off|out|up|away|in|by (me|us)))*",
    re.DOTALL,
)
_SUBJECTLESS = regex(
    rf"{_ADVERBS}(?P<verb>(?!(the|an?|my|our)\b)[^\W\d_]+)\s+(?P<object>.+)",
    re.DOTALL,
)
_NOUN_FIRST = regex(
    r"(?!(the|my|our|his|her|i|we|you|he|she|they"
    r"|it)\b)(?P<object>\S+(\s+\S+){0,3})\s+(?P<verb>[^\W\d_]+)"
)
_SUPPOSED = regex(
    r"(pretend|imagine|suppose|supposing|assume|assuming|picture|maybe|perhaps|hopefully|if|say"
    r"|as if|almost|nearly|half|partly|barely|hardly|i (hope|think|guess|believe|doubt|wish|bet)"
    r"|once|when)\b"
)
"""How what is not so, or not sure, is begun."""
_SPEAKING = word_set("speaking_verbs")
_SOMEBODY = regex(
    r"(?P<who>((my|our|the|his|her) )?[^\W\d_]+|he|she|they|someone|somebody)('s| has"
    rf"| have)?\s+{_ADVERBS}(?P<verb>(?!(the|an?|my|our)\b)[^\W\d_]+)\s+(?P<object>.+)",
    re.DOTALL,
)


def read_report(text: str) -> Report | None:
    """Return the report that a clause is; None for any other clause."""
    if _SUPPOSED.match(text):
        return None
    for pattern in (_GOT_DONE, _TOOK_CARE):
        if match := pattern.fullmatch(text):
            return Report("finish", match["object"])
    for pattern, fits in _FORMS:
        if (match := pattern.fullmatch(text)) and fits(match["verb"].lower()):
            return _report(match, pattern)
        if match and pattern is _FIRST_PERSON:
            return None
    return None


def _report(match: re.Match[str], pattern: re.Pattern[str]) -> Report | None:
    verb = base_form(match["verb"].lower())
    groups = match.groupdict()
    said = match["object"].strip() + (groups.get("where") or "")
    if (goal := _GOAL.match(said)) and is_verb(goal[1].lower()):
        return None
    if verb in _NOT_DEEDS or _CHATTER.match(said):
        return None
    by_others = pattern is _SOMEBODY or (pattern is _NOUN_FIRST and verb in _SPEAKING)
    return Report(verb, said, not by_others, pattern is _NOT_YET or bool(groups.get("not")))


def _reports(verb: str) -> bool:
    """Return True if the word after `I` can be a past form: known, or ending like one."""
    return is_past(verb) or (verb.endswith("ed") and not is_verb(verb))


def _surely_past(verb: str) -> bool:
    """Return True if the word is a past form and not also the base: `paid`, but not `read`."""
    return is_past(verb) and base_form(verb) != verb


_FORMS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (_NOT_YET, bool),
    (_GOT_PAST, _surely_past),
    (_DID, lambda verb: is_verb(base_form(verb))),
    (_FIRST_PERSON, _reports),
    (_SUBJECTLESS, _surely_past),
    (_PASSIVE, is_past),
    (_NOUN_FIRST, _surely_past),
    (_SOMEBODY, _surely_past),
)
"""Forms of reports, tried in this order, and what their verbs must be."""
