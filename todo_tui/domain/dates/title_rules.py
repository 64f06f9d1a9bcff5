"""Decides if a phrase in a title is a date or a part of the title.

Two ordered tables decide, END_RULES and START_RULES: the first row whose test holds gives the
verdict. `QuickAddLine` asks about the end of a title first, then about its start, then about its
middle (`is_date_in_middle`). The words that count are in words.txt.
"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from itertools import pairwise, takewhile, zip_longest
from typing import NamedTuple

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import Token, Tokens, known_words
from todo_tui.domain.dates.day_grammar import anchor_day
from todo_tui.domain.dates.moment_grammar import POINT_PREPOSITIONS, DatePhrase
from todo_tui.domain.dates.resolution import LONGEST_MONTH
from todo_tui.domain.dates.terms import word_set
from todo_tui.domain.dates.title_grammar import LONGEST_CLAIM, TitlePhrase

PARTS_OF_DAY = {
    **dict.fromkeys(word_set("morning_activities"), terms.PartOfDay.MORNING),
    **dict.fromkeys(word_set("evening_activities"), terms.PartOfDay.EVENING),
}
"""Part of the day of an activity: dinner at 8 is in the evening."""
NOUN_ENDINGS = tuple(word_set("noun_endings"))
BETWEEN_DATES = frozenset({",", "-", "/"})
JOINS_DATES = frozenset({"or", "and", "to", "&"})
DATE_WORDS = terms.WEEKDAYS.keys() | terms.MONTHS.keys() | terms.RELATIVE_DAYS.keys()
HALVES_OF_DAY = frozenset({"am", "pm"})
AFTER_NUMBERS = HALVES_OF_DAY | {"h", "th", "st", "nd", "rd"}
MARKS_OF_A_DAY = frozenset({"th", "st", "nd", "rd", "of", "-", ".", "/"})
ENDS_A_REPEAT = DATE_WORDS | terms.SEVERAL_WEEKDAYS.keys() | terms.UNITS.keys() | AFTER_NUMBERS
HOLIDAYS = frozenset({"christmas", "xmas", "halloween", "nye", "valentine's", "valentines"})
THE = frozenset({"the", "over", "during"})
REPEATING = frozenset({"every", "each", "ev"})
AMBIGUOUS_WEEKDAYS = frozenset({"sun", "sat"})
"""Abbreviated days that are also words: the midnight sun."""
AMBIGUOUS = AMBIGUOUS_WEEKDAYS | {"tom", "tod", "mon", "wed"}
"""Abbreviated days that are also words or names."""
GOES_ON = frozenset({"with", "w", "about", "re", "regarding", "from", "for", "at"})
CONTINUING_PREPOSITIONS = frozenset({"in", "on", "to"})
"""Prepositions that continue a title unless a date word follows: to Berlin."""
SETS_OFF = frozenset(":;,-|.")
DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20})
NUMBERS = terms.SMALL_NUMBERS.keys() | terms.TEENS.keys() | terms.TENS.keys()
NUMBERED_THINGS, DATED_NAMES = word_set("numbered_things"), word_set("dated_names")
NOUNS, MEASURES = word_set("nouns"), word_set("measures")
VERBS, VERBS_OR_NOUNS = word_set("verbs"), word_set("verbs_or_nouns")
VERBS_IN_S = word_set("verbs_in_s")


class PossibleDate(NamedTuple):
    """Phrase in a title that may be a date, with the words before and after it."""

    entry: TitlePhrase
    phrase: Tokens
    before: Tokens = ()
    after: Tokens = ()
    hour_known: bool = False
    """True if the rest of the line has an hour without a day, of which a weekday is the day."""

    @property
    def first(self) -> str:
        """First word of the phrase."""
        return self.phrase[0].word

    @property
    def following(self) -> str:
        """First word after the phrase."""
        return self.after[0].word

    @property
    def moment(self) -> terms.Moment | None:
        """Moment that the phrase names; None if it names something else."""
        term = self.entry.term if isinstance(self.entry, DatePhrase) else None
        return term if isinstance(term, terms.Moment) else None


class PhraseVerdict(Enum):
    """Verdict on a phrase of a title."""

    SURE = auto()
    """Date."""
    LITERAL = auto()
    """Part of the title."""
    PART = auto()
    """End of a longer date that cannot be read as a whole."""
    CLAIMED = auto()
    """First word belongs to the title; the rest may be a date."""


TitleRule = tuple[PhraseVerdict, str, Callable[[PossibleDate], bool]]
"""Verdict, examples (titles with the phrase in brackets, separated by bars), and test."""


def implied_part_of_day(title: str) -> terms.PartOfDay | None:
    """Return the part of day in which the title's activity takes place, if there is one."""
    words = title.lower().split()
    parts = {
        PARTS_OF_DAY[word]
        for word, after in zip_longest(words, words[1:], fillvalue="at")
        if word in PARTS_OF_DAY and after in word_set("after_an_event")
    }
    return parts.pop() if len(parts) == 1 else None


