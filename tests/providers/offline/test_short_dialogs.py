"""Short dialogs with the built-in assistant: the last answer, in full or in part."""

from __future__ import annotations

from tests.providers.offline.conftest import Begin
from tests.rows import each_row

ADDED = (
    "add call dentist 26 nov 9:30 #work",
    "add pay rent every month on the 28th",
    "add book flights friday #work",
    "add buy milk",
    "add buy eggs @shopping",
)
"""Tasks 1 to 5, on Wed 18 Nov."""
UNDO_ALL = (
    "Nothing was changed. Undo and redo take the newest change first, or several: “undo the last 3 "
    "changes”. In the app, `/changes` lists all changes."
)


@each_row(
    ("dialog", "answer"),
    [
        ("add haircut friday | her name is Fleur, please write it down",
         "Added a note to Haircut."),
        ("book flights will have to wait till the 9th", "Changed Book flights: due Wed 9 Dec."),
        ("hide book flights until 4 dec",
         "Changed Book flights: due Fri 4 Dec, hidden until Fri 4 Dec."),
        ("mark book flights high or I'll forget it", "Changed Book flights: high priority."),
        ("put 4pm on book flights so I don't leave it till midnight",
         "Changed Book flights: due Fri 20 Nov 16:00."),
        ("what is in work? | move them to monday, the flights can stay",
         "Changed Call dentist: due Mon 23 Nov 09:30."),
        ("new repair: bike with a noisy hub",
         "Added Bike with a noisy hub (#6). Say “undo” to remove it."),
        ("a task without date please: find cheap ink",
         "Added Find cheap ink (#6). Say “undo” to remove it."),
        ("remember me on monday at 9 that I call mum",
         "Added Call mum (#6), due Mon 23 Nov 09:00. Say “undo” to remove it."),
        ("staff meeting every monday 3.45pm till further notice",
         "Added Staff meeting (#6), due Mon 23 Nov 15:45, repeats every Monday. …"),
        ("on the 8th of december at 7am I have a blood test, I must not eat before",
         "Add “Blood test” (Tue 8 Dec 07:00)? [yes/no]"),
        ("add bread | Actually no, never mind, I have some", "Undone: “Added Bread”."),
        ("complete milk | oops no it was the eggs I bought, not the milk",
         "Undone: “Completed Buy milk”.\n\nCompleted Buy eggs."),
        ("complete milk and eggs | oh sorry, eggs not yet! Only the milk.",
         "Reopened Buy eggs."),
        ("cancel buy milk | undo", "Undone: “Cancelled Buy milk”."),
        ("cancel buy milk | undo | redo", "Redone: “Cancelled Buy milk”."),
        ("delete buy milk | bring it back", "Restored Buy milk."),
        ("cancel buy milk | reopen buy milk | undo", "Undone: “Reopened Buy milk”."),
        ("cancel buy milk | cancel buy milk", "Buy milk is unchanged."),
        ("start buy milk | start buy milk", "Buy milk is unchanged."),
        ("rename buy milk to Buy milk", "Buy milk is unchanged."),
        ("buy milk no longer repeats", "Buy milk is unchanged."),
        ("block buy milk by buy eggs | block buy milk by buy eggs", "Buy milk is unchanged."),
        ("move milk and eggs to friday | move milk and eggs to friday",
         "Buy milk and Buy eggs are unchanged."),
        ("uff what a rain today", "I didn't understand that. …"),
        ("postpone everything in #work by 3 days",
         "Changed Book flights and Call dentist:\n\n- Book flights · Mon 23 Nov · #work (#3)…"),
        ("skip pay rent in january",
         "Only the next occurrence can be skipped; the next one of Pay rent (#2) is Sat 28 Nov,"
         " not from 1 Jan 2027 to 31 Jan 2027. Skip it? [yes/no]"),
        ("cancel pay rent on 28 dec",
         "Only the next occurrence can be skipped; the next one of Pay rent (#2) is Sat 28 Nov,"
         " not on Mon 28 Dec. Skip it? [yes/no]"),
        ("buy milk done, eggs too", "Complete Buy milk (#4) and Buy eggs (#5)? [yes/no]"),
        ("I bought milk, no eggs",
         "I could not use “no”. Complete Buy milk (#4) and Buy eggs (#5)? [yes/no]"),
        ("bought milk but no eggs", "Complete Buy milk (#4)? [yes/no]"),
        ("the flights are done for today", "Completed Book flights."),
        ("the flights must be done by monday", "Changed Book flights: due Mon 23 Nov."),
        ("work tasks next week", "1 task due next week (Mon 23 Nov – Sun 29 Nov) in #work:…"),
        ("flights at 10:30", "Change Book flights (#3): at 10:30? [yes/no]"),
        ("call at 5",
         "Call dentist (#1) is already on the list. Add “Call” (today 17:00)? [yes/no]"),
        ("add yoga every friday at 9 | until christmas",
         "Changed Yoga: repeats every Friday until 25 Dec 2026."),
        ("no rent over christmas",
         "Only the next occurrence can be skipped; the next one of Pay rent (#2) is Sat 28 Nov, not"
         " on Fri 25 Dec. Skip it? [yes/no]"),
        ("move pay rent to 5 jan",
         "It is also due Mon 28 Dec. Change Pay rent (#2): 5 Jan 2027? [yes/no]"),
        ("from january on, rent is on the 3rd of every month",
         "I could not use “from january on”. …"),
        ("I called the dentist but nobody answered",
         "I could not use “nobody”. Complete Call dentist (#1)? [yes/no]"),
        ("move all short work tasks to monday",
         "I could not use “short”. Change Book flights (#3) and Call dentist (#1): Mon 23 Nov?"
         " [yes/no]"),
        ("give the flights 2 hours",
         "I could not use “2 hours”. Change Book flights (#3): 2 hours later? [yes/no]"),
        ("choir evening tuesday 19:30", "Added Choir evening (#6), due Tue 24 Nov 19:30. …"),
        ("complete eggs | milk depends on the eggs",
         "Nothing blocks Buy milk: Buy eggs (#5) is closed already."),
        ("I bought the milk yesterday, next time in three weeks",
         "I could not use “in three weeks”. Complete Buy milk (#4)? [yes/no]"),
        ("the milk can be bought by Tom",
         "I found Buy milk (#4), but not what to do. Nothing changed."),
        ("mum is coming on friday", "Add “Mum is coming” (Fri 20 Nov)? [yes/no]"),
        ("the dentist has an appointment on friday",
         "I could not use “appointment”. Change Call dentist (#1): Fri 20 Nov 09:30? [yes/no]"),
        ("skip pay rent in november", "Skipped Pay rent. Next: Mon 28 Dec."),
        ("add gym on monday and tuesday 9pm | every week",
         "Added Gym (#6), due Mon 23 Nov 21:00, repeats every Monday and Tuesday. …"),
        ("add gym on monday and tuesday 9pm | no, just this week",
         "1 task due this week (Mon 16 Nov – Sun 22 Nov)…"),
        ("create a project wedding with subtasks: book hall, order cake",
         "Added Wedding (#6), #wedding. …"),
        ("create a task wedding speech with subtasks: write, print",
         "Added Wedding speech (#6). Say “undo” to remove it.\n\nAdded 2 tasks to Wedding sp…"),
        ("the bank says the fee rises in march, add call the bank tuesday and buy stamps",
         "Add “The bank says the fee rises” (1 Mar 2027) and add “Call the bank” (Tue 24 Nov) and"
         " add “Buy stamps”? [yes/no]"),
        ("the final milk is done", "…? [yes/no]"),
        ("first egg depends on the milk",
         "No task matches “first egg”. Nothing changed. Did you mean …"),
        ("delete november's pay rent",
         "It repeats every month on the 28th. Delete Pay rent (#2)? [yes/no]"),
        ("skip december's pay rent",
         "Only the next occurrence can be skipped; the next one of Pay rent (#2) is Sat 28 Nov,"
         " not from Tue 1 Dec to Thu 31 Dec. Skip it? [yes/no]"),
        ("purchased eggs", "Completed Buy eggs."),
        ("paid the flights", "Complete Book flights (#3)? [yes/no]"),
        ("plan friday",
         "I plan today, tomorrow or the week: “plan my day”, “plan tomorrow” or “plan my week”."
         " For a task, say “add plan friday”."),
        ("move milk to friday | no, do put it back, it is saturday after all",
         "Undone: “Changed Buy milk”."),
        ("make all work tasks high priority, only the flights not",
         "Changed Call dentist: high priority."),
        ("i must buy also a mixer, old one is broke",
         "…“Buy also a mixer”? [yes/no]"),
        ("move pay rent to the 22nd from now on",
         "Changed Pay rent: due Sun 22 Nov, repeats every month on the 22nd."),
        ("add yoga every other monday 8am | move yoga to tuesday from now on",
         "Changed Yoga: due Tue 24 Nov 08:00, repeats every other Tuesday."),
        ("add gym on tuesday and thursday from 7am",
         "You did not say “every”. Add “Gym” (every Tuesday and Thursday, first tomorrow"
         " 07:00)? [yes/no]"),
        ("weekly review | friday | what next? | today", "No tasks due today (Wed 18 Nov)."),
        ("postpone everything by one day",
         "…2 tasks without a date stay as they are. Change these 3 tasks: 1 day later? [yes/no]"),
        ("postpone everything by one day | yes", "…2 tasks without a date stay as they are."),
        ("postpone everything in work to monday",
         "Changed Book flights: due Mon 23 Nov.\n\n"
         "1 task due later than Mon 23 Nov stays as it is."),
        ("push back call dentist to friday",
         "Call dentist (#1) is due Thu 26 Nov 09:30, later than Fri 20 Nov."
         " Move it anyway? [yes/no]"),
        ("push back call dentist to friday | yes", "Changed Call dentist: due Fri 20 Nov 09:30.…"),
        ("undo all changes from today", UNDO_ALL),
        ("undo today's changes", UNDO_ALL),
        ("undo the date of book flights", UNDO_ALL),
        ("redo everything", UNDO_ALL),
        ("what did you change?", "In the app, `/changes` lists all changes."),
        ("add buy bread | what did you just do?",
         "Your last request here: add “Buy bread”. In the app, `/changes` lists all changes."),
        ("complete buy milk | what did you change?",
         "Your last request here: complete Buy milk (#4). In the app, `/changes` lists all"
         " changes."),
        ("add a task: read chapter 4 for the book club, due sunday evening, 1 hour #reading",
         "Added Read chapter 4 for the book club (#6), due Sun 22 Nov 19:00, 1 h, #reading. …"),
        ("add haircut on friday at 9:30 for 45 minutes",
         "Added Haircut (#6), due Fri 20 Nov 09:30, 45 min. …"),
        ("call dentist on thursday at 9:30 for 45 minutes",
         "Changed Call dentist: due tomorrow 09:30, estimate 45 min.…"),
        ("add meditate for 10 minutes tomorrow",
         "Added Meditate for 10 minutes (#6), due tomorrow. …"),
        ("plan a trip to Rome with subtasks book hotel, get insurance and pack bags",
         "Added Plan a trip to Rome (#6). Say “undo” to remove it.\n\nAdded 3 tasks to Plan a trip"
         " to Rome (#6):\n\n- Book hotel (#7)\n- Get insurance (#8)\n- Pack bags (#9)\n\n…"),
        ("throw a party with steps: cake and music",
         "Added Throw a party (#6). Say “undo” to remove it.\n\nAdded 2 tasks to Throw a party…"),
        ("buy a bike with parts a and b", "…? [yes/no]"),
        ("move call dentist to the afternoon",
         "Changed Call dentist: due Thu 26 Nov 15:00.\n\nAfternoon read as 15:00."),
        ("move book flights to the evening",
         "Changed Book flights: due Fri 20 Nov 19:00.\n\nEvening read as 19:00."),
        ("change pay rent to the 15th",
         "Changed Pay rent: due Tue 15 Dec.\n\nOnly this occurrence moves; the task still repeats"
         " every month on the 28th.…"),
        ("add handouts every monday 8pm | move handouts to sunday 6pm",
         "Changed Handouts: due Sun 22 Nov 18:00.\n\nOnly this occurrence moves; the task still"
         " repeats every Monday at 20:00.…"),
        ("add handouts every day 8pm | move handouts to 9pm",
         "Changed Handouts: due today 21:00.\n\nOnly this occurrence moves; the task still repeats"
         " every day at 20:00.…"),
        ("add handouts every monday 8pm #office | add printing #office"
         " | move everything in #office to tuesday",
         "Changed Handouts and Printing:\n\n- Handouts · Tue 24 Nov 20:00 · every Monday · #office"
         " (#6)\n- Printing · Tue 24 Nov · #office (#7)\n\nHandouts still repeats as before; only"
         " this occurrence moves."),
        ("move call dentist to friday", "Changed Call dentist: due Fri 20 Nov 09:30.…"),
        ("plan a picnic sunday", "Added Plan a picnic (#6), due Sun 22 Nov. …"),
        ("plan next week",
         "I plan today, tomorrow or the week: “plan my day”, “plan tomorrow” or “plan my week”. For"
         " a task, say “add plan next week”."),
        ("add stapler to #work", "Added Stapler (#6), #work. …"),
        ("add stapler and paper to the #office project for friday",
         "Added 2 tasks:\n\n- Stapler · Fri 20 Nov · #office (#6)\n- Paper · Fri 20 Nov"
         " · #office (#7)…"),
        ("put soap on #shopping", "Added Soap (#6), #shopping. …"),
        ("add buy milk to #home", "Changed Buy milk: #home."),
        ("add milk jug to #home", "Added Milk jug (#6), #home. …"),
        ("add call Ann under #work", "Added Call Ann (#6), #work. …"),
        ("add passport under book flights and visa under book flights",
         "Added 2 tasks to Book flights (#3):\n\n- Passport (#6)\n- Visa (#7)…"),
        ("remind me to call the bank on friday, !high #money",
         "Added Call the bank (#6), due Fri 20 Nov, high priority, #money. …"),
        ("add workshop tour on friday | delete everything in work",
         "Deleted Book flights and Call dentist. …"),
        ("add workshop tour on friday | what is in work?",
         "2 tasks in #work:…"),
        ("add buttermilk scones | complete everything with milk", "Completed Buy milk."),
        ("add buttermilk scones | delete all milk tasks", "Deleted Buy milk. …"),
        ("all the zebra ones to monday except the bank one",
         "Nothing on your list mentions “bank one”."),
        ("complete pay rent | pay rent is always on the 3rd from now on",
         "…every month on the 3rd, first Thu 3 Dec? [yes/no]"),
        ("complete pay rent | pay rent is always on the 3rd from now on | yes",
         "Changed Pay rent: due Thu 3 Dec, repeats every month on the 3rd."),
        ("push book flights to monday | belay that, he's only in on tuesdays",
         "I didn't understand that. Undo my last change (change Book flights (#3): Mon 23 Nov)?"
         " [yes/no]"),
        ("push book flights to monday | belay that, he's only in on tuesdays | yes",
         "Undone: “Changed Book flights”."),
        ("add bread | not the sourdough kind | no", "OK, nothing changed."),
        ("complete eggs | I like dogs",
         "I didn't understand that. Try “add buy milk tomorrow”, or connect a model (F2 in the"
         " app)."),
        ("don't book flights on monday",
         "I found Book flights (#3), but not what to do with “don't”. Nothing changed."),
        ("never pay rent on a sunday",
         "I found Pay rent (#2), but not what to do with “never”. Nothing changed."),
        ("I am not calling the dentist on friday", "…Nothing changed."),
        ("stop booking flights in march", "…Nothing changed."),
        ("don't book flights until monday", "Changed Book flights: due Mon 23 Nov.…"),
        ("Tom can book flights", "…? [yes/no]"),
        ("create a project roof garden",
         "A project begins with its first task: say “add book the hall #party”, or “create a"
         " project party with the tasks book the hall and invite friends”."),
        ("create a project called spring show with the tasks book the hall, print programmes",
         "Added Spring show (#6). Say “undo” to remove it.\n\nAdded 2 tasks to Spring show (#6):…"),
        ("work tasks due next week", "1 task due next week (Mon 23 Nov – Sun 29 Nov) in #work:…"),
        ("work tasks due friday", "1 task due Fri 20 Nov in #work:…"),
        ("everything in work due on monday", "No tasks due Mon 23 Nov in #work.…"),
        ("work due next week", "1 task due next week (Mon 23 Nov – Sun 29 Nov) in #work:…"),
        ("move all tasks to friday", "…Change these 5 tasks: Fri 20 Nov? [yes/no]"),
    ],
)  # fmt: skip
async def test_a_dialog_ends_with_a_true_answer(begin: Begin, dialog: str, answer: str) -> None:
    harness = await begin(*ADDED)
    harness.conversation_id = None
    for message in dialog.split(" | "):
        said = (await harness.finished(message)).outcome.answer.replace("**", "")

    if answer.startswith("…"):
        said = said[-len(answer[1:]) :]
    elif answer.endswith("…"):
        said = said[: len(answer) - 1]
    assert said == answer.strip("…")
