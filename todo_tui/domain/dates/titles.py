"""Decides if a phrase in a title is a date or a part of the title, by the words of words.txt."""

from enum import Enum, auto
from itertools import pairwise, takewhile, zip_longest
from typing import NamedTuple

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    Token,
    Tokens,
    alternatives,
    digits,
    known_words,
    optional,
    sequence,
    words,
)
from todo_tui.domain.dates.day_grammar import anchor_day, month_day
from todo_tui.domain.dates.moments import (
    POINT_PREPOSITIONS,
    DatePhrase,
    bare_clock,
    clock,
    date_phrase,
    plain_term,
)
from todo_tui.domain.dates.repeats import repeat_phrase, title_days
from todo_tui.domain.dates.resolution import LONGEST_MONTH

PARTS_OF_DAY = {
    **dict.fromkeys(terms.word_set("morning_activities"), terms.PartOfDay.MORNING),
    **dict.fromkeys(terms.word_set("evening_activities"), terms.PartOfDay.EVENING),
}
"""Part of the day of an activity: dinner at 8 is in the evening."""
NOUN_ENDINGS = (
    "ing", "tion", "sion", "ment", "ness", "ity", "ship", "ance", "ence", "ism", "ist", "ology",
)  # fmt: skip
BETWEEN_DATES = frozenset({",", "-", "/"})
JOINS_DATES = frozenset({"or", "and", "to", "&"})
DATE_WORDS = terms.WEEKDAYS.keys() | terms.MONTHS.keys() | terms.RELATIVE_DAYS.keys()
AFTER_NUMBERS = frozenset({"am", "pm", "h", "th", "st", "nd", "rd"})
HALVES_OF_DAY = frozenset({"am", "pm"})
MARKS_OF_A_DAY = frozenset({"th", "st", "nd", "rd", "of", "-", ".", "/"})
ENDS_A_REPEAT = DATE_WORDS | terms.SEVERAL_WEEKDAYS.keys() | terms.UNITS.keys() | AFTER_NUMBERS
NAMED_DAYS = terms.WEEKDAYS.keys() | {"noon", "today"}
HOLIDAYS = frozenset({"christmas", "xmas", "halloween", "nye", "valentine's", "valentines"})
THE = frozenset({"the", "over", "during"})
TIMES = frozenset({"twice", "thrice", "times"})
REPEATING = frozenset({"every", "each", "ev"})
SMALL_WORDS = frozenset("the a an his her my our their of in on is was and for to with".split())
"""Words in lower case even in title case."""
IRREGULAR_PLURALS = frozenset({"men", "women", "people", "children", "feet", "mice"})
AMBIGUOUS_WEEKDAYS = frozenset({"sun", "sat"})
"""Abbreviated days that are also words: the midnight sun."""
GOES_ON = frozenset({"with", "w", "about", "re", "regarding", "from", "for", "at"})
CONTINUING_PREPOSITIONS = frozenset({"in", "on", "to"})
"""Prepositions that continue a title unless a date word follows: to Berlin."""
BEGINS = frozenset({"start", "starts", "starting", "begins", "beginning"})
PREPOSITIONS = GOES_ON | CONTINUING_PREPOSITIONS | {"by", "like", "under", "without"}
"""Prepositions that begin no title: tuesdays with morrie."""
OF_TIMES = frozenset({"from", "at"})
AMBIGUOUS = frozenset({"tom", "tod", "sun", "sat", "mon", "wed"})
"""Abbreviated days that are also words or names."""
MONTHS_OR_VERBS = frozenset({"may", "march"})
SETS_OFF = frozenset(":;,-|.")
LEADS = frozenset({"in", "during", "by", "at", "before"})
OF_NO_OWNER = terms.RELATIVE_DAYS.keys() | {"on", "at", "by", "before", "this", "next", "every"}
"""Words that begin a date behind an owner's place: dinner at mum's on friday."""
DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20})
NUMBERS = terms.SMALL_NUMBERS.keys() | terms.TEENS.keys() | terms.TENS.keys()
ADJECTIVES = terms.word_set("adjectives")
NOT_BEFORE_A_DATE = terms.word_set("not_before_a_date")
NAMES_WITH_DAYS = terms.word_set("names_with_days")
NUMBERED_THINGS = terms.word_set("numbered_things")
DATED_NAMES = terms.word_set("dated_names")
BEFORE_HOLIDAYS = terms.word_set("before_holidays")
POINT_VERBS = terms.word_set("point_verbs")
LASTING_VERBS = terms.word_set("lasting_verbs")
ACTIVITIES = terms.word_set("activities")
PERSON_VERBS = terms.word_set("person_verbs")
NOT_AFTER_A_DATE = terms.word_set("not_after_a_date")
AFTER_AN_EVENT = terms.word_set("after_an_event")
GOES_ON_FROM_AN_AMOUNT = terms.word_set("goes_on_from_an_amount")
NOT_AFTER_SAT = terms.word_set("not_after_sat")
NOUNS = terms.word_set("nouns")
VERBS = terms.word_set("verbs")
VERBS_OR_NOUNS = terms.word_set("verbs_or_nouns")
VERBS_AFTER_AN_ORDINAL = terms.word_set("verbs_after_an_ordinal")
VERBS_WITH_OBJECT = terms.word_set("verbs_with_object")
MEASURES = terms.word_set("measures")
AFTER_A_NOUN = terms.word_set("after_a_noun")
OPENS_AN_OBJECT = terms.word_set("opens_an_object")
VERBS_WITH_NOUN_ENDINGS = terms.word_set("verbs_with_noun_endings")
VERBS_IN_S = terms.word_set("verbs_in_s")