def is_capitalised(token: Token) -> bool:
    """Return True for a capital followed by small letters."""
    return token.text[:1].isupper() and not token.text.isupper()


# Tests of END_RULES


def _goes_on_from_date(date: PossibleDate) -> bool:
    """Return True if the words before are a date too, as in a list or range."""
    if not isinstance(date.entry, DatePhrase):
        return False
    before, last = date.before, date.before[-1]
    if date.moment is not None and date.moment.day is None and _ends_in_day(before):
        return True
    if last.word in terms.WEEKDAYS and last.glued:
        return True
    if last.word in JOINS_DATES and len(before) > 1 and before[-2].word in DATE_WORDS:
        return True
    run = takewhile(
        lambda token: token.word in known_words or token.number is not None, reversed(before)
    )
    if any(token.word in REPEATING for token in run):
        return True
    if date.entry.lead:
        return False
    if last.word not in BETWEEN_DATES:
        first = date.phrase[0]
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
    starts = range(max(len(tokens) - LONGEST_CLAIM, 0), len(tokens))
    return is_numbered and any(
        end == len(tokens) for start in starts for _, end in anchor_day.read(tokens, start)
    )


def _may_have_year(date: PossibleDate) -> bool:
    """Return True if a number may be a day or a year, or belong to what is before the date."""
    phrase, last = date.phrase, date.before[-1]
    if date.first in terms.MONTHS and len(phrase) > 1 and phrase[1].number is not None:
        has_thing = len(date.before) > 1 and date.before[-2].word in NUMBERED_THINGS
        is_day = last.number is not None and 1 <= last.number <= LONGEST_MONTH
        return is_day and len(last.text) <= 2 and not last.glued and not has_thing
    is_year = len(phrase[0].text) == 4 and phrase[0].number is not None
    is_dated = is_year and len(phrase) > 2 and phrase[1].word in terms.MONTHS
    return is_dated and last.word in DATED_NAMES


def _begins_with_title_word(date: PossibleDate) -> bool:
    """Return True for a person, and for the number of a thing."""
    before, first = date.before[-1], date.phrase[0]
    if _is_plainly_dated(before, date.phrase):
        return False
    for word_before, token in ((before, first), *pairwise(date.phrase[:2])):
        if token.word == "tom":
            return word_before.word in word_set("person_verbs") or token.text == "Tom"
    return first.number is not None and (
        before.number is not None or before.word in NUMBERED_THINGS
    )


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


def _is_claimed(date: PossibleDate) -> bool:
    """Return True if the word before claims the phrase, unless it is a label: group A."""
    before, last = date.before, date.before[-1]
    is_capital = len(last.text) == 1 and last.text.isupper()
    if is_capital and len(before) > 1 and not before[-2].text.isupper():
        return False
    is_owner = last.word.endswith(("'s", "s'")) and not (
        date.first in terms.RELATIVE_DAYS or date.first in word_set("of_no_owner")
    )
    is_named = date.first in terms.WEEKDAYS or date.first in ("noon", "today")
    return (
        is_owner
        or last.word in word_set("not_before_a_date")
        or (is_named and last.word in word_set("names_with_days"))
        or (last.word in terms.UNITS and date.first in ("before", "by"))
    )


