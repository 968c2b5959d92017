"""Declarations of `describe`, `match`, `relate`, `nearest` and `validate`: help, options, old spellings."""

from __future__ import annotations

import click

from ontoeval.cli.help import Command, Option
from ontoeval.cli.options import (
    LAYOUTS,
    OLD_LOADING,
    OLD_STORING,
    counts_option,
    digits_option,
    format_option,
    gold_option,
    imports_option,
    loading_options,
    matching_options,
    measure_option,
    ontology_option,
    output_option,
    senses_option,
    storing_options,
    top_option,
    unknown_option,
)

_CONCEPTS = "Name a concept by IRI, CURIE, local name or label; it may be an individual."

describe = Command(
    "describe",
    "Summarise the size, shape and labels of ontologies.",
    [
        click.Argument(["files"], nargs=-1, required=True, metavar="FILE..."),
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
        *loading_options(visible=["--lang", "--root", "--below", "--relation", "--import", "--columns"]),
    ],
    steps="describe",
    about="Formats: OWL, RDFS, SKOS, OBO, tables of links; also compressed, or stdin (-).",
    examples="""
ontoeval describe gold.owl learned.ttl
ontoeval describe go.obo --relation part_of --below GO:0008150
ontoeval describe tree.tsv --columns parent,child -f json
""",
    old=OLD_LOADING,
)

match = Command(
    "match",
    "Pair the concepts of two ontologies.",
    [
        click.Argument(["learned"], metavar="LEARNED"),
        gold_option("The gold standard."),
        *matching_options(),
        Option("--reference", metavar="FILE", group="Scores",
               help="Score the pairs against this reference alignment."),
        Option("--top", type=click.IntRange(min=0), default=10, show_default=True, metavar="N", group="Scores",
               help="Pairs in the table; 0 = all."),
        format_option([*LAYOUTS, "sssom"]),
        output_option(".sssom.tsv .json .csv .tsv .md .tex"),
        *loading_options(sides=2, language=False),
    ],
    steps="match",
    examples="""
ontoeval match learned.owl --gold gold.ttl
ontoeval match a.owl --gold b.owl --match label,fuzzy:0.9 -o pairs.sssom.tsv
ontoeval match cmt.owl --gold ekaw.owl --match name --reference cmt-ekaw.rdf
""",
    old=OLD_LOADING,
)  # fmt: skip

_WITH = Option("--with", "other", metavar="FILE", group="Input",
               help="A second ontology, merged with the first one.")  # fmt: skip

relate = Command(
    "relate",
    "Compute the similarity of concepts, with reasons.",
    [
        click.Argument(["two"], nargs=-1, metavar="[A B]"),
        ontology_option("The ontology of the concepts."),
        _WITH,
        Option("--pairs", metavar="FILE", group="Input", help="TSV or CSV: two concepts per line."),
        Option("--concepts", "list_of", metavar="FILE", group="Input", help="All pairs of the concepts listed in FILE."),
        Option("--all", "every", is_flag=True, group="Input", help="All pairs of concepts, written to a file (-o)."),
        unknown_option("error", ["drop", "error"]),
        senses_option(),
        *matching_options(rare=True, languages=False),
        measure_option("Lin, 'LC(scale=raw)'"),
        Option("--explain", "with_why", is_flag=True, group="Scores", help="Add definitions, paths and common ancestors."),
        Option("--min-value", "least", type=float, metavar="VALUE", group="Scores",
               help="With --all: keep pairs with at least this value (distances: at most)."),
        format_option([*LAYOUTS, "npy", "parquet", "gate"], default=None),
        output_option(".json .csv .tsv .trig .nq; --all: .npy .parquet .tsv .csv .gz"),
        *storing_options("pair", inputs=1),
        Option("--single", is_flag=True, group="Output", rare=True, help="With --all: single precision."),
        counts_option(),
        digits_option(),
        imports_option("--with-import", "other_imports", "the file of --with"),
        *loading_options(),
    ],
    steps="relate",
    about=f"{_CONCEPTS} A is the predicted concept and B the gold one, if the order matters (LA).",
    examples="""
ontoeval relate Company "Political Entity" --ontology proton.owl --explain
ontoeval relate --pairs rated.tsv --ontology go.obo -m BDM,Lin
ontoeval relate --all --ontology go.obo -m Lin -o lin.npy
ontoeval relate minivan car --ontology learned.owl --with gold.ttl
""",
    old={**OLD_LOADING, **OLD_STORING, "--why": "--explain", "--least": "--min-value",
         "--skip-unknown": "--unknown drop"},
)  # fmt: skip

nearest = Command(
    "nearest",
    "List the concepts most similar to a concept.",
    [
        click.Argument(["concept"], metavar="A"),
        ontology_option("The ontology of the concepts."),
        _WITH,
        Option("--senses", type=click.Choice(["first"]), group="Matching", help="If A is ambiguous, take its first concept."),
        *matching_options(rare=True, languages=False),
        measure_option("Lin, simGIC"),
        Option("--top", "count", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", group="Scores",
               help="Number of concepts."),
        Option("--among", type=click.Choice(["classes", "individuals"]), group="Scores", rare=True,
               help="What to list. [same as A]"),
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
        counts_option(),
        digits_option(),
        imports_option("--with-import", "other_imports", "the file of --with"),
        *loading_options(),
    ],
    steps="relate:nearest",
    about=_CONCEPTS,
    examples="""
ontoeval nearest Company --ontology proton.owl
ontoeval nearest GO:0008150 --ontology go.obo --top 20 -m Lin,simGIC
""",
    old={**OLD_LOADING, "-k": "--top"},
)  # fmt: skip

validate = Command(
    "validate",
    "Check an ontology, a corpus or scores (SHACL).",
    [
        click.Argument(["file"], metavar="FILE"),
        Option("--shapes", metavar="NAME|FILE", group="Input",
               help="scores, ontology, corpus, or your own shapes. [by content]"),
        Option("--engine", type=click.Choice(["auto", "shacl", "native"]), default="auto", show_default=True,
               group="Input", help="A SHACL processor, or a faster check of the built-in rules."),
        Option("--input-format", "format", metavar="NAME", group="Input", help="File format, if it cannot be detected."),
        top_option(5),
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
    ],
    steps="validate",
    about="The exit code is 3 if there are violations, and 0 if there are only warnings. Nothing is fetched from the network.",
    examples="""
ontoeval validate scores.trig
ontoeval validate thesaurus.rdf --top 20
ontoeval validate gold.owl --shapes my-shapes.ttl -f json
""",
    old={"--examples": "--top"},
)  # fmt: skip
