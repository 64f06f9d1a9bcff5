"""Checks before a write: what a message says must all be in what is about to be done.

`choice.py` asks them of requests that rules read; whether several tasks or a whole list are meant
is asked in `preparation.py`. No sentence is known here: each word of a message has to be in a
title, in a change, or among the words that rules are made of; a date, a number or a negation that
got lost is worth a question, and so is a new title that begins or ends like something else. What
does not pass is offered, never written.
What goes on from the record of the turn before, or was confirmed, does not come here again.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta

from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.dates.reader import DateContext, resolve_date
from todo_tui.domain.dates.text import MONTH_NAMES, weekday_name
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.later_occurrences import coming_tasks
from todo_tui.domain.when import When
from todo_tui.providers.offline.language import phrases
from todo_tui.providers.offline.language.change_phrases import LEVELS, ChangeReader, Dates
from todo_tui.providers.offline.language.filters import EXCEPT
from todo_tui.providers.offline.language.pattern import CLASSES, regex
from todo_tui.providers.offline.language.words import (
    ARTICLES,
    GENERIC,
    KINDS,
    LINKS,
    NUMBERS,
    Quoted,
    alike,
    folded,
    is_mark,
    is_past,
    is_verb,
    peeled,
    respelled,
    stem,
    tokens,
    with_months,
    without_stop,
    word_set,
    word_table,
)
from todo_tui.providers.offline.reading import rules
from todo_tui.providers.offline.reading.adjustments import ends_rule
from todo_tui.providers.offline.reading.reference_resolver import Resolver
from todo_tui.providers.offline.reading.title_matching import NEGATIONS, stems
from todo_tui.providers.offline.requests import Add, Change, TaskRequest, Verb
from todo_tui.providers.offline.tool_results import ShownTask

DAY = regex(
    r"today|tonight|tomorrow|tmrw|yesterday|WEEKDAY|(mon|tues?|wed|thur?s?|fri|sat|sun)|weekend"
    r"|morning|afternoon|evening|noon|midnight|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
    rf"|{'|'.join(MONTH_NAMES)}"
)
_PART_OF_DAY = regex("morning|afternoon|evening")
_OF_RULES = frozenset(
    word
    for pattern in (*(rule.pattern for rule in rules.COMMANDS), *CLASSES.values())
    for spelled in (pattern.replace("[sz]", "s").replace("-?", ""), pattern.replace("[sz]", "z"))
    for word in re.findall(r"[a-z]+(?:'[a-z]+)?", spelled)
) - {"short", "quick"}
_COMMANDS = word_set("commands")
_FUNCTION = (
    _OF_RULES | ARTICLES | LINKS | GENERIC | KINDS | word_set("fillers") | word_set("small_words")
    | {part for table in (LEVELS, NUMBERS, word_table("places")) for key in table
       for part in key.split()}
)  # fmt: skip
_STEMS_OF_RULES = frozenset(stem(word) for word in _OF_RULES)
DENIED = regex(
    r",? (not|instead of|rather than) (on |at |in |the )*"
    r"(?P<days>WEEKDAY|\d\S*|to(day|morrow)|every \w+"
    r"|(half|quarter|five|ten|twenty|twenty[- ]five)( (past|to))? \w+)"
)
"""A day or time that is taken back where another is named."""
_LEVEL_WORDS = frozenset({"high", "low", "urgent", "asap"})
"""Levels that hardly mean anything else."""
_DENYING = re.compile("no |-|after|cancelled|skip|todo|!(?:low|medium)")
"""Changes for which words may deny something."""
_ODD_START = regex(
    r"((the|my|our) [\w' ]{2,30}: |the (tag|note|label|priority|due date|deadline|project) |not"
    r"|no|don't|do not|never|it|them|those|these|he|she|they|i|we|you|another one|one (like|for)"
    r"|(the )?same|both|the (other|first|second|third|last) one|actually|instead|sorry|wait|oh"
    r"|rather|works|suits|would|could|(a bit |far |way )?too (early|late|soon|long|far)"
    r"|(before|after|when|because|since|as|while|until|once|so) (he|she|it|they|i|we|you)"
    r"|[\w' ]+ (but|asked for|wants|wanted|insists|said|says|told))\b"
)
_ODD_END = regex(
    r".*\b(noon|midnight|half|quarter|[ap]\.?m|o'clock|\d{1,2}([.:]\d\d)?(ish|-ish)|\d{1,2}:\d\d"
    r"|half (past )?\w+|quarter (to|past) \w+|(the )?same (day|time|date|place)"
    r"|(by|until|till|not|or) (the )?\S+( \S+)?|(before|after) (the )?\S*\d\S*( \S+)?"
    r"|(before|after) (it|that|this|them|those)|(to|for|on) (it|them|both|(the )?\w+ one)"
    r"|(that|the same) (day|morning|afternoon|evening|night|week|weekend)"
    r"|before|after|later|earlier|ago"
    r"|now|too|instead|as well|stays?|remains?|(at )?(the )?(very )?latest)"
)
_CUT_SHORT = regex(r".* (the|an|and|or|to|of|for|with|at|from)")
_MOMENT = regex(
    r"\b(WEEKDAY|(mon|tues?|wed|thur?s?|fri|sat|sun)|today|tonight|tomorrow"
    r"|the \d{1,2}(st|nd|rd|th)|\d{1,2}([.:]\d\d)? ?[ap]m"
    r"|(at|by|till|until) \d{1,2}([.:]\d\d)?)\b"
)
_SPEAKER = regex(r".\b(i|i'?m|i'?ve|i'll|we|you)\b|.*, (she|he|they|it)('s|'re)?\b")
"""Who speaks, inside a title: it is the rest of a sentence."""
_SUBJECT = regex(r"\b(about|re|regarding) (the )?\S+")
"""What a task is about may be a day."""
_BY_SOMEBODY = re.compile(r"\bby (the )?[A-Z]")
_LONG = 8
"""Words of a title beyond which a day in it is hardly part of a name."""
_LONGEST = 15
_NOTING = regex(r"(put|stick|shove|chuck|pop|pencil|bung|slot|jot|slap|whack)\b")
"""How one asks for something to be noted down."""
_QUOTED = re.compile(r'"[^"]*"')
_ALL = regex(
    r"\b(everything|all (of )?(them|((the|my) )?(tasks|to-?dos))|every (one|task)|each of)\b"
    r"|, (both|all) (for|in|of|to)\b"
)
"""Words for tasks on the list, which are no title."""
_SIGNED = re.compile(r"(?<!\S)[#@][^\W\d]\w*$")
"""A second project, which no task has."""
_VALUES = regex(
    r"(?<!\S)(!(high|medium|low)\b|[#@][^\W\d]\w*$)"
    r"|^(at )?\d{1,2}([.:]\d\d)?( ?[ap]m)?( (on )?(the )?same (day|date|time))?$"
)
"""Signs of values, of which a new title has none."""
_BY_HOURS = regex(r"\S+ (hours?|minutes?|hrs?|mins?) (later|earlier)")
_PRONOUNS = frozenset("it them that this those these".split())
_REPEATS = regex(
    r"\b(every|each|weekly|daily|always|(WEEKDAY|mon|tue|wed|thu|fri|sat|sun)s|week-?days?"
    r"|week-?ends?|a week|repeat\w*|recur\w*)\b"
)
"""How one says that days repeat."""
_SAYS_REPEATS = regex(
    r"\b(every|each|\w+ly|always|a (day|week|month|year)|repeat\w*|recur\w*|from now on|other"
    r"|\d+ (day|week|month|year)s)\b|~"
)
_BARE_WEEKDAY = regex(r"(?<!next )(?<!this )(?<!coming )\bWEEKDAY\b")
_WORKING_DAYS = 5
_JUST_OVER = timedelta(days=14)
_SLASHED = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])")
_FAR = timedelta(days=120)
"""Time to a date beyond which one is hardly named without its year."""
_NAMES_YEAR = regex(r"\b(20\d\d|(year|month|week|day)s?|\d+[./-]\d+[./-]\d+)\b")
"""How a year is named, and what is counted from today."""
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
"""A date that was settled, whose words are not kept."""
_DENIED_ITEM = regex(r"(,|;|\b(and|but)\b)\s*(no|not) ")
"""What denies a part of a list of tasks."""
_GIVES = regex(r"^(please )?give (?!.*\b(more|another|extra|later)\b)")
_NO_WORDS = re.compile(r"[\W\d_]*")


def unread_words(
    message: str, ready: Sequence[TaskRequest], quoted: Quoted, dates: Dates
) -> list[str]:
    """Return the words of a message that changes of tasks leave out; none is good.

    What stands before a correction was read when it was corrected. Where and why something was
    done is told behind it, and needs no reading.
    """
    adds = [each.request for each in ready if isinstance(each.request, Add)]
    if adds and len(adds) == len(ready):
        return _lost(message, adds, quoted)
    changes = [each.request for each in ready if isinstance(each.request, Change)]
    if len(changes) < len(ready):
        return []
    tasks = [task for each in ready for task in _tasks(each)]
    said = peeled(phrases.LEADING.sub("", with_months(message)))
    last = _since_correction(quoted.shown(said))
    words = tokens(DENIED.sub("", last))
    known = _known(words, ready, tasks, quoted, dates)
    is_report = all(change.verb is Verb.COMPLETE for change in changes)
    denies = any(
        change.verb in (Verb.REOPEN, Verb.DELETE)
        or _DENYING.match(change.details)
        or EXCEPT.search(change.tasks)
        for change in changes
    )
    left: dict[str, None] = {}
    if any(phrases.SHIFT.fullmatch(change.details) for change in changes):
        # `give the proofs 5 hours` may be how long they take.
        is_shift = phrases.SHIFTING.search(message) and not _GIVES.search(message)
        left = {} if is_shift else dict.fromkeys(changes[0].details.split())
    for at, word in enumerate(words):
        if known[at]:
            continue
        if DAY.fullmatch(word):
            is_read = is_report or _is_due(tasks, word, dates)
        elif word in NEGATIONS:
            is_read = denies
        else:
            is_aside = is_report and (is_past(word) or not any(known[at:]))
            # `it has to be sent by friday`
            is_owed = at > 0 and words[at - 1] == "be" and is_past(word)
            is_read = is_aside or is_owed or is_function(word)
        if not is_read:
            left[word] = None
    return list(left)


def _since_correction(text: str) -> str:
    """Return what stands behind the last correction; `no eggs` is none, as no date follows."""
    start = 0
    for match in phrases.CORRECTION.finditer(text):
        is_bare = phrases.BARE_MARK.fullmatch(match[0])
        if not is_bare or phrases.CORRECTED_DAY.match(text, match.end()):
            start = match.end()
    return text[start:]


def _lost(message: str, adds: Sequence[Add], quoted: Quoted) -> list[str]:
    """Return the days and numbers of a message that are in none of its new tasks."""
    tasks = [task for add in adds for task in add.tasks]
    texts = [
        text
        for task in tasks
        for text in (task.title, task.details, task.notes, *sum(task.subtasks, ()))
    ]
    texts += [text for add in adds for text in (add.known, add.under)]
    if any(_ISO_DAY.search(task.details) for task in tasks):
        return []
    details = " ".join(task.details for task in tasks)
    said = {token for text in texts for token in tokens(with_months(quoted.shown(text)))}
    last = phrases.HOURS.sub(r"\g<day>", with_months(_since_correction(quoted.shown(message))))
    return [
        word
        for word in dict.fromkeys(tokens(respelled(DENIED.sub("", last))))
        if word not in said
        and f"{word}m" not in said
        and (
            (DAY.fullmatch(word) and not any(each.startswith(word) for each in said))
            or (word in _LEVEL_WORDS and LEVELS[word] not in details)
            or (len(word) > 1 and word[0].isdigit() and word.removesuffix("ish") not in said)
        )
    ]


def _tasks(ready: TaskRequest) -> Iterator[ShownTask]:
    for found in (ready.found, ready.other):
        yield from found.tasks if found else ()


def _known(
    words: Sequence[str],
    ready: Sequence[TaskRequest],
    tasks: Sequence[ShownTask],
    quoted: Quoted,
    dates: Dates,
) -> list[bool]:
    """Return for each word if it is in a change, or in a title, project or tag of the tasks."""
    said = {str(task.id) for task in tasks}
    for each in ready:
        if isinstance(change := each.request, Change):
            texts = [
                _weekday(change.details, dates),
                with_months(change.details),
                change.title,
                change.notes or "",
                change.known,
            ]
            is_set = (each.found and each.found.is_bulk) or EXCEPT.search(change.tasks)
            said.update(token for text in texts for token in tokens(quoted.shown(text)))
            if is_set or change.ends_link:
                named = quoted.shown(f"{change.tasks} {change.other}")
                said.update(tokens(_DENIED_ITEM.sub(" ", named)))
    titles = {
        name for task in tasks for text in (task.title, task.project, *task.tags)
        for name in stems(text)
    }  # fmt: skip
    return [
        word in said or any(alike(each, name) for each in stems(word) for name in titles)
        for word in words
    ]


def _weekday(details: str, dates: Dates) -> str:
    """Return the weekday of a single day, in full and short; empty for any other change."""
    days = dates.stretch(details)
    if days is None or days.first != days.last:
        return ""
    name = weekday_name(days.first.weekday())
    return f"{name} {name[:3]}"


def _is_due(tasks: Iterable[ShownTask], day: str, dates: Dates) -> bool:
    days = dates.stretch(day)
    return days is not None and any(
        task.due and days.first <= task.due.day <= days.last for task in tasks
    )


def is_risky(
    ready: TaskRequest,
    tasks: Sequence[ShownTask],
    completed: Iterable[str],
    dates: Dates,
    message: str,
) -> bool:
    """Return True for a request that people seldom mean, whatever words ask for it.

    It completes a second occurrence of what this conversation completed (`completed` has the
    titles), dates one that is done, shifts a day by hours, renames a task to values, repeats from a
    day that is over or on days of which nobody said that they repeat, or takes a day that is just
    over for next year's.
    """
    match ready.request:
        case Add(new):
            return any(
                past_start(task.details, dates)
                or repeats_unsaid(task.details, message, dates)
                or just_over(task.details, message, dates)
                or _is_far(task.details, dates)
                for task in new
            )
        case Change(Verb.COMPLETE):
            again = any(task.repeat_words and folded(task.title) in completed for task in tasks)
            return again or (len(tasks) > 1 and _is_weekday_ahead(tasks, dates, message))
        case Change(Verb.DELETE):
            # `remove monday's gym` is hardly said of all its days.
            return any(task.repeat_words for task in tasks) and any(
                map(DAY.fullmatch, tokens(message))
            )
        case Change(Verb.UPDATE) as change:
            by_hours = _BY_HOURS.fullmatch(change.details)
            is_timeless = any(not (task.due and task.due.at) for task in tasks)
            is_done = any(task.status == "done" and not task.repeat_words for task in tasks)
            return bool(
                (by_hours and is_timeless)
                or (is_done and _due(change.details, dates))
                or _VALUES.search(change.title)
                or just_over(change.details, message, dates)
                or repeats_unsaid(change.details, message, dates)
                or (
                    not all(task.repeat_words for task in tasks)
                    and _says_only_when(change.details, message, dates)
                )
            )
    return False


def _is_weekday_ahead(tasks: Sequence[ShownTask], dates: Dates, message: str) -> bool:
    """Return True for `tick off everything from monday` of tasks that are due next Monday."""
    today = dates.now.date()
    is_ahead = all(task.due is not None and task.due.day > today for task in tasks)
    return is_ahead and bool(_BARE_WEEKDAY.search(message))


def just_over(details: str, message: str, dates: Dates) -> date | None:
    """Return a day of the last two weeks that was named without its year, and read as next year's.

    Of `25 nov` it is said on 27 November that it is over.
    """
    due, today = _due(details, dates), dates.now.date()
    if due is None or _NAMES_YEAR.search(message):
        return None
    with suppress(ValueError):  # 29 February
        day = due.day.replace(year=due.day.year - 1)
        return day if timedelta() < today - day <= _JUST_OVER else None
    return None


def _is_far(details: str, dates: Dates) -> bool:
    """Return True for `10/12` that is read as a day far ahead, where the other reading is near."""
    due, today = _due(details, dates), dates.now.date()
    if due is None or not _SLASHED.search(details) or due.day - today < _FAR:
        return False
    with suppress(ValueError):  # No month has that number.
        return timedelta() <= date(today.year, due.day.day, due.day.month) - today < _FAR
    return False


def _due(details: str, dates: Dates) -> When | None:
    """Return the one day or moment that change words set."""
    with suppress(DateNotUnderstood):
        words = read_change_words(details, dates.now, dates.style)
        due = None if words.schedule.repeat else words.fields_of().get("due")
        return due if isinstance(due, When) else None
    return None


def repeats_unsaid(details: str, message: str, dates: Dates) -> bool:
    """Return True for `tuesday and thursday at 6`: two dates, or a repeat on two weekdays.

    All working days are no dates one by one: `standup mon-fri 9:15`.
    """
    repeat = read_change_words(details, dates.now, dates.style).schedule.repeat
    days = 0 if repeat is None else len(repeat.rule.by_day)
    return 1 < days < _WORKING_DAYS and not _REPEATS.search(message)


def _says_only_when(details: str, message: str, dates: Dates) -> bool:
    """Return True for a repeat of which a plural is the only sign: `she's away on mondays`."""
    repeat = read_change_words(details, dates.now, dates.style).schedule.repeat
    return repeat is not None and not _SAYS_REPEATS.search(message)


def past_start(details: str, dates: Dates) -> When | None:
    """Return the first date that was said of a recurrence, if it is over."""
    repeat = read_change_words(details, dates.now, dates.style).schedule.repeat
    if repeat is None or repeat.start is None:
        return None
    with suppress(DateNotUnderstood):
        first = resolve_date(repeat.start, DateContext(dates.now, dates.style)).when
        return first if first.day < dates.now.date() else None
    return None


def goes_back(ready: TaskRequest, dates: Dates) -> bool:
    """Return True for a task that would be moved to a day or time that is over."""
    change = ready.request
    if not isinstance(change, Change) or change.verb is not Verb.UPDATE:
        return False
    days = dates.stretch(change.details)
    due = _due(change.details, dates)
    is_past = due is not None and due.at is not None and due.local() < dates.now
    is_past = is_past or (due is not None and due.day < dates.now.date())
    return is_past or (days is not None and days.last < dates.now.date())


def passed_over(ready: TaskRequest, resolver: Resolver, changes: ChangeReader) -> date | None:
    """Return the next date of a recurring task, if it would be moved behind that."""
    change, found = ready.request, ready.found
    if not isinstance(change, Change) or not found or found.is_bulk or len(found.tasks) != 1:
        return None
    is_rule = changes.repeats(change.details)
    is_rule = is_rule or ends_rule(change.details, resolver.message, changes)
    due = None if is_rule else changes.due(change.details)
    named = resolver.index.find(f"#{found.tasks[0].id}", 1).tasks if due else ()
    tasks = [each.task for each in named if each.task.due and each.task.recurrence]
    if due is None or not tasks or not (old := tasks[0].due):
        return None
    dates = resolver.dates
    first, last = old.day + timedelta(1), due.day - timedelta(1)
    passed = coming_tasks(tasks, first, last, dates.now, dates.style.zone) if first <= last else []
    return passed[0].days[0] if passed else None


def brings_forward(ready: TaskRequest, dates: Dates) -> bool:
    """Return True for a task that would be moved to an earlier day than its own."""
    change, found = ready.request, ready.found
    days = dates.stretch(change.details) if isinstance(change, Change) else None
    tasks = found.tasks if found else ()
    return days is not None and any(task.due and task.due.day > days.last for task in tasks)


def denies(text: str) -> bool:
    """Return True for words of which one denies something, or spares it."""
    return not (NEGATIONS | {"keep", "leave", "spare"}).isdisjoint(tokens(text))


def is_question(message: str) -> bool:
    """Return True for a message that asks, and does not ask for something to be done."""
    said = phrases.LEADING.sub("", message.strip())
    return said.endswith("?") and respelled(without_stop(said)) == peeled(said)


_SMALL = r"(the|an?|my|our|your|and|or|to|of|for|with|at|from|that|is|are|was|i'm|this)"
_GARBLED = regex(
    r"(of|me|u|you|that|and|or|is|are|was|instead|one|all|then|with|out|up|on|in|at|by|from|about"
    r"|under|for|to|than|as"
    r"|next|overdue|everything|nothing|something|anything|see (you|i)|hate|love|like|hope|wish"
    rf"|think|know|feel)\b.*|.*(?<!\w){_SMALL}|.*\bw/|.*\b(the|an?|my|our) {_SMALL}\b.*"
    r"|.*\b(add|delete|remove|rename|reschedule|undo|remind|complete|please|i'm|i'll|i've"
    r"|let's)\b.*|(lol|haha|hm+|wow|ugh|hey|well|oh|yay|meh|omg|ok|thanks|sorry|hello|hi|bye|yes"
    r"|no|maybe)|[^\"]*\"[^\"]*|\w+ (that|this|it|them)( (in|on|at|to|for|by|out|off))?"
)
"""Titles that nobody writes: cut short, of several requests, or no words for a task."""
_SAYS_SO = regex(
    r"\b(will|would|won't|can't|cannot|couldn't|doesn't|don't|is|are|was|were|isn't|aren't"
    r"|(has|have|'s) been|only|from now on"
    r"|any ?more|no longer|instead)\b|'ll\b"
)
"""What makes a statement of a title."""
_NOTHING = regex(r"\b(nothing|never|neither|nor)\b")


def odd_titles(adds: Iterable[Add], message: str) -> tuple[str, ...]:
    """Return the new titles that look like something else; more do where nobody said `add`."""
    return tuple(
        task.title
        for add in adds
        for task in add.tasks
        if is_odd(task.title, message)
        or (
            (task.details or not add.is_explicit or len(task.title.split()) > _LONG)
            and _has_moment(task.title, message)
        )
        or _is_long(task.title)
        or (
            not add.is_explicit
            and (
                task.title.casefold() in _OF_RULES
                or _GARBLED.fullmatch(task.title)
                or _NOTING.match(task.title)
                or _SPEAKER.search(task.title)
                or _SAYS_SO.search(task.title)
                or _NOTHING.search(task.title)
            )
        )
    )


def _is_long(title: str) -> bool:
    """Return True for what is longer than a title, or has a day where a title ends long before."""
    words = title.split()
    has_day = any(DAY.fullmatch(token) for token in tokens(title))
    return len(words) > _LONGEST or (len(words) > _LONG and has_day)


def _has_moment(title: str, message: str) -> bool:
    """Return True for a title with a day or time in it, other than one in quotation marks."""
    found = _MOMENT.search(_SUBJECT.sub("", title))
    return found is not None and not any(found[0] in each for each in _QUOTED.findall(message))


def is_odd(title: str, message: str) -> bool:
    """Return True for a title that looks like a command, a denial, or the rest of a sentence."""
    if is_mark(title) or f'"{title}"' in message:
        return False
    words = title.split()
    if (
        words[0].casefold() in NEGATIONS
        or (is_past(words[0].casefold()) and not is_verb(words[0].casefold()) and len(words) > 1)
        or _NO_WORDS.fullmatch(title)
        or _ODD_START.match(title)
        or phrases.MARVELS.match(title)
        or (_ODD_END.fullmatch(title) and not _BY_SOMEBODY.search(title))
        or _CUT_SHORT.fullmatch(title)
        or _ALL.search(title)
        or _SIGNED.search(title)
        or (len(words) > 1 and _says_nothing(title))
    ):
        return True
    ends = (
        (words[0], words[-1]) if words[-2:-1] not in (["for"], ["about"], ["re"]) else (words[0],)
    )
    edges = {part for word in ends for part in tokens(word)}
    return len(words) > 1 and any(
        DAY.fullmatch(edge) and not _PART_OF_DAY.fullmatch(edge) for edge in edges
    )


def _says_nothing(title: str) -> bool:
    """Return True for `a note` or `start it`: words without a meaning of their own."""
    words = tokens(title)
    is_deed = is_verb(words[0]) if words else False
    return all(map(is_function, words)) and not (is_deed and _PRONOUNS.isdisjoint(words))


def is_function(word: str) -> bool:
    """Return True for a word of commands, or one without a meaning of its own."""
    return (
        word in _FUNCTION
        or stem(word) in _STEMS_OF_RULES
        or any(alike(word, command) for command in _COMMANDS)
    )
