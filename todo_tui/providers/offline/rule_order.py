"""The order in which rules are tried: the first that reads a clause has it."""

from __future__ import annotations

from todo_tui.providers.offline import (
    add_rules,
    ask_rules,
    dependency_rules,
    field_rules,
    finish_rules,
    group_rules,
    limit_rules,
    link_questions,
    order_rules,
    pausing_rules,
    search_rules,
    series_rules,
    show_rules,
    subtask_rules,
    talk_rules,
    time_rules,
    view_rules,
)
from todo_tui.providers.offline.pattern import Rule


def _changes() -> tuple[Rule, ...]:
    groups = (
        pausing_rules.PAUSING,
        pausing_rules.ENDING,
        series_rules.SERIES,
        series_rules.REMARKS,
        subtask_rules.FAMILY_FINISHING,
        dependency_rules.UNBLOCKING,
        subtask_rules.NESTING,
        order_rules.SWAPPING,
        series_rules.PLACING,
        time_rules.REPEATS,
        field_rules.NOTES,
        field_rules.TAGS,
        time_rules.POINTING,
        time_rules.SCHEDULING,
        time_rules.DATES,
        dependency_rules.BLOCKING,
        field_rules.PRIORITIES,
        finish_rules.REMOVING,
        field_rules.PROJECTS,
        field_rules.RENAMES,
        finish_rules.FINISHING,
        finish_rules.DELETING,
        finish_rules.MOVING,
        field_rules.REWORDING,
        pausing_rules.STOPPING,
    )
    return tuple(rule for group in groups for rule in group)


STATEMENTS = tuple(rule for rule in _changes() if rule.pattern.startswith("{ref}"))
COMMANDS = tuple(rule for rule in _changes() if not rule.pattern.startswith("{ref}"))
ADD_CHANGES = tuple(rule for rule in COMMANDS if "add" in rule.pattern)
OTHER_COMMANDS = tuple(rule for rule in COMMANDS if "add" not in rule.pattern)

TALK = (*talk_rules.TALKING, *talk_rules.STEPPING)
HELP = talk_rules.HELPING
ADD = (
    *add_rules.SELF_NOTES,
    *ADD_CHANGES,
    *subtask_rules.ADDING_BELOW,
    *add_rules.ADDING,
)
QUESTIONS = (
    *ask_rules.TIME,
    *view_rules.ARRANGING,
    *limit_rules.LIMITS,
    *link_questions.WHY,
    *link_questions.LINK_QUESTIONS,
    *link_questions.ABLE_QUESTIONS,
    *series_rules.COMING,
    *view_rules.UNFILTERING,
    *view_rules.SHOWING_VIEWS,
    *ask_rules.NEXT,
    *ask_rules.COUNTING,
    *ask_rules.GROUPING,
    *ask_rules.EXISTING,
    *search_rules.SEARCHING,
    *show_rules.SHOWING,
    *ask_rules.LISTING,
)
ANSWERABLE = (*TALK, *HELP, *QUESTIONS)
SPOKEN = (
    *TALK,
    *HELP,
    *finish_rules.NEGATED,
    *finish_rules.UNFINISHED,
    *view_rules.RESTORING,
    *view_rules.PURGING,
    *view_rules.SAVING,
    *view_rules.UNFILTERING,
    *limit_rules.LIMITS,
    *view_rules.ARRANGING,
    *group_rules.WHOLE_PROJECTS,
    *ADD,
    *OTHER_COMMANDS,
    *QUESTIONS,
)
