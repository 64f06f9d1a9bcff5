"""The parameters that tools share: their types, and what the model is told of them."""

from __future__ import annotations

from typing import Annotated, Literal

from todo_tui.tools.arguments import About, read_id_or_none, read_ids, read_names, read_word

Ids = Annotated[list[int] | None, About(read=read_ids, example="a list of ids, such as [3, 4]")]
Those = Annotated[
    str | None, About("Instead of ids: all that fit, as in list_tasks", example="text")
]
Guard = Annotated[str | None, About("The present title, as a check", example="text")]
Words = Annotated[str | None, About(example="text")]
Due = Annotated[str | None, About('"next fri 5pm", "every monday"', example="text")]
NewDue = Annotated[
    str | None, About('Also relative to the present one: "1 week later"', example="text")
]
Repeat = Annotated[str | None, About('"every 2 weeks"; "every!": from completion', example="text")]
NewRepeat = Annotated[
    str | None,
    About(
        '"skip" goes on to the next date, also "skip 2", "skip until 1 may"; "none" ends the '
        "series",
        example="text",
    ),
]
Start = Annotated[str | None, About("Hidden until then", example="text")]
Names = Annotated[
    list[str] | None, About(read=read_names, example='a list such as ["home", "work"]')
]
Notes = Annotated[str | None, About('Replaces; "+ text" adds a line', example="text")]
Weight = Annotated[
    Literal["high", "medium", "low", "none"] | None,
    About(read=read_word, example="high, medium, low or none"),
]
State = Annotated[
    Literal["todo", "doing", "cancelled"] | None,
    About(read=read_word, example="todo, doing or cancelled; complete_task is for done"),
]
Parent = Annotated[
    int | None,
    About("Id of the task that it is part of", read=read_id_or_none, example="an id"),
]
NewParent = Annotated[
    int | None,
    About("Moves the whole subtree; 0: out of any", read=read_id_or_none, example="an id, or 0"),
]
Blockers = Annotated[
    list[int] | None, About("Ids that it waits for", read=read_ids, example="ids, such as [3]")
]
MoreIds = Annotated[list[int] | None, About(read=read_ids, example="ids, such as [3]")]
Position = Annotated[
    str | None,
    About('Manual order: "before 3", "after 3", "top", "bottom"', example="text"),
]
Remark = Annotated[str | None, About("A dated remark", example="text")]
Subtasks = Annotated[
    Literal["close", "leave"] | None,
    About("Where some are open: ask the user", read=read_word, example="close or leave"),
]
