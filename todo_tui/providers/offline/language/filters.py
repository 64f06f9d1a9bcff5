"""Read a description of tasks (`my overdue work tasks`) into words of the filter language."""

import re
from dataclasses import dataclass, replace

from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    respelled_whole,
    word_set,
    word_table,
)

_FIELDS = word_table("sort_fields")
_HEADINGS = word_table("headings")
_ORDERS = {
    "title":
        r"(and )?((sorted|ordered|sort|order)( (them|it))? )?(alphabetical(ly)?"
        r"|in alphabetical order|from a to z|a-z)",
    "urgency": r"(with )?(the )?(most (urgent|pressing)|most urgent ones) first",
    "priority": r"(with )?(the )?(most important|highest priority) first",
    "created-": r"(with )?(the )?(newest|latest|most recent(ly added)?) first",
    "created": r"(with )?(the )?oldest first",
    "due": r"(with )?(the )?(soonest|earliest) first",
}  # fmt: skip
_ORDER_PATTERNS = tuple(
    (field, regex(rf",? ?({pattern})(?!\w)")) for field, pattern in _ORDERS.items()
)
_NAME = r"[@#]?(?!(is|are|of|does|do|has|have|with|in|for|not)\b)[^\W\d_][\w.-]*"
_NAMES = (
    rf"{_NAME}((,? (and|or) |, ?)(?!(due|overdue|open|done|in|with|high|low|not|that|are"
    rf"|is)\b){_NAME})*"
)
_LACKS = (
    r"((with|having|have|has|in) no|without|w/o|lacking|missing|no|not in"
    r"|(don't|doesn't|do not|does not|haven't|hasn't) (yet )?(have|got)) (an? |any |the |my )?"
)
_DONE = (
    r"(done|finished|completed?|accomplished|achieved|ticked off|checked off|crossed off|closed"
    r"|got(ten)? through|wrapped up)"
)
_DID = (
    r"(do|did|finish|complete|accomplish|get done|got done|achieve|tick off|check off|cross off"
    r"|get through|got through|wrap up|managed?( to (do|finish|complete|get done))?)"
)
_ADVERBS = r"((already|actually|really|even|just) )*"
_NEGATION = regex(
    r"((that|which) )?(((is|are|was|were|do|does) )?not|isn't|aren't|wasn't|don't|doesn't)"
    r"( (yet|really|actually))? $"
)
"""Words that deny what stands behind them."""
_DUE = regex(
    r"(?<!\w)((that|which) (is|are) |(is|are|was|were) )?(due|scheduled|planned|happening"
    r"|to be done|coming up|on|for|set)( (on|in|for|at|during|within|over))?$"
)
_BOUNDS = tuple(
    (regex(rf"(?<!\w)((that|which) (is|are) )?(due )?({words})$"), bound)
    for words, bound in (
        ("before|earlier than|prior to", "before"),
        ("by|until|till|up to|no later than|through", "by"),
        ("after|later than|past", "after"),
        ("since|starting(?: from| on)?|due from", "since"),
        ("from", ""),
    )
)
_WITHIN_MONTH = regex(
    r"(between |from )?(the )?(?P<first>\d{1,2})(st|nd|rd|th)? ?(and|to|till|until|[-–]) ?(the )?"
    r"(?P<last>\d{1,2})(st|nd|rd|th)? (of )?(?P<month>MONTH|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec)"
)
_LONGEST_DAYS = 7
"""Words of the longest phrase for days."""
_TOUCHED = {
    "created":
        r"(that |which )?(did|have|had) (i|we|you) (just |already )?(add(ed)?|creat(e|ed)"
        r"|enter(ed)?|wr[io]t(e|ten) down|put in)|(that |which |what )?(i|we|you)"
        r"( have|'ve)? (just |already )?(added|created|entered|wrote down)"
        r"|(that |which )?((were|was|are|is|got) )?(newly )?(added|created|entered)"
        r"|^(add|create|enter)(?= (today|yesterday|this|last|since|on|in|\w+day|\d)|$)"
        r"|new(?=( tasks?| to-?dos?| items?)? (since|from|of|this|today|yesterday|in)\b)",
    "updated":
        r"(that |which )?(did|have) (i|we|you) (change|changed|edit|edited|update|updated|touch"
        r"|touched)|(that |which |what )?(i|we|you)( have|'ve)? (changed|edited|updated|touched)"
        r"|(that |which )?(were|was|are|is|got) (changed|edited|updated|modified)"
        r"|^(change|edit|update)(?= (today|yesterday|this|last|since)|$)",
}  # fmt: skip
_TOUCHED_PATTERNS = tuple(
    (field, regex(rf"(?<!\w)({pattern})(?!\w)")) for field, pattern in _TOUCHED.items()
)
_NOT_DAYS = word_set("not_days")
_SCOPES = ("done", "trash", "waiting", "all", "cancelled")
_SEARCH = regex(
    r"(^|\s)(about|containing|mentioning|(that|which) (mentions?|contains?)|matching|named|called"
    r"|related to|relating to|regarding|concerning|with the words?|having to do with|involving"
    r"|with) (the |my )?(?P<q>.+)$"
)
EXCEPT = regex(
    r"(^|,? )(except( for| the)?|but not|(but|and) (keep|spare|leave|not)(?! (all"
    r"|it|them|only|done|due|yet|in|on|under|from|part)\b)|other than|excluding|besides|apart from"
    r"|aside from|but"
    r"|(((that|which) )?(are|is) not|((that|which) )?(aren't|isn't)|not) (in|under|from|part of)"
    r"(?! (a|any) (project|list))"
    r"|outside( of)?) (?P<x>.+)$"
)
_GROUP_ASKING = regex(
    r"(^|\s)(in|under|for|at|from|of|within)( (the|my|our))? (?!(tasks?|to-?dos?|items?|things"
    rf"|reminders|chores)\b)(?P<g>{_NAME}( or {_NAME})*)(?=$|\s)"
)
_SCOPE = regex(
    rf"\s+(?P<scope>(in|under|from|within|of) ((the|my|our) )?{_NAME}( (project|list|category))?"
    rf"|[#@]{_NAME})$"
)
"""A group at the end of an exception."""
_FRAME = regex(
    r"\b((do|should|must|can|will|did|have) (i|we) (still |currently )?(have|got|need|want)?"
    r"| (i|we) (have|had|got|need|'ve got|should|must)|i've( got)?|have i got|are there|is there"
    r"|there (is|are)|(on|in|to) (my|the|our) ((to-? ?do|task|tasks) )?(list|plate|agenda|schedule"
    r"|calendar|to-?dos)|(needs?|has|have) (doing|to be (done|finished|completed))"
    r"|needs? my attention"
    r"|to (do|finish|complete|work on|get done|take care of)|coming up|up next|for me|of mine"
    r"|waiting for me)\b"
)
_PAST_FRAME = regex(
    rf"\b(have|'ve|did|had)\b(?! to\b) (i|we)?\b.*\b({_DONE}|{_DID}|started?|deleted?|removed?"
    rf"|miss(ed)?)\b|\b(i|we)( have|'ve)? (did|{_DONE}|started|deleted)\b"
    r"|\bbeen (doing|up to|working on)\b"
)
_LATELY = regex(r"\b(lately|recently|of late)\b")
_SOON = regex(r"\b(soon|shortly|coming up|in the near future)\b")
_NOUNS = regex(
    r"\b(tasks?|to-?dos?|to do( items?)?|items?|things?|stuff|entries|reminders?|chores|deadlines?"
    r"|jobs|agenda|overview|summary|rundown|everything|all|list|ones)\b"
)
_FILLERS = ARTICLES | word_set("fillers")
_OR = regex(r",? or ")


