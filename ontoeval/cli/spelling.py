"""`option_spelling`: {parameter} in a message of the library as --option of the running command; special names."""

from __future__ import annotations

import click

from ontoeval.errors import text_for

# functions and parameters of the library whose command or option has another name; = with a value
_COMMANDS = {
    "Corpus.from_labels()": "a corpus of labels",
    "Corpus.from_spans()": "a corpus of spans",
    "Ontology.with_counts()": "--counts FILE",
    "load_mapping()": "a mapping file",
    "Store()": "`ontoeval store`",
    "Store.load()": "`ontoeval store import`",
    "columns_of_gold": "--gold-columns",
    "columns_of_gold=": "--gold-columns {value}",
    "gold_columns=": " --gold-columns {value}",  # behind --columns
    "named_queries()": "`ontoeval query --list`",
    "query()=": "--param {value}",
    "skip_unknown=": "--unknown drop",
    "target": "-o",
    "target=": "-o {value}",
    "write_scores()": "`-o`",
    "write_scores()=": "`ontoeval compare ... --store {value}`",
}
_ELSEWHERE = {"format": "--input-format", "threshold": "--min-score"}  # where no option has the name
_WORDS = {  # parameters that are words of one option
    "transitive": "--skos transitive", "mappings": "--skos mappings", "close_match": "--skos close",
    "strict_instances": "--ambiguous-instances drop",
}  # fmt: skip


def option_spelling(parameter: str, value: str | None) -> str:
    """A parameter of the library as the option of the command that is running: `--input-format`, `--unknown drop`."""
    command_line = _COMMANDS.get(parameter if value is None else f"{parameter}=")
    if command_line is not None:
        return command_line.format(value=value)
    if parameter in _WORDS and value in (None, "True"):
        return _WORDS[parameter]
    context: click.Context | None = click.get_current_context(silent=True)
    command = context.command if context is not None else None
    if context is not None and isinstance(command, click.Group) and context.invoked_subcommand is not None:
        command = command.get_command(context, context.invoked_subcommand)
    options = {p.name: p.opts for p in (command.params if command is not None else ()) if isinstance(p, click.Option)}
    spellings = options.get(parameter) or options.get(f"{parameter}s")
    elsewhere = _ELSEWHERE.get(parameter, f"--{parameter.replace('_', '-')}")
    option = spellings[0] if spellings else elsewhere  # the spelling that is declared first: -m
    return option if value is None or value == "True" else f"{option} {value}"


def spelled(text: str) -> str:
    """A note or reason of the library with its parameters as options."""
    return text_for(text, option_spelling)