def _follows_the_coming(date: PossibleDate) -> bool:
    before = date.before
    return before[-1].word == "coming" and any(token.word in THE for token in before[-2:-1])


def _is_capitalised_name(date: PossibleDate) -> bool:
    words = [token for token in date.phrase if token.is_word]
    if not words or not all(is_capitalised(token) for token in words):
        return False
    if all(is_capitalised(token) for token in date.before):
        return False
    run = takewhile(is_capitalised, reversed(date.before))
    return len(words) > 2 or any(token.word in word_set("small_words") for token in run)


def _is_kept_in_title(date: PossibleDate) -> bool:
    """Return True for a count of times, a duration, a holiday in its name, and vague dates."""
    before, last = date.before, date.before[-1].word
    match date.entry:
        case terms.RepeatTerm():
            # Not a title of one letter, or `solve for x`.
            is_count = len(before) > 1 and before[-2].number is not None
            return last in ("twice", "thrice", "times") or (last == "x" and is_count)
        case DatePhrase(term=terms.ElapsedTime(plain=True)):
            return _takes_time([token.word for token in before if token.is_word])
        case DatePhrase(lead="") if date.first in HOLIDAYS:
            return last in word_set("before_holidays")
        case DatePhrase() as entry:
            return not may_be_date_in_title(entry, date.phrase)
        case _:
            return False


def _takes_time(words: Sequence[str]) -> bool:
    """Return True if hours after a title say how long it takes, not when it is."""
    if not words or words[-1] in word_set("lasting_verbs"):
        return True
    things = words[1:] if words[0] in word_set("point_verbs") else words
    lasting = word_set("activities") | VERBS | VERBS_OR_NOUNS | NOUNS
    return any(each in lasting or each.endswith(NOUN_ENDINGS) for each in things)


def may_be_date_in_title(phrase: DatePhrase, tokens: Tokens) -> bool:
    """Return True for phrases that may be a date inside a title; alone, others may be, too.

    Durations (20 minutes, a week), the past (last week) and holidays are too often
    part of the title.
    """
    match phrase.term:
        case terms.ElapsedTime() as term:
            return bool(term.duration) and not term.plain
        case terms.ShiftedDue():
            return False
        case terms.Moment(day=terms.ShiftedDay() as day) if day.plain:
            is_article = tokens[0].word in ("a", "an", "half")
            return phrase.lead not in POINT_PREPOSITIONS and not is_article
        case terms.Moment(day=terms.ShiftedDay() as day) if day.sign < 0 and day.origin is None:
            return bool(phrase.lead)
        case terms.Moment() as moment:
            return _may_be_moment_in_title(phrase.lead, moment, tokens)


def _may_be_moment_in_title(lead: str, moment: terms.Moment, tokens: Tokens) -> bool:
    day = moment.day
    is_new_year = isinstance(day, terms.CalendarDay) and tokens[-1].word in ("year", "years")
    is_holiday = isinstance(day, terms.MovableHoliday) or tokens[0].word in HOLIDAYS
    if not lead and (is_holiday or is_new_year):
        return False
    has_number = any(token.number is not None for token in tokens)
    if tokens[-1].word in AMBIGUOUS_WEEKDAYS and moment.time is not None and not has_number:
        return False
    match day:
        case terms.ShiftedDay() if lead == "for":
            # `for monday week`, but not `for a week`.
            return tokens[-1].word == "week" and day.origin is not None
        case terms.PeriodEdge() | terms.Weekend() if lead == "for":
            return False
        case terms.SlashedDay(24, 7, None):
            return bool(lead)
        case (
            terms.NamedDay(which=terms.DayModifier.LAST)
            | terms.PeriodEdge(side=terms.PeriodSide.BARE, period=terms.RelativePeriod(offset=-1))
        ):
            return bool(lead) and lead != "for"
        case terms.Weekend(which=terms.DayModifier.BARE):
            return bool(lead) or tokens[0].word in THE or moment.time is not None
        case _:
            return True


# Tests of START_RULES