def _any_of(names: dict[str, str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_SORT = regex(
    r"(,? ?(and )?((that (are|is) )?(sorted|ordered|arranged|ranked|sort|order|arrange|rank)"
    r"( (them|it|tasks|the list|my tasks|my list))?|in (the )?order)( (by|of|on))?"
    rf"( the| their)? (?P<field>{_any_of(_FIELDS)})((,? (and )?then|,| and)"
    rf"( by)? (?P<then>{_any_of(_FIELDS)}))?( order)?(?P<down>,? (descending|reversed?"
    r"|in reverse( order)?|backwards|newest first|latest first|highest first|last first))?"
    r"(,? (ascending|oldest first|lowest first|first to last))?)(?!\w)"
)
_GROUP = regex(
    r",? ?(and )?((that (are|is) )?(grouped|arranged|broken down|split|split up|divided"
    r"|organi[sz]ed|group|organi[sz]e|categori[sz]ed?)( (them|it|tasks|all|everything|all tasks"
    r"|the list|my list|my tasks|all my tasks|up|down))*( by| per| into| under)( the| their| its)?"
    rf"|\bby|\bper|under headings by) (?P<name>{_any_of(_HEADINGS)})(?!\w)"
)


def _read_order(text: str) -> tuple[str, str]:
    """The text without what it says of order and headings; that, as words of a filter."""
    sort = group = ""
    if match := _SORT.search(text):
        sort, text = _sort_words(match), _cut_out(match)
    else:
        found = ((field, pattern.search(text)) for field, pattern in _ORDER_PATTERNS)
        for field, match in found:
            if match:
                sort, text = f"sort:{field}", _cut_out(match)
                break
    if match := _GROUP.search(text):
        group = f"group:{_HEADINGS[match['name'].casefold()]}"
        text = _cut_out(match)
    return text, " ".join(part for part in (sort, group) if part)


def _sort_words(match: re.Match[str]) -> str:
    fields = [_FIELDS[name.casefold()] for name in (match["field"], match["then"]) if name]
    if match["down"] and fields[0] not in ("priority", "urgency"):
        fields[0] += "-"
    return f"sort:{','.join(fields)}"


_VOCABULARY = {
    "no due":
        rf"{_LACKS}(due )?(dates?|deadlines?)|undated|unscheduled|((that|which) )?"
        r"((is|are) not|aren't|isn't|not) (due|dated|scheduled)(?! (on|in|by|before|after|until"
        r"|for|this|next|to|\w*day|\d))",
    "no project": rf"{_LACKS}projects?|(is |are )?(not in|in no) (a |any )?projects?",
    "no tag": rf"{_LACKS}(tags?|labels?)|untagged|unlabell?ed|(is |are )?not (tagged|labell?ed)$",
    "no priority": rf"{_LACKS}(priority|prio)",
    "priority:high":
        r"(with |of |at |on )?(an? |the )?(high|top|highest)[- ](priority|prio|importance)"
        r"|priority:? ?high|!high|!!!|urgent|important|critical",
    "(priority:{one} or priority:{two})":
        r"(with |of |at )?(a )?(?P<one>high|medium|low)( priority)?( or |/)(?P<two>high|medium"
        r"|low)[- ](priority|prio)",
    "priority:medium":
        r"(with |of |at )?(a )?(medium|normal|mid)[- ](priority|prio)|priority:? ?medium|!medium",
    "priority:low": r"(with |of |at )?(a )?(low|lowest)[- ](priority|prio)|priority:? ?low|!low",
    "(overdue or today)":
        r"(due )?today( or|,? and|,| &) (is |are )?(overdue|late)|(overdue|late)"
        r"( or|,? and|,| &) (due )?today",
    "overdue":
        r"overdue|past due|past (their|its) (due )?dates?|running late|(is|are|am i|i'm|we're"
        r"|am) (late|behind)( (on|with))?|late(?=$| )|(have |did )?i (missed|miss)|missed",
    "all": rf"including (the )?{_DONE}( ones| tasks)?|{_DONE} and open|open and {_DONE}",
    "(open or waiting)":
        r"(including|with|and)( the| also)* (hidden|waiting|deferred|snoozed)( ones| tasks)?"
        r"( too)?",
    "":
        r"((that|which) )?((is|are|was|were|has|have) not|isn't|aren't|wasn't|hasn't|haven't|not"
        r"|(i|we) (haven't|have not|didn't|did not)|(haven't|didn't) (i|we))( yet)?( been)?"
        r" (yet )?"
        r"(done|finish(ed)?|completed?|started|do|did)( yet)?|unfinished|incomplete|outstanding"
        r"|pending|remaining|uncompleted|still open|open|left( to do)?|still to do|unchecked",
    "done":
        rf"(already |been |recently |all )*{_DONE}|(did|have) (i|we) {_ADVERBS}{_DID}"
        rf"|(i|we)( have|'ve)? {_ADVERBS}({_DONE}|did|got done)"
        r"|((have|had) )?((i|we)( have|'ve)? )?been (doing|up to|working on)"
        r"|accomplishments|achievements",
    "waiting": r"waiting|hidden|deferred|snoozed",
    "ready":
        r"(not|un)[ -]?blocked|ready( to (do|start))?|(that |which )?(i|we) can (do|start)"
        r"( (right )?now)?|(start|begin) (right )?now|actionable|available",
    "blocking":
        r"blocking( (others|other tasks|something|anything))?|(that |which )?blocks? (others"
        r"|other tasks|something|anything)",
    "blocked":
        r"blocked|(that |which )?(is |are )?(stuck|waiting for (another|other) (tasks?|things?))",
    "has:notes": r"(with|having|have|has) (any |some |a )?(notes?|descriptions?)",
    "no notes": r"(without|with no|that have no|having no) (any )?(notes?|descriptions?)",
    "has:children": r"(with|having|have|has) (any |some |a |open )?(sub-?tasks?|children)",
    "no children": r"(without|with no|that have no) (any )?(sub-?tasks?|children)",
    "no parent": r"top[- ]level|(that are )?(not|no) sub-?tasks?( of (anything|others))?",
    "has:annotations": r"(with|having|that have) (any |some |a )?(remarks?|annotations?)",
    "has:tag": r"(with|having|that have|which have) (any |a |some |due )?(tags?|labels?)(?! \w)",
    "under:{id}": r"(under:? ?|(below|beneath|inside) )#?(?P<id>\d+)",
    "recurring": r"recurring|repeating|recurrent|(that |which )?(repeats?|recurs?)",
    "doing":
        r"in[- ]progress|(have |did )?i (started|begun|start|begin)|started|ongoing|underway"
        r"|being worked on|(am i|i'm|i am) (working on|doing)",
    "trash": r"(in |from )?(the |my )?trash(ed)?|deleted|(have |did )i (deleted?|removed?)",
    "cancelled": r"cancell?ed",
    "@{names}":
        rf"(tagged|labell?ed)( with| as| by)? (the )?(?P<n1>{_NAMES})|tag:(?P<n2>{_NAMES})"
        rf"|with (the )?(tags?|labels?) (?P<n3>{_NAMES})|(in |under |with |for )?@(?P<n4>{_NAMES})"
        rf"|(with|have|has|having) (the )?(?!(any|an?|no|some|the) )(?P<n6>{_NAME}) (tags?|labels?)"
        rf"|(?<!\S)(tags?|labels?) (?!do\b|are\b|have\b)(?P<n5>{_NAME})",
    "#{names}":
        rf"(in|from|under|of|for) (the |my )?(projects?|lists?|categor(y|ies)) (?P<n1>{_NAMES})"
        rf"|(in|from|under|of|for) (the |my )?(?P<n2>(?!to-?do\b|task\b){_NAME}) (project|category"
        rf"|folder|list)|project(: ?| )(?P<n3>{_NAME})|(in |under |for )?#(?P<n4>{_NAMES})"
        rf"|^(the |my )?(?!to-?do\b|task\b)(?P<n5>{_NAME}) (project|category|folder)$"
        rf"|^(the |my )?(project|category|folder) (?P<n6>{_NAME})$",
}  # fmt: skip
_CONDITIONS = tuple(
    (regex(rf"(?<!\w)({pattern})(?!\w)"), condition) for condition, pattern in _VOCABULARY.items()
)
"""Patterns, each with the condition it stands for; an empty one adds nothing."""


def _condition(template: str, match: re.Match[str]) -> str:
    """Fill a condition with the groups of its match; of several names, one is enough."""
    given = match.groupdict()
    if template not in ("@{names}", "#{names}"):
        return template.format_map({name: words and words.lower() for name, words in given.items()})
    names = re.split(r",? (?:and|or) |, ?", next(filter(None, given.values())))
    joined = " or ".join(
        (name[0] if name[0] in "@#" else template[0]) + bare
        for name in names
        if (bare := name.lstrip("@#"))
    )
    return f"({joined})" if " or " in joined else joined


def _without_days(words: str, dates: Dates, field: str) -> tuple[str, tuple[str, ...]]:
    """The longest stretch of words that names days, as a condition; and the rest."""
    parts = words.split()
    longest = min(len(parts), _LONGEST_DAYS)
    lengths = range(longest, 0, -1)
    for length, start in ((each, at) for each in lengths for at in range(len(parts) - each + 1)):
        end = start + length
        phrase = " ".join(parts[start:end]).strip(", ")
        if _names_days(phrase, dates):
            before, bound = _bound(" ".join(parts[:start]))
            days = _within(_past(_bare_days(phrase), field, dates), bound, field)
            if negation := _NEGATION.search(f"{before} "):
                before, days = before[: negation.start()], f"not ({days})"
            return " ".join([before, *parts[end:]]).strip(), (days,)
    return words, ()


def _bare_days(phrase: str) -> str:
    bare = re.sub(r"'s$", "", phrase)
    return re.sub(
        r"^(?:the )?(?:rest|remainder) of (?:the |this )?", "this ", bare, flags=re.IGNORECASE
    )


def _names_days(phrase: str, dates: Dates) -> bool:
    if phrase.isdigit() or phrase.casefold() in _NOT_DAYS:
        return False
    return dates.is_stretch(_bare_days(phrase))


def _bound(before: str) -> tuple[str, str]:
    """The words before days without those that belong to them, and which bound they set."""
    for pattern, bound in _BOUNDS:
        if match := pattern.search(before):
            return before[: match.start()].strip(), bound
    if match := _DUE.search(before):
        return before[: match.start()].strip(), ""
    return before, ""


def _past(phrase: str, field: str, dates: Dates) -> str:
    """The days for what lies behind: `monday` is the last one of what was done."""
    if field == "due" or not dates.lies_ahead(phrase):
        return phrase
    year = dates.now.year
    earlier = (f"last {phrase}", f"{phrase} {year}", f"{phrase} {year - 1}")
    gone = (each for each in earlier if dates.is_stretch(each) and not dates.lies_ahead(each))
    return next(gone, phrase)


def _within(phrase: str, bound: str, field: str) -> str:
    phrase = re.sub(r"^(?:for|on|of|during) ", "", phrase, flags=re.IGNORECASE)
    days = f'"{phrase}"' if " " in phrase else phrase
    return f"{field}{'.' if bound else ''}{bound}:{days}"


def _field_touched(words: str) -> tuple[str, str]:
    """The words without `did I add` and its like, and the field whose days are meant."""
    for field, pattern in _TOUCHED_PATTERNS:
        if match := pattern.search(words):
            return _cut_out(match), field
    return words, ""


def _cut_out(match: re.Match[str]) -> str:
    """Return the text of a match without it."""
    return " ".join(f"{match.string[: match.start()]} {match.string[match.end() :]}".split())


@dataclass(frozen=True, slots=True)
class TaskDescription:
    """What a description says: conditions, and what else it names.

    `group` and `rest` may be a project, a tag or part of a title; which of them only
    the list can tell. `clear` says that it surely speaks of tasks.
    """

    conditions: tuple[str, ...] = ()
    group: str = ""
    search: str = ""
    clear: bool = False
    rest: str = ""
    except_for: str = ""
    order: str = ""
    """`sort:` and `group:` of the filter, where they were asked for."""

    @property
    def is_plain(self) -> bool:
        """Return True if it asks for nothing in particular."""
        return not (self.conditions or self.group or self.search or self.rest)

    @property
    def sets_scope(self) -> bool:
        """Return True if it says itself if done, hidden or deleted tasks are meant."""
        return any(condition in _SCOPES for condition in self.conditions)


def read_description(text: str, dates: Dates) -> TaskDescription:
    """Take a description apart; what is left over is its `rest`.

    Dates are resolved here, so that the filter carries days and not their names.
    """
    asked = _read_all(text, dates)
    parts = [_read_all(part, dates) for part in _OR.split(text)]
    is_choice = len(parts) > 1 and not any(" or " in each for each in asked.conditions)
    if not (
        is_choice
        and all(each == TaskDescription(each.conditions, clear=each.clear) for each in parts)
    ):
        return asked
    # `overdue or without a date`
    ways = (f"({' '.join(each.conditions)})" for each in parts)
    return replace(asked, conditions=(f"({' or '.join(ways)})",), rest="")


def _read_all(text: str, dates: Dates) -> TaskDescription:
    """Take a description apart whose conditions all hold."""
    words, order = _read_order(" ".join(respelled_whole(text).split()))
    words = _WITHIN_MONTH.sub(r"\g<first> \g<month> to \g<last> \g<month>", words)
    left_out = ""
    if match := EXCEPT.search(words):
        words, left_out = words[: match.start()], match["x"]
        words, left_out = _scoped(words, left_out)
    clear = bool(_FRAME.search(words) or _NOUNS.search(words))
    is_soon = bool(_SOON.search(words))
    words, touched = _field_touched(words)
    if not _PAST_FRAME.search(words):
        # `do I have` says nothing, but `have I done` is about what is done.
        words = " ".join(_FRAME.sub(" ", words).split())
    words, conditions, known = _taken_apart(words)
    field = touched or ("completed" if "done" in conditions else "due")
    if field == "completed":
        words = _LATELY.sub("in the last 7 days", words)
    words, days = _without_days(words, dates, field)
    if not days and (is_soon or touched):
        # `what did I just add?` is about today.
        words = _SOON.sub(" ", re.sub(r"\bjust\b", " ", words))
        days = (_within("today" if touched else "in the next 7 days", "", field),)
    if not days and (match := re.search(r"\bdue\b(?! date)", words, re.IGNORECASE)):
        days = ("due:any",)
        words = _cut_out(match)
    search, group = "", ""
    if match := _SEARCH.search(words):
        search, words = _said_of(match["q"]), words[: match.start()]
    if match := _GROUP_ASKING.search(words):
        group, words = match["g"].lstrip("#@"), _cut_out(match)
        group = "" if group.casefold() in _FILLERS else group
    words = _NOUNS.sub(" ", words)
    rest = _said_of(words)
    if rest[:4].casefold() == "not " and len(rest.split()) == 2:
        # `which tasks are not work?`
        rest, left_out = "", rest[4:].strip(" ?")
    if touched and days:
        days = (*days, "all")
    found = tuple(dict.fromkeys((*conditions, *days)))
    sure = clear or known or bool(days) or bool(order)
    return TaskDescription(found, group, search, sure, rest, left_out, order)


def _scoped(words: str, left_out: str) -> tuple[str, str]:
    """`all but the report in work`: what stands behind the exception bounds the whole.

    Only where nothing else does: of the two ways to read it, the one that means fewer.
    """
    scope = _SCOPE.search(left_out)
    if scope is None or _said_of(_NOUNS.sub(" ", words)):
        return words, left_out
    return f"{words} {scope['scope']}", left_out[: scope.start()]


def _said_of(words: str) -> str:
    """The words that tell something; `anything` and its like do not."""
    return " ".join(word for word in words.split() if word.casefold().strip(",.") not in _FILLERS)


def _taken_apart(words: str) -> tuple[str, list[str], bool]:
    """The words that are left, the conditions, and whether any word of theirs was known."""
    conditions: list[str] = []
    known = False
    for pattern, template in _CONDITIONS:
        while match := pattern.search(words):
            start, condition = match.start(), _condition(template, match)
            if condition and (negation := _NEGATION.search(words, 0, start)):
                start, condition = negation.start(), f"not ({condition})"
            if condition:
                conditions.append(condition)
            known = True
            words = " ".join(f"{words[:start]} {words[match.end() :]}".split())
    return words, conditions, known
