"""Declarations of `query`, `store` with its commands, `write-back` and `schema`: help, options, old spellings."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ontoeval.cli import completion
from ontoeval.cli.help import Command, Group, Option
from ontoeval.cli.options import (
    LAYOUTS,
    OLD_LOADING,
    digits_option,
    format_option,
    gold_option,
    loading_options,
    matching_options,
    measure_option,
    output_option,
)
from ontoeval.report.json_schemas import NAMES as JSON_SCHEMAS


def _parameters(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    parameters: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} is not NAME=VALUE. Use e.g. measure=TF_csc.")
        parameters[name.strip()] = value
    return parameters


_STORE_SET = "ONTOEVAL_STORE sets the default STORE."

query = Command(
    "query",
    "Query stored scores by name or in SPARQL.",
    [
        click.Argument(["place"], required=False, metavar="[STORE]", shell_complete=completion.queries_of_set_store),
        click.Argument(["query"], required=False, metavar="QUERY", shell_complete=completion.queries),
        Option("-p", "--param", "parameters", multiple=True, metavar="NAME=VALUE", callback=_parameters, group="Input",
               shell_complete=completion.query_parameters, help="A parameter of the query."),
        Option("--list", "listing", is_flag=True, group="Input", help="List the named queries and their parameters."),
        Option("--timeout", type=click.FloatRange(min=0, min_open=True), default=60, show_default=True,
               metavar="SECONDS", group="Input", help="Stop the query after this time."),
        Option("--exit-code", is_flag=True, group="Input", rare=True, help="Exit with code 3 if the query returns rows."),
        format_option([*LAYOUTS, "ttl"], default=None),
        output_option(".json .csv .tsv .md .tex .ttl"),
        digits_option(),
    ],
    steps="query",
    about="STORE is a directory, a file written with -o, any RDF file, or a SPARQL endpoint URL. QUERY is a name "
    "(--list), a .rq file, SPARQL, or - for stdin. Common prefixes (oe, dqv, prov, skos, ...) are declared. "
    f"{_STORE_SET}",
    examples="""
ontoeval query --list
ontoeval query scores trend -p measure=LF
ontoeval query scores.trig worst-concepts -p run=latest -f csv
ontoeval query scores 'SELECT ?run { GRAPH ?run { ?run a oe:Evaluation } }'
""",
)  # fmt: skip

_PLACE = click.Argument(["place"], required=False, metavar="[STORE]")
_STORE = f"STORE is a directory or a SPARQL endpoint URL; for list and show, also a file written with -o. {_STORE_SET}"
_STORE_OR_FILE = f"STORE is a directory, a file written with -o, or a SPARQL endpoint URL. {_STORE_SET}"
_RUN = "RUN is the start of a run id, `latest`, or a system name."

store = Group(
    "store",
    "List, show, delete, import or export runs.",
    {
        "Commands": {
            "list": ("scores:store_list", "List the runs, oldest first"),
            "show": ("scores:store_show", "Show the scores of runs"),
            "delete": ("scores:store_delete", "Delete a run"),
            "export": ("scores:store_export", "Write all runs to a file"),
            "import": ("scores:store_import", "Add runs or ontologies from files"),
        }
    },
    about=f"{_STORE} {_RUN}",
)
store_list = Command(
    "list", "List the runs, oldest first.", [_PLACE, format_option(), output_option(".json .csv .tsv .md .tex")],
    steps="store:list_runs", about=_STORE_OR_FILE, examples="ontoeval store list scores", arguments_needed=False,
)  # fmt: skip
store_show = Command(
    "show",
    "Show the scores of runs (default: all).",
    [
        _PLACE,
        click.Argument(["runs"], nargs=-1, metavar="[RUN]..."),
        Option("--worst", is_flag=False, flag_value="10", type=click.IntRange(min=1), metavar="[N]", group="Scores",
               help="List the N lowest scores of each measure."),
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
        digits_option(),
    ],
    steps="store:show",
    about=f"{_STORE_OR_FILE} {_RUN}",
    examples="""
ontoeval store show scores
ontoeval store show scores latest --worst 5
""",
    arguments_needed=False,
)  # fmt: skip
store_delete = Command(
    "delete",
    "Delete a run.",
    [
        _PLACE,
        click.Argument(["run"], required=False, metavar="RUN"),
        Option("-y", "--yes", is_flag=True, group="Options", help="Delete without asking."),
    ],
    steps="store:delete", about=_RUN, examples="ontoeval store delete scores 1bfd33c9 --yes",
)  # fmt: skip
store_export = Command(
    "export", "Write all runs to a file.", [_PLACE, click.Argument(["file"], required=False, metavar="FILE.trig|nq")],
    steps="store:export", examples="ontoeval store export scores all.trig",
)  # fmt: skip
store_import = Command(
    "import",
    "Add the runs in files; runs already there are replaced.",
    [
        _PLACE,
        click.Argument(["files"], nargs=-1, metavar="FILE..."),
        Option("--ontology", is_flag=True, group="Input", help="Read .trig and .nq as ontologies, too."),
    ],
    steps="store:import_files",
    about="Files other than .trig and .nq are ontologies: queries such as `below` then find parents. Import exactly "
    "the file that was evaluated.",
    examples="ontoeval store import scores new.trig",
)

write_back = Command(
    "write-back",
    "Write concept scores into the ontology.",
    [
        click.Argument(["learned"], metavar="LEARNED"),
        gold_option("The gold standard.", required=False),
        *matching_options(),
        Option("--ignore-novel", is_flag=True, group="Matching", help="Score only concepts that are in the gold standard."),
        measure_option("TP_csc"),
        output_option(".owl .rdf .ttl .nt", required=True, many=False),
        Option("--merged", is_flag=True, group="Output", help="Write a copy of LEARNED with the scores in it."),
        Option("--clean", is_flag=True, group="Output", help="Write LEARNED without the scores of an earlier run."),
        format_option(["table", "json"]),
        *loading_options(sides=2, language=False),
    ],
    steps="write_back",
    about="The file is an overlay that imports LEARNED; a catalog-v001.xml beside it tells Protégé where LEARNED is. "
    "LEARNED itself is never changed.",
    examples="""
ontoeval write-back learned.owl --gold gold.ttl -o learned.scores.owl
ontoeval write-back learned.ttl --gold gold.ttl --merged -o x.ttl
ontoeval write-back --clean x.ttl -o learned-again.ttl
""",
    old=OLD_LOADING,
)  # fmt: skip

schema = Command(
    "schema",
    "Print the RDF vocabulary or a JSON schema.",
    [
        click.Argument(["name"], type=click.Choice(["rdf", *JSON_SCHEMAS]), metavar="rdf|COMMAND"),
        output_option(".ttl .json", many=False),
    ],
    steps="schema",
    about="`rdf`: an OWL file with the terms and all measures. COMMAND: a JSON Schema of what the command prints with "
    f"--json: {', '.join(JSON_SCHEMAS)}.",
    examples="""
ontoeval schema rdf > ontoeval.ttl
ontoeval schema compare
""",
)