def _is_set_off(date: PossibleDate) -> bool:
    return not date.after or date.after[0].word in SETS_OFF


def _is_wish(date: PossibleDate) -> bool:
    """Return True if `may` is a verb and the ordinal its subject."""
    is_open = [token.word for token in date.phrase[:2]] == ["may", "the"]
    return is_open and (date.following == "be" or date.following not in VERBS | VERBS_OR_NOUNS)


def _is_title_case(date: PossibleDate) -> bool:
    words = [token for token in date.phrase if token.is_word]
    return (
        len(words) == len(date.phrase) <= 2
        and all(is_capitalised(token) for token in (*words, *date.after[:2]))
        and len(date.after) > 1
    )


def _measures_what_follows(date: PossibleDate) -> bool:
    match date.entry:
        case DatePhrase(term=terms.Moment(day=terms.ShiftedDay(plain=True))) if (
            date.following in word_set("goes_on_from_an_amount")
        ):
            return True
        case DatePhrase(term=terms.Moment(day=terms.ShiftedDay(plain=True) as day)) if (
            day.duration[-1].number > 1
        ):
            unit = date.phrase[-1].word
            return unit in terms.UNITS and len(unit) > 2 and not unit.endswith("s")
        case DatePhrase() as entry:
            return not may_be_date_in_title(entry, date.phrase)
        case _:
            return False


def _is_other_than_day(date: PossibleDate) -> bool:
    """Return True for a star, satellite or adjective."""
    following = date.following
    match [token.word for token in date.phrase]:
        case ["sun" | "everyday"]:
            return following not in VERBS and following not in VERBS_OR_NOUNS
        case ["sat"]:
            return following in word_set("not_after_sat")
        case _:
            return False


def is_part_of_noun(date: PossibleDate) -> bool:
    """Return True if a number belongs to the noun after it: on 1st floor, at 5 guys.

    An ordinal is a date only before an imperative.
    """
    if not isinstance(date.entry, DatePhrase) or _is_set_off(date):
        return False
    lead, moment = date.entry.lead, date.moment
    if _is_bare_ordinal(date):
        is_due = lead not in ("", *POINT_PREPOSITIONS)
        has_lead = bool(lead) or (moment is not None and moment.before)
        return not is_due and not _is_imperative_after_number(date.after, has_lead=has_lead)
    match moment:
        case terms.Moment(
            day=None,
            time=terms.TimeOfDay(clock=terms.ClockTime(settled=False, minute=0), part=None),
        ):
            return _is_counted(date.after)
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
    return first in VERBS and first not in word_set("verbs_after_an_ordinal")


def _is_counted(after: Tokens) -> bool:
    """Return True if a number counts or names what follows: 5 guys, 4 Rivers Smokehouse."""
    first = after[0]
    if first.word in VERBS or first.word in VERBS_OR_NOUNS or not first.is_word:
        return False
    if len(after) > 1 and all(map(is_capitalised, after[:2])):
        return True
    if first.word in word_set("irregular_plurals") | MEASURES | NUMBERS:
        return True
    is_plural = len(first.word) > 3 and first.word.endswith("s") and first.word[-2] not in "su'"
    return is_plural and first.word not in NOUNS | VERBS_IN_S | PARTS_OF_DAY.keys()


def _is_adjective_recurrence(date: PossibleDate) -> bool:
    if not isinstance(date.entry, terms.RepeatTerm) or date.entry.time is not None:
        return False
    following = date.following
    if date.first in terms.SEVERAL_WEEKDAYS:
        is_joined = following in GOES_ON | CONTINUING_PREPOSITIONS
        return is_joined or following in word_set("joins_a_title") or _is_noun(date.after)
    # A verb without its object is a noun.
    is_alone = len(date.after) == 1 and following in word_set("verbs_with_object")
    return is_alone and date.phrase[-1].word in terms.UNITS


def _is_bare_ordinal(date: PossibleDate) -> bool:
    """Return True for `1st` or `on the 1st`: a day by number, without month, weekday or time."""
    match date.moment:
        case terms.Moment(day=terms.DayOfMonth(month=None, weekday=None), time=None):
            return True
        case _:
            return False