class StartPhrase(NamedTuple):
    """Start of a task, which stays hidden until then.

    With a recurrence, `starting friday` is its first day unless it is `explicit`
    (`start:friday`).
    """

    term: terms.DateTerm
    explicit: bool = False


TitlePhrase = DatePhrase | terms.RepeatTerm | StartPhrase
start_phrase: Parser[StartPhrase] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on",
        "not before", "hide until", "hidden until", "defer until", "deferred until",
    )
    >> plain_term
).map(StartPhrase)  # fmt: skip
title_phrase: Parser[TitlePhrase] = alternatives(
    repeat_phrase, title_days, start_phrase, date_phrase
)
bare_start: Parser[StartPhrase] = (words("start", "start on") >> plain_term).map(StartPhrase)
between = words("-", "to", "until", "till", "through", "or", "and", "&")
a_clock = alternatives(clock, bare_clock)
# One of the times says that it is one, unless a day stands beside them: chapters 5-7, 5-7pm.
clear_clocks = alternatives(
    sequence(lambda *_: None, a_clock, between, clock),
    sequence(lambda *_: None, clock, between, a_clock),
)
clocks = optional(words("from", "between", "at", "@")) >> alternatives(
    clear_clocks, sequence(lambda *_: None, a_clock, between, a_clock)
)
from_clocks = optional(words("from", "between", "at", "@")) >> clear_clocks
days_run = alternatives(
    sequence(lambda *_: None, digits(1, 31, {1, 2}), between, month_day),
    sequence(
        lambda *_: None,
        month_day << words("-", "to", "until", "till", "through"),
        digits(1, 31, {1, 2}),
    ),
    sequence(lambda *_: None, anchor_day, words("to", "until", "till", "through", "-"), anchor_day),
)
several_moments: Parser[None] = optional(words("from", "between", "on")) >> alternatives(
    sequence(lambda *_: None, anchor_day, optional(words(",", "on")), clocks),
    sequence(lambda *_: None, from_clocks, optional(words(",", "on")), anchor_day),
    sequence(lambda *_: None, repeat_phrase, words("and", "&", "or"), title_phrase),
    sequence(lambda *_: None, repeat_phrase, clear_clocks),
    from_clocks,
    days_run,
    # Two digits that may be a year.
    sequence(lambda *_: None, month_day, digits(24, 99, {2})),
)
"""Ranges and two moments, which are not one date."""


