"""`Option`, `Command`, `Group`: help in groups, `--help-all`, old spellings; the steps of a command imported on use."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from ontoeval.cli.settings import TYPED, read_settings, report_settings
from ontoeval.cli.state import note
from ontoeval.errors import did_you_mean

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 82}  # click leaves 2 columns free
WIDEST = 26  # column of the names of options
GROUPS = (
    "Input", "Damage", "Matching", "Scores", "Statistics", "Output", "Options", "Loading", "Instances", "Global",
)  # fmt: skip


class Option(click.Option):
    """An option in a group of the help; a rare one is listed by --help-all only."""

    def __init__(self, *names: str, group: str, rare: bool = False, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.group, self.rare = group, rare
        self.settings_group = group  # a settings file knows it by this one, wherever the help shows it

    @property
    def value_is_optional(self) -> bool:
        return not self.is_flag and self._flag_needs_value

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The value before a callback changes it is kept for --show-settings."""
        value = super().type_cast_value(ctx, value)
        ctx.meta.setdefault(TYPED, {})[self.name] = value
        return value

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Names and value; what it does, with the default in brackets."""
        if self.hidden:
            return None
        names = ", ".join([*self.opts, *self.secondary_opts])
        choices = isinstance(self.type, click.Choice) and self.metavar is None
        metavar = "|".join(map(str, self.type.choices)) if choices else self.make_metavar(ctx)  # type: ignore[attr-defined]
        value = "" if self.is_flag or self.count else f" {metavar}"
        default = f" [{self.get_default(ctx)}]" if self.show_default and not self.is_flag else ""
        return f"{names}{value}", f"{self.help or ''}{default}"


class Command(click.Command):
    """A command that is declared as data; `steps` is the file in steps/ and the function that does the work."""

    def __init__(
        self,
        name: str,
        summary: str,
        parameters: Sequence[click.Parameter],
        *,
        steps: str,
        about: str = "",
        examples: str = "",
        old: Mapping[str, str] | None = None,
        arguments_needed: bool = True,
    ) -> None:
        """`old`: old spellings of options, each with what it is now: {"--strict": "--unknown error"}."""
        everything = [*parameters, *_global_options(), _help_all_option()]
        super().__init__(
            name, params=everything, callback=self._run, help=summary, no_args_is_help=arguments_needed,
            context_settings={**CONTEXT},
        )  # fmt: skip
        self.steps, self.about, self.examples = steps, about, examples
        self.old = {spelling: now.split() for spelling, now in (old or {}).items()}

    def _run(self, **values: Any) -> Any:
        file, _, function = self.steps.partition(":")
        run = getattr(import_module(f"ontoeval.cli.steps.{file}"), function or file)
        report_settings(click.get_current_context())
        return run(**values)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> click.Context:
        """With the settings of a file as defaults; old spellings are replaced before anything is parsed."""
        _look_for_quiet(args)
        args = self.in_todays_spelling(args)
        extra["default_map"] = read_settings(self, args)
        return super().make_context(info_name, args, parent, **extra)

    def in_todays_spelling(self, args: Sequence[str]) -> list[str]:
        """The arguments in today's spelling; a missing optional value (`--worst`) is filled in."""
        optional = {name: o for o in self.params if isinstance(o, Option) and o.value_is_optional for name in o.opts}
        result: list[str] = []
        for place, argument in enumerate(args):
            if argument == "--":
                return [*result, *args[place:]]
            name, equals, value = argument.partition("=")
            if name in self.old:
                now = self.old[name]
                note(f"{name} is now {' '.join(now)}.")
                result += [*now[:-1], f"{now[-1]}={value}"] if equals else now
            elif argument == "--json" and self._has("--format"):
                result += ["--format", "json"]
            elif name in optional and not equals and not re.fullmatch(r"\d+", "".join(args[place + 1 : place + 2])):
                result.append(f"{name}={optional[name].flag_value}")
            else:
                result.append(argument)
        return result

    def _has(self, option: str) -> bool:
        return any(option in parameter.opts for parameter in self.params)

    # help

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._write_help(ctx, formatter, rare=False)

    def write_all_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """With the rare options."""
        self._write_help(ctx, formatter, rare=True)

    def _write_help(self, ctx: click.Context, formatter: click.HelpFormatter, *, rare: bool) -> None:
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        _write_text(formatter, f"{self.help} {self.about}".strip())
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples.strip().splitlines():
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
        shown = [o for o in self.params if isinstance(o, Option) and not o.hidden and (rare or not o.rare)]
        rows = [(o.group, record) for o in shown if (record := o.get_help_record(ctx))]
        width = max((len(names) for _, (names, _) in rows if len(names) <= WIDEST), default=0)
        for group in GROUPS:
            lines = [(names.ljust(width), text) for own, (names, text) in rows if own == group]  # one width for all
            if lines:
                with formatter.section(group):
                    formatter.write_dl(lines, col_max=WIDEST)
        more = sum(isinstance(o, Option) and o.rare and not o.hidden for o in self.params)
        if more and not rare:
            formatter.write_paragraph()
            formatter.write(f"{more} more option{'s' * (more > 1)}: --help-all\n")

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments and options that must be there; the rest is [OPTIONS]."""
        arguments = [p.make_metavar(ctx) for p in self.params if isinstance(p, click.Argument)]
        needed = [f"{o.opts[-1]} {o.make_metavar(ctx)}" for o in self.params if isinstance(o, Option) and o.required]
        formatter.write_usage(ctx.command_path, " ".join([*arguments, *needed, "[OPTIONS]"]))


class Group(click.Group):
    """Commands in sections, each declared in a file that is imported when the command is used."""

    def __init__(
        self,
        name: str,
        summary: str,
        sections: Mapping[str, Mapping[str, tuple[str, str]]],
        *,
        about: str = "",
        renamed: Mapping[str, tuple[str, str]] | None = None,
        parameters: Iterable[click.Parameter] = (),
    ) -> None:
        """`sections`: heading -> command -> (file and name of its declaration, what it does); `renamed`: old -> what is run, and
        what to type instead."""
        everything = [*_global_options(), _help_all_option(hidden=True), *parameters]
        super().__init__(name, params=everything, help=summary, context_settings={**CONTEXT})
        self.sections, self.about, self.renamed = sections, about, dict(renamed or {})
        self._places = {name: place for rows in sections.values() for name, (place, _) in rows.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._places:
            return None
        file, _, variable = self._places[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"ontoeval.cli.{file}"), variable)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        _look_for_quiet(args)
        if args and args[0] in self.renamed:
            run, now = self.renamed[args[0]]
            note(f"{args[0]} is now {now}.")
            args = [*run.split(), *args[1:]]
        if args and args[0] not in self._places and not args[0].startswith("-"):
            advice = did_you_mean(args[0], self._places).strip() or f"Use one of: {', '.join(self._places)}."
            raise click.UsageError(f"{args[0]!r} is not a command. {advice}", ctx)
        return super().resolve_command(ctx, args)

    def write_all_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help, which lists all options of a group, and how to list those of its commands."""
        self.format_help(ctx, formatter)
        formatter.write_paragraph()
        formatter.write(f"All options of a command: {ctx.command_path} COMMAND --help-all\n")

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "COMMAND [OPTIONS]")
        formatter.write_paragraph()
        _write_text(formatter, f"{self.help} {self.about}".strip())
        width = max(map(len, self._places))
        for heading, rows in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), text) for name, (_, text) in rows.items()])
        with formatter.section("Options"):
            options = [o.get_help_record(ctx) for o in self.get_params(ctx) if isinstance(o, click.Option)]
            formatter.write_dl([record for record in options if record])


