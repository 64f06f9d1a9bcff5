"""The grammar: what single clauses and whole messages mean, before anything is looked up."""

from __future__ import annotations

from datetime import datetime
from types import ModuleType

import pytest

from todo_tui.domain.filters.parser import parse_filter
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.clauses import split_clauses
from todo_tui.providers.offline.dates import Dates
from todo_tui.providers.offline.filters import read_asked
from todo_tui.providers.offline.grammar import Grammar
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Claim,
    Deed,
    Help,
    Intent,
    Leave,
    Offer,
    Shape,
    Show,
    StepBack,
    Talk,
    TellTime,
    Unknown,
    WhatNext,
)
from todo_tui.providers.offline.references import (
    ById,
    ByKind,
    ByName,
    ByPlace,
    ByPointing,
    Reference,
    read_reference,
)
from todo_tui.providers.offline.rules import (
    add as add_rules,
)
from todo_tui.providers.offline.rules import (
    completion as finish_rules,
)
from todo_tui.providers.offline.rules import (
    conversation as talk_rules,
)
from todo_tui.providers.offline.rules import (
    fields as field_rules,
)
from todo_tui.providers.offline.rules import (
    fields as time_rules,
)
from todo_tui.providers.offline.rules import (
    questions as ask_rules,
)
from todo_tui.providers.offline.rules import (
    questions as search_rules,
)
from todo_tui.providers.offline.rules.pattern import Rule

NOW = datetime(2026, 11, 18, 14, 30)
DATES = Dates(NOW, DateStyle())
GRAMMAR = Grammar(DATES)


@pytest.mark.parametrize(
    ("clause", "intent"),
    [
        ("add buy milk", Add("buy milk")),
        ("please remind me to call mom", Add("call mom")),
        ("I need to renew my passport", Add("renew my passport")),
        ("I called mom", Claim("call", "mom", "I called mom")),
        ("mark milk and plants as done", Act(Deed.COMPLETE, "milk and plants")),
        ("reopen the milk", Act(Deed.REOPEN, "the milk")),
        ("delete the dentist task", Act(Deed.DELETE, "the dentist task")),
        ("delte the dentist", Act(Deed.DELETE, "the dentist")),
        ("rename milk to oat milk", Act(Deed.RENAME, "milk", "oat milk")),
        ("move the talk to Bob to friday", Act(Deed.DUE, "the talk to Bob", "friday")),
        ("postpone the report by a week", Act(Deed.SHIFT, "the report", "a week later")),
        ("remove the due date from rent", Act(Deed.DUE, "rent", "none")),
        ("set the report to high priority", Act(Deed.PRIORITY, "the report", "high")),
        ("tag pay rent with home and money", Act(Deed.TAG, "pay rent", "home,money")),
        ("put milk in project errands", Act(Deed.FILE, "milk", "errands")),
        ("add a note to rent: account 12", Act(Deed.NOTE, "rent", "account 12")),
        ("make rent repeat every month", Act(Deed.REPEAT, "rent", "every month")),
        ("what's due this week?", Ask(Shape.LIST, "due this week")),
        ("how many are overdue?", Ask(Shape.COUNT, "are overdue")),
        ("find anything about the report", Ask(Shape.SEARCH, "report")),
        ("when is the dentist?", Show("the dentist", "due")),
        ("what should I do first?", WhatNext()),
        ("undo that", StepBack()),
        ("redo", StepBack(redo=True)),
        ("undo the last 2 changes", StepBack(2)),
        ("what day is it?", TellTime()),
        ("how do I delete a task?", Help("delete a task")),
        ("don't delete the milk", Leave("the milk")),
        ("thank you!", Talk("thanks")),
        ("did I add the dentist?", Show("the dentist", "status")),
        ("is the plumber still on for friday", Show("the plumber", "due")),
        ("what notes does the gift card have", Show("the gift card")),
        ("how did I do this week", Ask(Shape.COUNT, "done this week")),
        ("what's the plan for tomorrow", Ask(Shape.LIST, "tomorrow")),
        ("list everything due before december", Ask(Shape.LIST, "everything due before december")),
        ("change the time of lunch to 1pm", Act(Deed.DUE, "lunch", "1pm")),
        ("mom's birthday is on 3 december", Act(Deed.DUE, "mom's birthday", "on 3 december")),
        ("shopping list: figs, dates", Add("figs, dates", "#shopping")),
        ("new project kitchen: order tiles", Add("order tiles", "#kitchen")),
        ("tomorrow I have a dentist visit at 9am", Offer("dentist visit at 9am tomorrow")),
        ("schedule a talk with Al and Bo on friday", Add("talk with Al and Bo friday")),
        ("buy milk tomorrow", Offer("buy milk tomorrow")),
    ],
)
def test_a_clause_means(clause: str, intent: Intent) -> None:
    assert intent in [reading.intent for reading in GRAMMAR.read(clause)]


