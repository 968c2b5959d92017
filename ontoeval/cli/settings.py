"""`--config FILE`: defaults of options from a TOML file, refused where they are wrong; `--show-settings`.

Tables: [load] and [output] for all commands, one for each command; keys are long names of options. No file is searched
for: numbers must not depend on the folder that a command runs in.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ontoeval.cli.state import note, warning
from ontoeval.errors import ParameterError, did_you_mean
from ontoeval.tables import Layout, render

VARIABLE = "ONTOEVAL_CONFIG"
TYPED = "ontoeval.typed"  # of a context: the values of options by name, as they were typed
_SHARED = {"load": ("Loading", "Instances"), "output": ("Output",)}  # table -> groups of options
_ORIGINS = {
    ParameterSource.COMMANDLINE: "command line", ParameterSource.ENVIRONMENT: "environment",
    ParameterSource.DEFAULT_MAP: "file", ParameterSource.DEFAULT: "default",
}  # fmt: skip


def read_settings(command: click.Command, arguments: Sequence[str]) -> dict[str, Any]:
    """The defaults of a command's options by the names of its parameters; {} without a file."""
    path = _file_of(arguments)
    if path is None:
        return {}
    context = click.get_current_context()
    context.meta["ontoeval.config"] = path
    tables = _tables(path)
    root: Any = context.find_root().command
    known = {*_SHARED, *root.list_commands(context)}
    for name, table in tables.items():
        if name not in known or not isinstance(table, dict):
            what = f"[{name}] is not a table of settings" if name not in known else f"{name} is not a table"
            advice = did_you_mean(name, known).strip() or f"Tables: {', '.join(sorted(known))}."
            raise ParameterError(what, place=path, advice=advice)
    options = {_key(option): option for option in command.params if isinstance(option, click.Option)}
    defaults: dict[str, Any] = {}
    for name in (*_SHARED, command.name or ""):  # the table of the command goes before the shared ones
        groups = _SHARED.get(name)
        allowed = options.keys() if groups is None else _keys_of_all(root, context, groups)
        own = {key: option for key, option in options.items() if key in allowed}  # --lang may match labels, too
        for key, value in tables.get(name, {}).items():
            if key not in allowed:
                advice = did_you_mean(key, allowed).strip() or "Use the long name of an option."
                raise ParameterError(f"[{name}] {key!r} is not an option", place=path, advice=advice)
            if key in own:
                defaults[str(own[key].name)] = _setting_value(own[key], value, f"[{name}] {key}", path)
    return defaults


def _setting_value(option: click.Option, value: Any, name: str, path: str) -> Any:
    """The value of a setting: text, a number or true; several of them in a list if the option may be repeated."""
    several = option.multiple or option.nargs != 1
    values = value if several and isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) for each in values):
        what = "a value or a list of values" if several else "a single value"
        raise ParameterError(f"{name} is not {what}", place=path, advice='Use e.g. "text", 0.5 or true.')
    if isinstance(option.type, click.types.IntParamType) and isinstance(value, float):
        raise ParameterError(f"{name} is not a whole number", place=path, advice="Use e.g. 3.")
    return values if several else value


def report_settings(context: click.Context) -> None:
    """Print the settings that come from a file: as warnings those that change numbers; all with --show-settings."""
    if context.meta.get("ontoeval.show_settings"):
        click.echo(_all_settings(context), nl=False)
        context.exit()
    path, used = context.meta.get("ontoeval.config"), settings_used(context)
    for key, value in used.items():
        group = next(getattr(o, "group", "") for o in context.command.params if _key(o) == key)
        shown = str(value).lower() if isinstance(value, bool) else repr(value)  # as TOML has it
        (note if group in ("Output", "Global") else warning)(f"{path}: {key} = {shown} is set.")


def settings_used(context: click.Context) -> dict[str, Any]:
    """The options whose values come from the settings file."""
    used = [o for o in context.command.params if _source(context, o) is ParameterSource.DEFAULT_MAP]
    return {_key(option): context.lookup_default(str(option.name)) for option in used}


def _source(context: click.Context, parameter: click.Parameter) -> ParameterSource | None:
    return context.get_parameter_source(str(parameter.name))


def _all_settings(context: click.Context) -> str:
    rows = []
    typed = context.meta.get(TYPED, {})
    for option in context.command.params:
        source, group = _source(context, option), getattr(option, "group", "Global")
        if isinstance(option, click.Option) and group != "Global" and not option.hidden and source is not None:
            value = typed.get(option.name, False if option.is_flag else None)
            rows.append([f"--{_key(option)}", _as_typed(value), _ORIGINS.get(source, "default")])
    return render(f"Settings of {context.command.name}", ["option", "value", "origin"], rows, Layout.TABLE)


def _as_typed(value: Any) -> str:
    """A value as one writes it on the command line; yes or no of a flag."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return " ".join(map(_as_typed, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _file_of(arguments: Sequence[str]) -> str | None:
    """--config of the command, of `ontoeval`, or the variable of the environment."""
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        name, equals, value = argument.partition("=")
        if name == "--config":
            return value if equals else next(iter(arguments[place + 1 :]), None)
    context = click.get_current_context(silent=True)
    return (context.meta.get("ontoeval.config") if context else None) or os.environ.get(VARIABLE) or None


def _tables(path: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ParameterError(f"cannot read the settings: {reason}", place=path, advice="Check --config.") from None
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"not valid TOML: {error}", place=path) from None


def _keys_of_all(root: Any, context: click.Context, groups: Iterable[str]) -> set[str]:
    """The options of these groups that any command has."""
    commands = (root.get_command(context, name) for name in root.list_commands(context))
    return {_key(o) for command in commands for o in command.params if getattr(o, "settings_group", "") in groups}


def _key(parameter: click.Parameter) -> str:
    """The long name of an option, without its dashes."""
    return max(parameter.opts, key=len).lstrip("-")