def _is_bare_weekday(date: PossibleDate) -> bool:
    moment = date.moment
    return moment is not None and moment.time is None and isinstance(moment.day, terms.NamedDay)


def _is_amount(date: PossibleDate) -> bool:
    is_counted = date.following in MEASURES or date.following in NUMBERS
    return date.phrase[-1].number is not None and is_counted


def _is_adverb(date: PossibleDate) -> bool:
    adverbs = word_set("adjectives")
    return date.first in adverbs and date.phrase[-1].word in adverbs


def _is_adjective(date: PossibleDate) -> bool:
    after = date.after
    is_noun = not after[0].is_word or _is_noun(after) or _is_verbal_noun(after)
    return _is_adverb(date) and is_noun


def _is_unambiguous(date: PossibleDate) -> bool:
    """Return True for a date whatever follows."""
    match date.entry:
        case DatePhrase(term=terms.Moment() as term, lead=lead):
            if lead or date.first in ("in", "during", "by", "at", "before"):
                return True
            if term.time is not None and (term.time.clock is None or term.day is None):
                return _is_clear_time(term, date.phrase)
            return term.time is not None or (term.day is not None and _names_itself(term.day))
        case _:
            return True


def _is_clear_time(term: terms.Moment, phrase: Tokens) -> bool:
    """Return False for `noon`, `midnight` or `friday evening`, which describe nouns."""
    first = phrase[0].word
    if term.time is None or term.time.clock is None:
        return isinstance(term.day, terms.RelativeDay) or first in ("in", "at", "by", "before")
    return any(token.number is not None for token in phrase) or first in ("at", "by", "@")


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
    has_object = len(after) > 1 and (
        after[1].word in word_set("opens_an_object") or is_capitalised(after[1])
    )
    return after[0].word in VERBS_OR_NOUNS and not has_object


def _is_noun(after: Tokens) -> bool:
    """Return True if the words are a noun that the phrase before them would describe."""
    first = after[0].word
    if first in VERBS:
        return False
    if first in VERBS_OR_NOUNS:
        return len(after) == 1 or after[1].word in NOUNS or after[1].word in ("of", "with", "for")
    if first in NOUNS:
        return True
    is_verb = first in word_set("verbs_with_noun_endings") or first in VERBS_IN_S
    if is_verb or not after[0].is_word:
        return False
    return first.endswith(NOUN_ENDINGS) or (len(first) > 3 and first.endswith("s"))


SURE, LITERAL, PART, CLAIMED = PhraseVerdict
END_RULES: tuple[TitleRule, ...] = (
    (SURE, "[friday]", lambda date: not date.before),
    (PART, "open 5-7 dec [5pm] | run monday, [tuesday]", _goes_on_from_date),
    (PART, "rent 5 [dec 27] | release [2028 march 18]", _may_have_year),
    (CLAIMED, "call [tom at 5] | read psalm [23:15]", _begins_with_title_word),
    (LITERAL, "the [friday] | black [friday] | Ann's [5th]", _is_claimed),
    (LITERAL, "plan the coming [3 days]", _follows_the_coming),
    (LITERAL, "see His Girl [Friday]", _is_capitalised_name),
    (LITERAL, "brush twice [a day] | sleep [8 hours] | merry [christmas]", _is_kept_in_title),
    (SURE, "call Zoe [friday] | call Zoe [2 hours] | call Zoe [christmas]", lambda _: True),
)
START_RULES: tuple[TitleRule, ...] = (
    (SURE, "[friday]: call Zoe", _is_set_off),
    (LITERAL, "[new year] party", lambda date: date.first == "new"),
    (LITERAL, "[may the fourth] be with you", _is_wish),
    (LITERAL, "[friday] and monday", lambda date: date.following in word_set("not_after_a_date")),
    (LITERAL, "[Friday] Night Lights", _is_title_case),
    (LITERAL, "[3 day] trip | [20 minutes] yoga", _measures_what_follows),
    (LITERAL, "[sun] hat | [sat] nav | [everyday] carry", _is_other_than_day),
    (LITERAL, "[1st] aid kit | [at 5] guys", is_part_of_noun),
    (LITERAL, "[mondays] blues | [every day] carry", _is_adjective_recurrence),
    (SURE, "[1st] pay rent", _is_bare_ordinal),
    (LITERAL, "[daily] mail | [weekly] call with Bob", _is_adjective),
    (SURE, "[weekly] call mom", _is_adverb),
    (LITERAL, "[march 3] miles", _is_amount),
    (SURE, "[tomorrow] notes | [on friday] notes | [5pm] notes", _is_unambiguous),
    (SURE, "[sunday] dinner at 6", lambda date: date.hour_known and _is_bare_weekday(date)),
    (LITERAL, "[monday] notes | [1/2] cup", lambda date: _is_noun(date.after)),
    (SURE, "[monday] call Zoe", lambda _: True),
)


