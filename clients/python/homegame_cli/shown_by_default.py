"""Subcommands of which `show` may be left out: `homegame games stud` is `homegame games show stud`."""

from typing import Any

from typer.core import TyperGroup


class ShowsByDefault(TyperGroup):
    """A group whose first word is a name where it is none of its commands."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - the command line library's own types
        """Find the command, `show` where none is named."""
        words = args if args[0] in self.commands else ["show", *args]
        return super().resolve_command(ctx, words)
