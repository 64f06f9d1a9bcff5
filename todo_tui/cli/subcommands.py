"""Commands that have commands of their own: `config show`, `keys set`."""

from __future__ import annotations

import click

from todo_tui.cli.options import TodoCommand


class TodoGroup(TodoCommand, click.Group):
    """A command that only leads to others; they are listed in the order of their making."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in their order."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands where others have their options."""
        self.format_commands(ctx, formatter)
        super().format_options(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; what was typed in its place is not repeated, it may be a key."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            ctx.fail(f"Say one of: {', '.join(self.commands)}.")
        return super().resolve_command(ctx, args)
