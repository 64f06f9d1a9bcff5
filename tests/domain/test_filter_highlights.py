"""Tests of token kinds, errors and warnings of a filter."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.test_filter_text import PIECES
from tests.rows import each_row
from todo_tui.domain.filters.lexer import FilterNames, FilterProblem
from todo_tui.domain.filters.parser import FilterAnalysis, analyse_filter, parse_query
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()
NAMES = FilterNames(
    ("work", "work.client", "Home garden"),
    ("home", "phone"),
    {"calls": "@phone", "broken": "due:x"},
)

BLANKS = dict.fromkeys(map(ord, ' "'))


def read(text: str) -> FilterAnalysis:
    return analyse_filter(text, NOW, STYLE, NAMES)


@each_row(
    ("text", "expected"),
    [
        ("milk", "milk=search"),
        ("#work @home !high #12", "#work=project @home=tag !high=priority #12=id"),
        ("due.before:friday 5pm milk", "due.before:=key friday=days 5pm=days milk=search"),
        ("due < friday", "due=key <=key friday=days"),
        ("due<friday", "due<=key friday=days"),
        ("this week", "this=days week=days"),
        ("no due date", "no=field due=field date=field"),
        ("(a or not b)", "(=bracket a=search or=operator not=operator b=search )=bracket"),
        ("a|@home&today", "a=search |=operator @home=tag &=operator today=days"),
        ("!done tasks", "!=operator done=state tasks=state"),
        ('project:"Home garden"', 'project:=key "Home garden"=project'),
        ("sort:due- group:tag", "sort:=key due-=order group:=key tag=order"),
        ("view:calls", "view:=key calls=view"),
        ("id:3, 5 under:7", "id:=key 3,=id 5=id under:=key 7=id"),
        ("tag: home", "tag:=key home=tag"),
        ('"no due"', '"no due"=search'),
        ("due:fooday milk", "due:fooday=mistake milk=search"),
        ("(a", "(=mistake a=search"),
        ("a) b", "a=search )=mistake b=search"),
    ],
)
def test_each_word_has_its_kind(text: str, expected: str) -> None:
    said = [f"{text[token.start : token.end]}={token.kind.value}" for token in read(text).tokens]
    assert " ".join(said) == expected


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join))
def test_tokens_cover_the_words_and_the_first_problem_is_the_one_that_is_raised(text: str) -> None:
    reading = read(text)
    covered = "".join(text[token.start : token.end] for token in reading.tokens)
    # Quotation marks with nothing between them are not a word.
    assert covered.translate(BLANKS) == text.translate(BLANKS)
    ends = [token.end for token in reading.tokens]
    assert ends == sorted(ends)
    for found in reading.problems:
        assert text[found.position : found.end] == found.word
        assert found.hint
    raised: FilterProblem | None = None
    try:
        parse_query(text, NOW, STYLE, NAMES)
    except FilterProblem as problem:
        raised = problem
    if raised is None:
        assert reading.problems == ()
    else:
        assert str(raised) in [str(found) for found in reading.problems]


def test_all_errors_are_reported() -> None:
    reading = read("milk due:fooday #work is:redy sort:dew")
    assert [(found.word, found.suggestions) for found in reading.problems] == [
        ("due:fooday", ()),
        ("is:redy", ("is:ready",)),
        ("sort:dew", ("sort:due",)),
    ]


def test_unknown_names_give_warnings_with_suggestions() -> None:
    reading = read("#wrok project:work.clent @hme @home #WORK #home")
    assert reading.problems == ()
    assert [(found.word, found.suggestions[:1]) for found in reading.warnings] == [
        ("#wrok", ("#work",)),
        ("project:work.clent", ("#work.client",)),
        ("@hme", ("@home",)),
        ("#home", ('project:"Home garden"',)),
    ]
    assert reading.warnings[0].hint == "Did you mean #work?"


def test_signs_of_other_programs_give_warnings() -> None:
    found = read("-@home +phone -#work -home -x +1 - @home").warnings
    assert [(each.word, each.suggestions) for each in found] == [
        ("-@home", ("not @home",)),
        ("+phone", ("@phone",)),
        ("-#work", ("not #work",)),
        ("-home", ("not @home",)),
    ]


def test_days_that_passed_of_late_are_said_to_be_those_of_next_year() -> None:
    for text, words in (
        ('due:"nov 14"', "nov 14"),
        ("due.before:nov 14 #work", "nov 14"),
        ("due<june", "june"),
        ('start:"nov 2 - nov 14"', ""),
        ("due:nov 14 2026", ""),
        ("due:jan 3", ""),
        ("due:november", ""),
        ('done:"nov 14"', ""),
    ):
        said = [(each.message, each.hint) for each in read(text).warnings]
        assert [message.startswith(f"“{words}” is read as ") for message, _ in said] == (
            [True] if words else []
        ), text
    (warning,) = read('due:"nov 14"').warnings
    assert warning.message == "“nov 14” is read as 14 Nov 2027."
    assert warning.hint == "Add 2026 for Sat 14 Nov."


def test_no_warnings_without_names() -> None:
    assert analyse_filter("#wrok @hme", NOW, STYLE).warnings == ()


@each_row(
    ("text", "word", "hint"),
    [
        ("projct:work", "projct:work", "Did you mean project:work?"),
        ("due.befor:friday", "due.befor:friday", "Did you mean due.before:friday?"),
        ("group:projet", "group:projet", "Did you mean group:project?"),
        ("has:nots", "has:nots", "Did you mean has:notes?"),
        ("view:cals", "view:cals", "Did you mean view:calls?"),
        ("priority:hgih", "priority:hgih", "Did you mean priority:high?"),
        ("!hgih", "!hgih", "Did you mean !high?"),
        ("!urgent", "!urgent", "To exclude a word, write: not urgent"),
        ("sort:due sort:title", "sort:title", "Separate several fields"),
        ("tag<5", "tag<5", "Only days, priorities and estimates can be compared"),
        ("priority>high", "priority>high", "none, low, medium, high"),
        ("id:3,x", "id:3,x", "id:3,5,7-9"),
        ("view:broken", "view:broken", "Examples: due.before:friday"),
    ],
)
def test_hint_has_suggestions(text: str, word: str, hint: str) -> None:
    (found,) = read(text).problems
    assert found.word == word
    assert hint in (found.hint or "")