def implied_part_of_day(title: str) -> terms.PartOfDay | None:
    """Return the part of day in which the title's activity takes place, if there is one."""
    words = title.lower().split()
    parts = {
        PARTS_OF_DAY[word]
        for word, after in zip_longest(words, words[1:], fillvalue="at")
        if word in PARTS_OF_DAY and after in AFTER_AN_EVENT
    }
    return parts.pop() if len(parts) == 1 else None


class PhraseVerdict(Enum):
    """Verdict on a phrase at the end of a title."""

    SURE = auto()
    """Date."""
    LITERAL = auto()
    """Part of the title."""
    PART = auto()
    """End of a longer date that cannot be read as a whole."""
    CLAIMED = auto()
    """First word belongs to the title; the rest may be a date."""


_LONGEST_CLAIM = 8
"""Tokens before `start` in which a longer date may begin that ends behind it."""


def start_beside_due(tokens: Tokens, at: int) -> tuple[StartPhrase, int] | None:
    """Return `start 4 jan` where another date of the line is the due date, and where it ends.

    Without one, or after other words of a title, it is the title: start friday's report.
    """
    found = bare_start.longest(tokens, at)
    if found is None or (isinstance(found[0].term, terms.Moment) and found[0].term.day is None):
        return None
    ends = [
        end
        for place in range(max(at - _LONGEST_CLAIM, 0), at)
        for _, end in title_phrase.read(tokens, place)
    ]
    if any(end > at for end in ends):
        return None  # The words before claim it: every month start 4 jan.
    is_due_named = any(
        token.word == "due" and date_phrase.longest(tokens, place) is not None
        for place, token in enumerate(tokens)
    )
    return found if is_due_named or at in ends else None


def judge_title_end(entry: TitlePhrase, before: Tokens, phrase: Tokens) -> PhraseVerdict:
    """Judge a phrase at the end of a title by the words before it."""
    if not before:
        return PhraseVerdict.SURE
    if isinstance(entry, DatePhrase) and _goes_on_from(entry, before, phrase):
        return PhraseVerdict.PART
    if _may_be_a_year(before, phrase):
        return PhraseVerdict.PART
    if not _is_plainly_dated(before[-1], phrase) and _first_word_is_claimed(before[-1], phrase):
        return PhraseVerdict.CLAIMED
    is_claimed = not _ends_in_letter(before) and _is_claimed(before[-1], phrase)
    if is_claimed or _ends_in_coming(before) or _is_name(before, phrase):
        return PhraseVerdict.LITERAL
    return PhraseVerdict.SURE if _may_end(entry, before, phrase) else PhraseVerdict.LITERAL


def _may_end(entry: TitlePhrase, before: Tokens, phrase: Tokens) -> bool:
    match entry:
        case terms.RepeatTerm():
            # `3 x`, but not `solve for x` or a title of one letter.
            is_count = len(before) > 1 and before[-2].number is not None
            return before[-1].word not in TIMES and not (before[-1].word == "x" and is_count)
        case StartPhrase():
            return True
        case DatePhrase(term=terms.ElapsedTime(plain=True)):
            return _happens_at_once(before)
        case DatePhrase(lead="") if phrase[0].word in HOLIDAYS:
            return before[-1].word not in BEFORE_HOLIDAYS
        case DatePhrase():
            return may_be_date_in_title(entry, phrase)


def _happens_at_once(title: Tokens) -> bool:
    """Return True if hours after a title mean when, not how long: call Zoe 2 hours."""
    words = [token.word for token in title if token.is_word]
    if words[-1:] and words[-1] in LASTING_VERBS:
        # Why the load took 4 hours.
        return False
    things = words[1:] if words and words[0] in POINT_VERBS else words
    # A duration may follow these: sleep 8 hours.
    lasting = ACTIVITIES | VERBS | VERBS_OR_NOUNS | NOUNS
    return bool(words) and not any(
        each in lasting or each.endswith(NOUN_ENDINGS) for each in things
    )