def _write_text(formatter: click.HelpFormatter, text: str) -> None:
    """A paragraph that is not broken at hyphens, as names of commands have them."""
    formatter.write(f"{textwrap.fill(text, formatter.width, break_on_hyphens=False)}\n")


def _look_for_quiet(arguments: Sequence[str]) -> None:
    """-q hides the notes on old spellings, too, which come before options are parsed."""
    context = click.get_current_context(silent=True)
    if context is not None and {"-q", "--quiet"} & set(arguments):
        context.meta["ontoeval.quiet"] = True


def _help_all_option(*, hidden: bool = False) -> Option:
    def print_all(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing and isinstance(ctx.command, Command | Group):
            formatter = ctx.make_formatter()
            ctx.command.write_all_help(ctx, formatter)
            click.echo(formatter.getvalue().rstrip("\n"))
            ctx.exit()

    return Option("--help-all", group="Global", rare=True, is_flag=True, is_eager=True, expose_value=False,
                  callback=print_all, hidden=hidden, help="List all options.")  # fmt: skip


def _global_options() -> list[Option]:
    """Options that stand in any place; their values are kept for all commands."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value:  # neither place takes back what the other one says
            ctx.meta[f"ontoeval.{parameter.name}"] = value

    settings: dict[str, Any] = {"group": "Global", "rare": True, "expose_value": False, "callback": keep}
    return [
        Option("-q", "--quiet", is_flag=True, is_eager=True, help="Hide notes and progress, not warnings.", **settings),
        Option("--config", metavar="FILE", help="Read option defaults from a TOML file.", **settings),
        Option(
            "--show-settings", is_flag=True, help="Print the value of each option and where it was set.", **settings
        ),
        Option("--fail-on-warning", is_flag=True, help="Exit with code 1 if there was a warning.", **settings),
        Option("--debug", is_flag=True, help="Show the traceback of an error.", **settings),
    ]