@pytest.mark.parametrize(
    "clause",
    [
        "I think the movie was great",
        "write me a poem about the sea",
        "what's the capital of France?",
        "undone is a word",
        "the list of gifts is long",
        "she deleted her account",
        "",
    ],
)
def test_chatter_is_no_command(clause: str) -> None:
    for reading in GRAMMAR.read(clause):
        assert isinstance(reading.intent, Unknown | Claim)
        assert not (isinstance(reading.intent, Claim) and not reading.intent.others)


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("add milk and complete rent", ["add milk and complete rent"]),
        ("add milk and mark rent as done", ["add milk", "mark rent as done"]),
        ("I called mom. Add flowers tomorrow", ["I called mom.", "Add flowers tomorrow"]),
        ("add call Dr. Smith tomorrow", ["add call Dr. Smith tomorrow"]),
        ("mark milk and plants as done", ["mark milk and plants as done"]),
        ("move a to friday and b to monday", ["move a to friday", "move b to monday"]),
        ("delete milk, add cheese", ["delete milk", "add cheese"]),
        ("add a note to rent: pay. And call.", ["add a note to rent: pay. And call."]),
        ("add milk\nadd eggs", ["add milk", "add eggs"]),
        ("add:\n- milk\n- eggs", ["add:\n- milk\n- eggs"]),
        (
            "tomorrow I have a talk and I need to buy a tie",
            ["tomorrow I have a talk", "I need to buy a tie"],
        ),
        ("schedule lunch with Al and Bo on friday", ["schedule lunch with Al and Bo on friday"]),
        (
            "I need to get milk and bread today, remind me to call Al and rent is due monday",
            [
                "I need to get milk and bread today",
                "remind me to call Al",
                "rent is due monday",
            ],
        ),
    ],
)
def test_a_message_is_cut_into_clauses(message: str, clauses: list[str]) -> None:
    assert list(split_clauses(message, GRAMMAR)) == clauses


@pytest.mark.parametrize(
    ("words", "reference"),
    [
        *(("#3", ById((3,))), ("task 3", ById((3,))), ("1, 2 and 5", ById((1, 2, 5)))),
        *(("the second one", ByPlace((1,))), ("the last one", ByPlace((-1,)))),
        *(("the first two", ByPlace((0, 1))), ("the last 2", ByPlace((-2, -1)))),
        *(("it", ByPointing(many=False)), ("both", ByPointing(many=True, words="both"))),
        ("this one", ByPointing(many=False, selected=True, words="this one")),
        *(("everything", ByKind("")), ("all overdue tasks", ByKind("all overdue tasks"))),
        *(("the milk", ByName("the milk")), ("2 apples", ByName("2 apples"))),
    ],
)
def test_words_point_at_tasks(words: str, reference: Reference) -> None:
    assert read_reference(words, DATES) == reference


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("overdue tasks", "overdue"),
        ("high priority tasks due this week", 'priority:high due:"this week"'),
        ("tasks tagged work and home", "(@work or @home)"),
        ("tasks without a date", "no due"),
        ("due by friday", "due.by:friday"),
        ("did I finish today", "done completed:today"),
        ("my open tasks", ""),
        ("waiting", "waiting"),
    ],
)
def test_a_description_becomes_a_filter_that_can_be_read(description: str, expected: str) -> None:
    asked = read_asked(description, DATES)
    assert asked.filter == expected
    assert not asked.rest
    parse_filter(asked.filter, NOW, DateStyle())


@pytest.mark.parametrize(
    "module",
    [add_rules, ask_rules, field_rules, finish_rules, search_rules, talk_rules, time_rules],
)
def test_every_pattern_compiles(module: ModuleType) -> None:
    groups = [value for value in vars(module).values() if isinstance(value, tuple)]
    rules = [rule for group in groups for rule in group if isinstance(rule, Rule)]
    assert rules
    for rule in rules:
        assert rule.parts