def _ends_in_letter(title: Tokens) -> bool:
    """Return True for a capital letter that is a label, not an article: group A, part V."""
    is_capital = len(title[-1].text) == 1 and title[-1].text.isupper()
    return is_capital and len(title) > 1 and not title[-2].text.isupper()


def _ends_in_coming(title: Tokens) -> bool:
    """Return True for `plan the coming` before `3 days`, not for `plumber coming`."""
    return title[-1].word == "coming" and any(token.word in THE for token in title[-2:-1])


def _is_claimed(before: Token, phrase: Tokens) -> bool:
    """Return True if the word before claims the phrase: the friday, black friday, Ann's 60th."""
    is_owner = before.word.endswith(("'s", "s'")) and phrase[0].word not in OF_NO_OWNER
    if before.word in NOT_BEFORE_A_DATE or is_owner:
        return True
    if before.word in NAMES_WITH_DAYS and phrase[0].word in NAMED_DAYS:
        return True
    return before.word in terms.UNITS and phrase[0].word in ("before", "by")


def _first_word_is_claimed(before: Token, phrase: Tokens) -> bool:
    first = phrase[0]
    for word_before, token in ((before, first), *pairwise(phrase[:2])):
        if token.word == "tom":
            return word_before.word in PERSON_VERBS or token.text == "Tom"
    return first.number is not None and (
        before.number is not None or before.word in NUMBERED_THINGS
    )


def _may_be_a_year(before: Tokens, phrase: Tokens) -> bool:
    """Return True if a number may be a day or a year, or belong to what is before the date.

    As in `rent 5 dec 27` and `release 2028 march 18`; not in `room 5 dec 27`.
    """
    first, last = phrase[0], before[-1]
    has_thing = len(before) > 1 and before[-2].word in NUMBERED_THINGS
    if first.word in terms.MONTHS and len(phrase) > 1 and phrase[1].number is not None:
        is_day = last.number is not None and 1 <= last.number <= LONGEST_MONTH
        return is_day and len(last.text) <= 2 and not last.glued and not has_thing
    is_year = len(first.text) == 4 and first.number is not None
    is_dated = is_year and len(phrase) > 2 and phrase[1].word in terms.MONTHS
    return is_dated and last.word in DATED_NAMES


def may_go_on_with_year(phrase: Tokens, after: Tokens) -> bool:
    """Return True if a number after a day and month may be its year: `5 dec 27 call bob`."""
    if len(phrase) < 2 or not after or after[0].glued or len(after[0].text) != 2:
        return False
    ends_in_day = {token.word for token in phrase[-3:]} & terms.MONTHS.keys()
    is_number = after[0].number is not None and phrase[-1].word not in AFTER_NUMBERS - {"th"}
    return bool(ends_in_day) and is_number and not (after[1:] and _is_counted(after[1:]))


def _is_plainly_dated(before: Token, phrase: Tokens) -> bool:
    """Return True if a leading number belongs to the date, not to the numbered thing before it.

    That holds for `12 dec`, `4pm` and `5th 4pm` after any word, and for `14:30` after a number.
    """
    if len(phrase) < 2:
        return False
    number, second = phrase[0], phrase[1]
    if len(number.text) == 4 and second.word == "-" and second.glued:
        return before.word not in DATED_NAMES
    rest = [token.word for token in phrase[1:] if token.word not in MARKS_OF_A_DAY]
    if rest and rest[0] in terms.MONTHS:
        return len(number.text) <= 2 or len(phrase) > 2
    if second.word in MARKS_OF_A_DAY:
        return not {":", *HALVES_OF_DAY}.isdisjoint(rest)
    return second.word in HALVES_OF_DAY or (before.number is not None and second.word == ":")


def _is_name(before: Tokens, phrase: Tokens) -> bool:
    """Return True if written like a name: The Day After Tomorrow, His Girl Friday."""
    words = [token for token in phrase if token.is_word]
    if not words or not all(is_capitalised(token) for token in words):
        return False
    if all(is_capitalised(token) for token in before):
        return False
    if len(words) > 2:
        return True
    run = takewhile(is_capitalised, reversed(before))
    return any(token.word in SMALL_WORDS for token in run)