def judge(rules: Sequence[TitleRule], date: PossibleDate) -> PhraseVerdict:
    """Return the verdict of the first row of END_RULES or START_RULES that applies."""
    return next(verdict for verdict, _, test in rules if test(date))


def is_date_in_middle(date: PossibleDate) -> bool:
    """Return True if a phrase is a date inside a title, where `continues_title` holds after it."""
    entry, moment, before = date.entry, date.moment, date.before[-1].word
    is_name = is_capitalised(date.phrase[0])
    if isinstance(entry, terms.RepeatTerm):
        own = is_name or before in GOES_ON | CONTINUING_PREPOSITIONS
        return date.first in REPEATING and not own and judge(END_RULES, date) is SURE
    if not isinstance(entry, DatePhrase) or moment is None:
        return False
    is_begun = before in ("start", "starts", "starting", "begins", "beginning")
    is_other = len(date.phrase) == 1 and date.first in AMBIGUOUS
    if is_begun or is_other or (is_name and date.first not in terms.WEEKDAYS):
        return False
    return _is_plain(entry, moment, date.phrase[0]) and judge(END_RULES, date) is SURE


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


def continues_title(after: Tokens) -> bool:
    """Return True if the words after a date continue the title, not a range of times."""
    if len(after) < 2 or after[0].glued:
        return False
    if after[0].word in CONTINUING_PREPOSITIONS:
        return after[1].is_word and after[1].word not in known_words
    if after[0].word not in GOES_ON:
        return False
    if after[0].word in ("from", "at") and after[1].number is not None:
        return len(after) > 2 and _is_counted(after[2:])
    return True


def is_date_anywhere(entry: TitlePhrase, phrase: Tokens) -> bool:
    """Return True for what looks like a date wherever it stands: `friday`, `27 nov`, `every day`.

    Words that are something else as well need a time: sun, tom, may.
    """
    if phrase[-1].word == "ago":
        return True
    match entry:
        case DatePhrase(term=terms.Moment(day=day, time=time)) if time is None or not time.clock:
            others = AMBIGUOUS | HOLIDAYS | {"may", "march"}
            named = terms.RelativeDay | terms.NamedDay | terms.CalendarDay
            return isinstance(day, named) and others.isdisjoint(token.word for token in phrase)
        case DatePhrase(term=terms.Moment(day=day)):
            return day is not None
        case terms.RepeatTerm():
            is_named = any(token.word in ENDS_A_REPEAT - AFTER_NUMBERS for token in phrase)
            return is_named and phrase[0].word in REPEATING | terms.WEEKDAYS.keys()
        case _:
            return False


def may_go_on_with_year(phrase: Tokens, after: Tokens) -> bool:
    """Return True if a number after a day and month may be its year: `5 dec 27 call bob`."""
    if len(phrase) < 2 or not after or after[0].glued or len(after[0].text) != 2:
        return False
    ends_in_day = {token.word for token in phrase[-3:]} & terms.MONTHS.keys()
    is_number = after[0].number is not None and phrase[-1].word not in AFTER_NUMBERS - {"th"}
    return bool(ends_in_day) and is_number and not (after[1:] and _is_counted(after[1:]))
