"""Questions about tasks are answered by what is true of them."""

from __future__ import annotations

from tests.providers.offline.conftest import Begin
from tests.rows import each_row

STANDUP = "add standup every weekday 9:15"
KIDS = "add buy boots tomorrow #kids\nadd school play 10 dec #kids"
BOTH_LATER = "Later:\n\n- Buy boots · tomorrow · #kids (#1)\n- School play · Thu 10 Dec"


async def _answer(begin: Begin, adds: str, question: str) -> str:
    """Return the answer to a question in a conversation of its own, after some additions."""
    harness = await begin(*adds.splitlines())
    harness.conversation_id = None
    return (await harness.finished(question)).outcome.answer.replace("**", "")


@each_row(
    ("adds", "question", "begins"),
    [
        (STANDUP, "do I have a standup on friday?", "Yes: "),
        (STANDUP, "is the standup on 10 december?", "Yes: "),
        (STANDUP, "do I have a standup next week?", "Yes: "),
        (STANDUP, "do I have a standup on sunday?", "No: "),
        (STANDUP, "is there a standup this weekend?", "No: "),
        ("add standup friday", "do I have a standup on monday?", "No: "),
        (KIDS, "what do I have to do for the kids today?",
         f"No tasks due today (Wed 18 Nov) in #kids. {BOTH_LATER}"),
        (KIDS, "how many kids tasks are due today?",
         "No tasks due today (Wed 18 Nov) in #kids. Later:"),
        (KIDS, "what do I have to do for the school play this week?",
         "No tasks due this week (Mon 16 Nov – Sun 22 Nov) with “school” and “play”."
         " Later:\n\n- School play"),
        (KIDS, "what do I have to do for the kids this week?", "1 task "),
        (KIDS, "do I have to buy boots today?", "No: Buy boots"),
        (KIDS, "school play friday?", "School play (#2) is open: due Thu 10 Dec"),
        ("add buy boots #kids", "what's overdue for the kids?",
         "No overdue tasks in #kids. Others:\n\n- Buy boots"),
        (KIDS, "what did I do for the kids this week?",
         "No tasks completed this week (Mon 16 Nov – Sun 22 Nov) in #kids."),
    ],
)  # fmt: skip
async def test_a_question_of_days_is_answered_by_the_dates_of_tasks(
    begin: Begin, adds: str, question: str, begins: str
) -> None:
    assert (await _answer(begin, adds, question)).startswith(begins)


BILLS = "add electricity bill 10 dec\nadd visit the parents 3 dec"
CONCERT = "add buy strings for the concert\nadd practise for the concert friday\nadd buy milk"


@each_row(
    ("adds", "question", "begins"),
    [
        (BILLS, "when is the electricity bill due next?", "Electricity bill (#1) is open: due Thu"),
        (BILLS, "when is the electricity bill due again?", "Electricity bill (#1) is open: due Th"),
        (BILLS, "what about the rent?", "Nothing on your list mentions “rent”."),
        (BILLS, "what about the parents?", "Visit the parents (#2) is open"),
        (BILLS, "find rent", "1 task with “rent”"),
        (CONCERT, "what can I do next for the concert?",
         "2 tasks, most urgent first:\n\n- Practise for the concert"),
        (CONCERT, "what's next for the concert?", "2 tasks, most urgent first:"),
        (CONCERT, "what should I do first for the wedding?", "Nothing on your list mentions"),
        (CONCERT, "done, yesterday", "No tasks completed yesterday (Tue 17 Nov)."),
        (CONCERT, "what did I finish last week?",
         "No tasks completed last week (Mon 9 Nov – Sun 15 Nov)."),
        (CONCERT, "what did I finish in the last 7 days?",
         "No tasks completed in the last 7 days (Thu 12 Nov – Wed 18 Nov)."),
        (CONCERT, "what can you do?", "Just say what you want"),
    ],
)  # fmt: skip
async def test_a_question_is_answered_by_the_tasks_that_it_is_about(
    begin: Begin, adds: str, question: str, begins: str
) -> None:
    assert (await _answer(begin, adds, question)).startswith(begins)


REPEATING = "add gym every mon and thu\nadd standup every weekday 9:15\nadd stretch daily"


@each_row(
    ("question", "repeats"),
    [
        ("what's due in the next 7 days?",
         "Stretch (#3) Thu 19 Nov to Tue 24 Nov; Standup (#2) Fri 20 Nov, Mon 23 Nov and"
         " Tue 24 Nov; Gym (#1) Mon 23 Nov."),
        ("what is due next week?",
         "Stretch (#3) Mon 23 Nov to Sun 29 Nov; Standup (#2) Mon 23 Nov to Fri 27 Nov; Gym (#1)"
         " Mon 23 Nov and Thu 26 Nov."),
        ("what's due before saturday?",
         "Stretch (#3) Thu 19 Nov and Fri 20 Nov; Standup (#2) Fri 20 Nov."),
        ("what do I have this weekend?", "Stretch (#3) Sat 21 Nov and Sun 22 Nov."),
        ("what's due by 4 dec?",
         "Stretch (#3) Thu 19 Nov to Fri 4 Dec; Standup (#2) Fri 20 Nov, Mon 23 Nov to"
         " Fri 27 Nov and Mon 30 Nov to Fri 4 Dec; Gym (#1) Mon 23 Nov, Thu 26 Nov, Mon 30 Nov and"
         " Thu 3 Dec."),
        ("what's due today?", ""),
        ("plan my week",
         "Stretch (#3) Thu 19 Nov to Tue 24 Nov; Standup (#2) Fri 20 Nov, Mon 23 Nov and"
         " Tue 24 Nov; Gym (#1) Mon 23 Nov."),
    ],
)  # fmt: skip
async def test_what_comes_again_on_the_days_asked_for_is_named_with_its_days(
    begin: Begin, question: str, repeats: str
) -> None:
    answer = await _answer(begin, REPEATING, question)
    assert answer.partition("Coming repeats: ")[2] == repeats