def _goes_on_from(entry: DatePhrase, before: Tokens, phrase: Tokens) -> bool:
    """Return True if the words before are a date too, as in a list or range."""
    if isinstance(entry.term, terms.Moment) and entry.term.day is None and _ends_in_day(before):
        return True
    if before[-1].word in terms.WEEKDAYS and before[-1].glued:
        return True
    if before[-1].word in JOINS_DATES and len(before) > 1 and before[-2].word in DATE_WORDS:
        return True
    run = takewhile(
        lambda token: token.word in known_words or token.number is not None, reversed(before)
    )
    if any(token.word in REPEATING for token in run):
        return True
    if entry.lead:
        return False
    last = before[-1]
    if last.word not in BETWEEN_DATES:
        first = phrase[0]
        goes_on = first.word == "the" or first.number is not None or first.word in terms.WEEKDAYS
        return last.word in terms.WEEKDAYS.keys() - AMBIGUOUS_WEEKDAYS and goes_on
    index = len(before) - 1
    while index > 0 and before[index].word in BETWEEN_DATES:
        index -= 1
    number_before = before[index].number is not None or before[index].word in AFTER_NUMBERS
    return before[index].word in DATE_WORDS or (number_before and last.word != ",")


def _ends_in_day(tokens: Tokens) -> bool:
    """Return True for a day with a number or month at the end: `5-7 dec`, `version 2026-12-05`."""
    last = tokens[-1]
    is_numbered = last.number is not None or last.word in terms.MONTHS.keys() | MARKS_OF_A_DAY
    starts = range(max(len(tokens) - _LONGEST_CLAIM, 0), len(tokens))
    return is_numbered and any(
        end == len(tokens) for start in starts for _, end in anchor_day.read(tokens, start)
    )


def may_be_date_in_title(phrase: DatePhrase, tokens: Tokens) -> bool:
    """Return True for phrases that may be a date inside a title; alone, others may be, too.

    Durations (20 minutes, a week), the past (last week) and holidays are too often
    part of the title.
    """
    term = phrase.term
    match term:
        case terms.ElapsedTime():
            return bool(term.duration) and not term.plain
        case terms.ShiftedDue():
            return False
        case terms.Moment(day=terms.ShiftedDay() as day) if day.plain:
            return phrase.lead not in POINT_PREPOSITIONS and tokens[0].word not in (
                "a",
                "an",
                "half",
            )
        case terms.Moment(day=terms.ShiftedDay() as day) if day.sign < 0 and day.origin is None:
            return bool(phrase.lead)
        case terms.Moment():
            return _sure_moment_at_end(phrase, term, tokens)


def _sure_moment_at_end(phrase: DatePhrase, term: terms.Moment, tokens: Tokens) -> bool:
    day = term.day
    if phrase.lead == "for" and isinstance(
        day, terms.PeriodEdge | terms.Weekend | terms.ShiftedDay
    ):
        return False
    # As in `happy new year`.
    if not phrase.lead and isinstance(day, terms.MovableHoliday):
        return False
    is_new_year = isinstance(day, terms.CalendarDay) and tokens[-1].word in ("year", "years")
    if not phrase.lead and (tokens[0].word in HOLIDAYS or is_new_year):
        return False
    has_number = any(token.number is not None for token in tokens)
    if tokens[-1].word in AMBIGUOUS_WEEKDAYS and term.time is not None and not has_number:
        return False
    match day:
        case terms.SlashedDay(24, 7, None):
            return bool(phrase.lead)
        case (
            terms.NamedDay(which=terms.DayModifier.LAST)
            | terms.PeriodEdge(side=terms.PeriodSide.BARE, period=terms.RelativePeriod(offset=-1))
        ):
            return bool(phrase.lead) and phrase.lead != "for"
        case terms.Weekend(which=terms.DayModifier.BARE):
            return bool(phrase.lead) or tokens[0].word in THE or term.time is not None
        case _:
            return True


