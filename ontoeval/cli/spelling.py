"""How the command line spells the parameters that the library's messages name."""

from __future__ import annotations

import click

from ontoeval.errors import text_for


def option_spelling(parameter: str, value: str | None) -> str:
    """A parameter of the library as the option of the command that is running: `--input-format`, `--unknown drop`."""
    context: click.Context | None = click.get_current_context(silent=True)
    command = context.command if context is not None else None
    if context is not None and isinstance(command, click.Group) and context.invoked_subcommand is not None:
        command = command.get_command(context, context.invoked_subcommand)
    options = {p.name: p.opts for p in (command.params if command is not None else ()) if isinstance(p, click.Option)}
    option = options.get(parameter, [f"--{parameter.replace('_', '-')}"])[0]  # the spelling that is declared first
    return option if value is None else f"{option} {value}"


def spelled(text: str) -> str:
    """A note or reason of the library with its parameters as options."""
    return text_for(text, option_spelling)
