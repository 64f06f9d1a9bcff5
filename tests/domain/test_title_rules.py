"""Tables of rules for phrases in titles: each example is judged by its own row."""

from itertools import chain

from todo_tui.domain.dates.combinators import tokenize
from todo_tui.domain.dates.title_grammar import title_phrase
from todo_tui.domain.dates.title_rules import END_RULES, START_RULES, PossibleDate, TitleRule


def _row_that_judges(rules: tuple[TitleRule, ...], example: str) -> set[int]:
    before, _, rest = example.partition("[")
    inside, _, after = rest.partition("]")
    phrase = tokenize(inside)
    readings = [entry for entry, stop in title_phrase.read(phrase, 0) if stop == len(phrase)]
    hour_known = after.split()[-2:-1] == ["at"]
    dates = [
        PossibleDate(entry, phrase, tokenize(before), tokenize(after), hour_known)
        for entry in readings
    ]
    return {next(at for at, row in enumerate(rules) if row[2](date)) for date in dates}


def test_each_example_is_judged_by_its_own_row() -> None:
    wrong = [
        (example, rows)
        for rules in (END_RULES, START_RULES)
        for at, (_, examples, _) in enumerate(rules)
        for example in examples.split(" | ")
        if at not in (rows := _row_that_judges(rules, example))
    ]
    assert not wrong
    examples = [row[1].split(" | ") for row in chain(END_RULES, START_RULES)]
    assert len(set(chain(*examples))) == len([*chain(*examples)]), "each example stands once"