def is_capitalised(token: Token) -> bool:
    """Return True for a capital followed by small letters."""
    return token.text[:1].isupper() and not token.text.isupper()


def continues_title(after: Tokens) -> bool:
    """Return True if the words after a date continue the title, not a range of times."""
    if len(after) < 2 or after[0].glued:
        return False
    if after[0].word in CONTINUING_PREPOSITIONS:
        return after[1].is_word and after[1].word not in known_words
    if after[0].word not in GOES_ON:
        return False
    if after[0].word in OF_TIMES and after[1].number is not None:
        return len(after) > 2 and _is_counted(after[2:])
    return True


def is_date_in_middle(entry: TitlePhrase, before: Tokens, phrase: Tokens) -> bool:
    """Return True if a phrase in the middle of a title is a date."""
    if isinstance(entry, terms.RepeatTerm):
        own = is_capitalised(phrase[0]) or before[-1].word in GOES_ON | CONTINUING_PREPOSITIONS
        sure = judge_title_end(entry, before, phrase) is PhraseVerdict.SURE
        return phrase[0].word in REPEATING and sure and not own
    if not isinstance(entry, DatePhrase) or not isinstance(entry.term, terms.Moment):
        return False
    if before[-1].word in BEGINS or (len(phrase) == 1 and phrase[0].word in AMBIGUOUS):
        return False
    if is_capitalised(phrase[0]) and phrase[0].word not in terms.WEEKDAYS:
        return False
    return _is_plain(entry, entry.term, phrase[0]) and (
        judge_title_end(entry, before, phrase) is PhraseVerdict.SURE
    )


def _is_plain(phrase: DatePhrase, moment: terms.Moment, first: Token) -> bool:
    clock = None if moment.time is None else moment.time.clock
    match moment.day:
        case terms.RelativeDay():
            return True
        case None:
            return clock is not None and (clock.settled or first.number is None)
        case terms.NamedDay(which=which):
            return which is not terms.DayModifier.LAST and phrase.lead != "for"
        case _:
            is_timed = clock is not None and clock.settled
            return is_timed or (bool(phrase.lead) and phrase.lead != "for")


def is_date_at_start(
    entry: TitlePhrase, phrase: Tokens, after: Tokens, *, hour_known: bool
) -> bool:
    """Return True if a phrase at the start of a title is a date, judged by what follows.

    With an `hour_known` that has no day yet, a weekday is its day: sunday dinner at 6.
    """
    if not after or after[0].word in SETS_OFF:
        return True
    is_other = phrase[0].word == "new" or _is_wish(phrase, after[0].word)
    if is_other or after[0].word in NOT_AFTER_A_DATE:
        return False
    if _is_title_case(phrase, after) or _describes(entry, phrase, after[0].word):
        return False
    if len(phrase) == 1 and _is_other_than_a_day(phrase[0].word, after[0].word):
        return False
    if is_part_of_noun(entry, after) or _is_adjective(entry, phrase, after):
        return False
    match entry:
        case DatePhrase(term=terms.Moment() as term) if _is_bare_ordinal(term):
            return True
        case DatePhrase(term=terms.Moment(day=terms.NamedDay(), time=None)) if hour_known:
            return True
        case _:
            pass
    # Unless the phrase describes what follows: monday notes, daily mail.
    if phrase[0].word in ADJECTIVES and phrase[-1].word in ADJECTIVES:
        return after[0].is_word and not _is_noun(after) and not _is_verbal_noun(after)
    if phrase[-1].number is not None and (after[0].word in MEASURES or after[0].word in NUMBERS):
        return False
    return _is_unambiguous(entry, phrase) or not _is_noun(after)


def _is_wish(phrase: Tokens, following: str) -> bool:
    """Return True if `may` is a verb and the ordinal its subject: may the fourth be with you."""
    is_open = [token.word for token in phrase[:2]] == ["may", "the"]
    return is_open and (following == "be" or following not in VERBS | VERBS_OR_NOUNS)


