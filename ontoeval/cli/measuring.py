"""Declarations of `measures`, `correlate`, `sensitivity` and `perturb`: help, options, old spellings."""

from __future__ import annotations

import click

from ontoeval.cli import completion
from ontoeval.cli.help import Command, Option
from ontoeval.cli.options import (
    OLD_LOADING,
    OLD_STORING,
    counts_option,
    digits_option,
    format_option,
    loading_options,
    local_option,
    measure_option,
    ontology_option,
    output_option,
    sampling_options,
    seed_option,
    senses_option,
    storing_options,
)

measures = Command(
    "measures",
    "List the measures, or define one.",
    [
        click.Argument(["name"], required=False, metavar="[NAME|WORD]", shell_complete=completion.measures),
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
    ],
    steps="measures",
    about="NAME is a measure or a set of measures; any other WORD is searched for in names and descriptions.",
    examples="""
ontoeval measures
ontoeval measures TP_csc
ontoeval measures ancestor
""",
    arguments_needed=False,
)

correlate = Command(
    "correlate",
    "Correlate similarity measures with human ratings.",
    [
        click.Argument(["rated"], metavar="RATED_PAIRS"),
        ontology_option("The ontology of the concepts."),
        senses_option(),
        measure_option("Lin, 'JC(ic=sanchez)'"),
        Option("--intervals/--no-intervals", "with_confidence", default=True, show_default=True, group="Statistics",
               help="Add 95% bootstrap confidence intervals."),
        *sampling_options("intervals (2000)"),
        format_option(),
        output_option(".json .csv .tsv .md .tex .trig .nq .svg .pdf .png"),
        local_option("pair"),
        *storing_options("pair", inputs=1),
        counts_option(),
        digits_option(),
        *loading_options(),
    ],
    steps="correlate",
    about="RATED_PAIRS: lines of two words or concepts and a rating. Pairs with an unknown word are left out and "
    "listed. Pearson's r, Spearman's rho, Kendall's tau-b; distances are negated.",
    examples="""
ontoeval correlate miller-charles.tsv --ontology data.noun
ontoeval correlate rated.csv --ontology thesaurus.ttl -m Lin,JC -f latex
ontoeval correlate rated.tsv --ontology go.obo -o figure.svg
""",
    old={**OLD_LOADING, **OLD_STORING, "--confidence": "--intervals", "--no-confidence": "--no-intervals",
         "--pairs-out": "--local", "--plot": "-o"},
)  # fmt: skip

sensitivity = Command(
    "sensitivity",
    "Show how measures react to growing damage.",
    [
        click.Argument(["ontology"], required=False, metavar="[ONTOLOGY]"),
        Option("--example", is_flag=True, group="Input",
               help="Use the tree of Bade & Benz: 190 concepts, 9,450 instances."),
        Option("--per-node", type=click.IntRange(min=0), metavar="N", group="Input", rare=True,
               help="Instances per concept of --example (50)."),
        Option("--match", "by", default="iri", show_default=True, metavar="CHAIN", group="Matching",
               help="Ways to match, in the order given: iri, label, preferred, name."),
        measure_option("TF_csc, 'H_s(weight=w2)'"),
        Option("--perturb", "perturbations", multiple=True, metavar="NAME[:LEVEL][=AMOUNTS]", group="Scores",
               help="Kind of damage, e.g. remove-level:3=0,5,10."),
        Option("--points", type=click.IntRange(min=2), metavar="N", group="Scores", rare=True,
               help="Number of amounts, if none are given (6)."),
        Option("--runs", type=click.IntRange(1, 1_000_000), default=10, show_default=True, metavar="N",
               group="Statistics", help="Random repetitions for each amount."),
        seed_option(),
        format_option(),
        output_option(".json .csv .tsv .md .tex .svg .pdf .png"),
        digits_option(),
        *loading_options(),
    ],
    steps="sensitivity",
    about="Copies damaged in the ways of `perturb` are compared with the original; tables show means, other formats also "
    "standard deviations. Default: the six experiments of Bade & Benz. Lexical damage: remove-concepts, "
    "rename-concepts, use-synonyms.",
    examples="""
ontoeval sensitivity gold.ttl -o curves.svg
ontoeval sensitivity gold.ttl -m TF_csc,TF_sc --perturb move-nodes
ontoeval sensitivity --example -o figure1.png
""",
    old={**OLD_LOADING, "--plot": "-o"},
)  # fmt: skip

_DAMAGE = {
    "--cut-depth": ("D", "Remove concepts deeper than D."),
    "--insert-empty": ("K", "Insert K concepts above pairs of siblings."),
    "--remove-level": ("L K", "Remove K concepts from level L."),
    "--move-instances": ("K", "Move K instances to other concepts."),
    "--move-nodes": ("K", "Move K concepts, without their children."),
    "--remove-concepts": ("K", "Remove K concepts."),
    "--rename-concepts": ("K", "Replace all labels of K concepts."),
    "--use-synonyms": ("K", "Replace the label of K concepts by a synonym."),
}

perturb = Command(
    "perturb",
    "Write a randomly damaged copy of an ontology.",
    [
        click.Argument(["ontology"], metavar="ONTOLOGY"),
        *(Option(name, metavar=metavar, nargs=len(metavar.split()), group="Damage", help=help)
          for name, (metavar, help) in _DAMAGE.items()),
        Option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", group="Damage",
               help="Random seed."),
        output_option(".ttl .nt .owl .rdf .xml, .tsv (links)", required=True, many=False),
        Option("--instances-output", metavar="FILE", group="Output", rare=True,
               help="Write the instances to a separate table (needed with .tsv)."),
        format_option(["table", "json"]),
        *loading_options(),
    ],
    steps="perturb",
    about="Choose one kind of damage. K is a number or percentage, e.g. 10%. Children and instances of removed "
    "concepts go to the parents. The same seed gives the same copy; a larger K makes the same changes and more.",
    examples="""
ontoeval perturb gold.ttl --cut-depth 3 -o cut.ttl
ontoeval perturb gold.owl --move-nodes 10% --seed 7 -o moved.owl
ontoeval perturb gold.ttl --remove-level 2 5 -o flatter.nt
""",
    old=OLD_LOADING,
)  # fmt: skip