def _is_adjective(entry: TitlePhrase, phrase: Tokens, after: Tokens) -> bool:
    """Return True for a recurrence that describes a noun: mondays blues, every day carry."""
    if not isinstance(entry, terms.RepeatTerm) or entry.time is not None:
        return False
    if phrase[0].word in terms.SEVERAL_WEEKDAYS:
        return _is_noun(after) or after[0].word in PREPOSITIONS
    # A verb without its object is a noun.
    is_alone = len(after) == 1 and after[0].word in VERBS_WITH_OBJECT
    return is_alone and phrase[-1].word in terms.UNITS


def is_part_of_noun(entry: TitlePhrase, after: Tokens) -> bool:
    """Return True if a number belongs to the noun after it: 1st aid kit, on 1st floor, at 5 guys.

    An ordinal is a date only before an imperative.
    """
    if not after or after[0].word in SETS_OFF:
        return False
    match entry:
        case DatePhrase(term=terms.Moment() as term) if _is_bare_ordinal(term):
            is_due = entry.lead not in ("", *POINT_PREPOSITIONS)
            has_lead = bool(entry.lead) or term.before
            return not is_due and not _is_imperative_after_number(after, has_lead=has_lead)
        case DatePhrase(term=terms.Moment() as term) if _is_bare_hour(term):
            return _is_counted(after)
        case _:
            return False


def _is_bare_ordinal(moment: terms.Moment) -> bool:
    """Return True for `1st` or `on the 1st`: a day by number, without month, weekday or time."""
    match moment:
        case terms.Moment(day=terms.DayOfMonth(month=None, weekday=None), time=None):
            return True
        case _:
            return False


def _is_imperative_after_number(after: Tokens, *, has_lead: bool) -> bool:
    """Return True for words that an ordinal before them cannot describe: 5th pay rent.

    After a preposition, `on the 1st`, a verb that may be a noun is a verb too.
    """
    first = after[0].word
    if first == "be":
        return has_lead
    if first in VERBS_OR_NOUNS:
        return has_lead and not _is_noun(after)
    return first in VERBS and first not in VERBS_AFTER_AN_ORDINAL


def _is_bare_hour(moment: terms.Moment) -> bool:
    """Return True for `at 5`: an hour without minutes, am or pm, part of the day or day."""
    match moment:
        case terms.Moment(day=None, time=terms.TimeOfDay(clock=clock, part=None)):
            return clock is not None and not clock.settled and clock.minute == 0
        case _:
            return False


def _is_counted(after: Tokens) -> bool:
    """Return True if a number counts or names what follows: 5 guys, 4 Rivers Smokehouse."""
    first = after[0]
    if first.word in VERBS or first.word in VERBS_OR_NOUNS or not first.is_word:
        return False
    if len(after) > 1 and all(map(is_capitalised, after[:2])):
        return True
    if first.word in IRREGULAR_PLURALS | MEASURES | NUMBERS:
        return True
    is_plural = len(first.word) > 3 and first.word.endswith("s") and first.word[-2] not in "su'"
    return is_plural and first.word not in NOUNS | VERBS_IN_S | PARTS_OF_DAY.keys()


def _is_other_than_a_day(word: str, following: str) -> bool:
    """Return True for a star, satellite or adjective: sun hat, everyday carry."""
    match word:
        case "sun" | "everyday":
            return following not in VERBS and following not in VERBS_OR_NOUNS
        case "sat":
            return following in NOT_AFTER_SAT
        case _:
            return False


def _describes(entry: TitlePhrase, phrase: Tokens, following: str) -> bool:
    """Return True if the phrase measures what follows: a 3 day trip, 20 minutes yoga."""
    if not isinstance(entry, DatePhrase):
        return False
    match entry.term:
        case terms.Moment(day=terms.ShiftedDay(plain=True)) if following in GOES_ON_FROM_AN_AMOUNT:
            return True
        case terms.Moment(day=terms.ShiftedDay() as day) if (
            day.plain and day.duration[-1].number > 1
        ):
            unit = phrase[-1].word
            return unit in terms.UNITS and len(unit) > 2 and not unit.endswith("s")
        case _:
            return not may_be_date_in_title(entry, phrase)


def _is_title_case(phrase: Tokens, after: Tokens) -> bool:
    """Return True if phrase and rest are all capitalised words: Friday Night Lights."""
    words = [token for token in phrase if token.is_word]
    return (
        len(words) == len(phrase) <= 2
        and all(is_capitalised(token) for token in (*words, *after[:2]))
        and len(after) > 1
    )


def is_date_anywhere(entry: TitlePhrase, phrase: Tokens) -> bool:
    """Return True for what looks like a date wherever it stands: `friday`, `27 nov`, `every day`.

    Words that are something else as well need a time: sun, tom, may.
    """
    match entry:
        case DatePhrase(term=terms.Moment(day=day, time=time)) if time is None or not time.clock:
            others = AMBIGUOUS | HOLIDAYS | MONTHS_OR_VERBS
            named = terms.RelativeDay | terms.NamedDay | terms.CalendarDay
            return isinstance(day, named) and others.isdisjoint(token.word for token in phrase)
        case DatePhrase(term=terms.Moment(day=day)):
            return day is not None
        case terms.RepeatTerm():
            is_named = any(token.word in ENDS_A_REPEAT - AFTER_NUMBERS for token in phrase)
            return is_named and phrase[0].word in REPEATING | terms.WEEKDAYS.keys()
        case _:
            return False


def _is_unambiguous(entry: TitlePhrase, phrase: Tokens) -> bool:
    """Return True for a date whatever follows: `on friday`, `tomorrow`, `5pm`, `+3d`."""
    match entry:
        case terms.RepeatTerm() | StartPhrase():
            return True
        case DatePhrase(term=terms.Moment() as term):
            if entry.lead or phrase[0].word in LEADS:
                return True
            if term.time is not None and (term.time.clock is None or term.day is None):
                return _is_clear_time(term, phrase)
            return term.time is not None or (term.day is not None and _names_itself(term.day))
        case DatePhrase():
            return True


def _is_clear_time(term: terms.Moment, phrase: Tokens) -> bool:
    """Return False for `noon`, `midnight` or `friday evening`, which describe nouns."""
    if term.time is None or term.time.clock is None:
        return isinstance(term.day, terms.RelativeDay) or phrase[0].word in (
            "in",
            "at",
            "by",
            "before",
        )
    return any(token.number is not None for token in phrase) or phrase[0].word in ("at", "by", "@")


def _names_itself(day: terms.DayTerm) -> bool:
    match day:
        case terms.RelativeDay() | terms.CalendarDay() | terms.MovableHoliday():
            return True
        case terms.ShiftedDay():
            return not day.plain
        case terms.SlashedDay():
            # Unlike a possible fraction or ratio: 1/2 cup, 24/7, but not 12/25.
            is_fraction = day.first >= day.second or day.second in DENOMINATORS
            return day.year is not None or not is_fraction
        case _:
            return False


def _is_verbal_noun(after: Tokens) -> bool:
    """Return True if a possible imperative is a noun: weekly call with Bob."""
    if after[0].word not in VERBS_OR_NOUNS:
        return False
    if len(after) == 1:
        return True
    return not (after[1].word in OPENS_AN_OBJECT or is_capitalised(after[1]))


def _is_noun(after: Tokens) -> bool:
    """Return True if the words are a noun that the phrase before them would describe."""
    first = after[0].word
    if first in VERBS:
        return False
    if first in VERBS_OR_NOUNS:
        return len(after) == 1 or after[1].word in NOUNS or after[1].word in AFTER_A_NOUN
    if first in NOUNS:
        return True
    if first in VERBS_WITH_NOUN_ENDINGS or first in VERBS_IN_S or not after[0].is_word:
        return False
    return first.endswith(NOUN_ENDINGS) or (len(first) > 3 and first.endswith("s"))
