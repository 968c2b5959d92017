"""Declarations of `compare`, `annotations`, `labels` and `agreement`: help, options, old spellings."""

from __future__ import annotations

import click

from ontoeval.cli.help import Command, Option
from ontoeval.cli.options import (
    OLD_LOADING,
    OLD_STORING,
    counts_option,
    digits_option,
    fail_under_option,
    figure_option,
    format_option,
    gold_option,
    loading_options,
    local_option,
    matching_options,
    measure_option,
    ontology_option,
    output_option,
    statistics_options,
    storing_options,
    top_option,
    unknown_option,
)

_FILES = ".json .csv .tsv .md .tex .trig .nq .svg .pdf .png"
_OLD = {**OLD_LOADING, **OLD_STORING, "--confidence": "--intervals"}


def _row_count(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """A number of rows; `top`: as many as --top says."""
    return value if value in (None, "top") else click.IntRange(min=0)(value, param, ctx)


compare = Command(
    "compare",
    "Score learned ontologies against a gold standard.",
    [
        click.Argument(["learned"], nargs=-1, required=True, metavar="LEARNED..."),
        gold_option("The gold standard (OWL, RDFS, SKOS, OBO, tables)."),
        *matching_options(),
        Option("--ignore-novel", is_flag=True, group="Matching", help="Score only concepts that are in the gold standard."),
        measure_option("TF_csc, classic"),
        Option("--errors", "with_errors", is_flag=True, group="Scores",
               help="List missing, novel and moved concepts."),
        Option("--worst", is_flag=False, flag_value="10", type=click.IntRange(min=1), metavar="[N]", group="Scores",
               help="List the N concepts with the lowest scores."),
        Option("--explain", "explained", multiple=True, metavar="CONCEPT", group="Scores",
               help="Show what is above and below a concept."),
        fail_under_option(),
        Option("--per", type=click.Choice(["property"]), group="Scores", rare=True,
               help="Also show relation scores per property."),
        *statistics_options(compared="run"),
        format_option(),
        output_option(_FILES),
        figure_option(thresholds=True),
        local_option("concept"),
        *storing_options("concept"),
        top_option(),
        digits_option(),
        *loading_options(sides=2, runs=True, language=False),
    ],
    steps="compare",
    examples="""
ontoeval compare learned.owl --gold gold.ttl
ontoeval compare run*.ttl --gold gold.owl --match label -f latex
ontoeval compare learned.ttl --gold gold.ttl --worst --fail-under LF=0.7
""",
    old=_OLD,
)  # fmt: skip

_SETS = [
    Option("--set", "response_sets", multiple=True, metavar="NAME", group="Input",
           help="Annotation set to score; may be repeated."),
    Option("--gold-set", "key_set", metavar="NAME", group="Input", help="Annotation set of the gold standard."),
]  # fmt: skip
_SPANS = Option("--spans", type=click.Choice(["strict", "lenient"]), group="Matching",
                help="Same span, or spans that overlap. [strict]")  # fmt: skip


def _similarity_option(words: str = "Credit for near misses, e.g. LA, Lin. [BDM]") -> Option:
    return Option("--similarity", metavar="NAME", group="Scores", help=words)


_CORPUS = [
    Option("--type", "types", multiple=True, metavar="NAME", group="Input", rare=True,
           help="Keep only annotations of this type."),
    Option("--class-feature", metavar="NAME", group="Input", rare=True,
           help="Feature that holds the class; '' is the annotation's type."),
    Option("--instance-feature", metavar="NAME", group="Input", rare=True,
           help="Feature that holds the annotated instance."),
    Option("--individuals", type=click.Choice(["iri", "label"]), default="iri", show_default=True, group="Input",
           rare=True, help="Pair the individuals of populated ontologies by IRI or label."),
]  # fmt: skip
_CORPUS_FORMAT = Option("--corpus-format", metavar="NAME", group="Input", rare=True,
                        help="Format of the scored documents, if it cannot be detected.")  # fmt: skip
_GOLD_FORMAT = Option("--gold-format", metavar="NAME", group="Input", rare=True,
                      help="Format of the gold documents, if it cannot be detected.")  # fmt: skip
_OLD_JUDGING = {
    **_OLD, "--key": "--gold", "--strict": "--unknown error", "--drop-unknown": "--unknown drop",
    "--per-document": "--per document",
}  # fmt: skip
_OLD_SETS = {"--key-set": "--gold-set", "--response-set": "--set", "--annotation-set": "--set", "--match": "--spans"}

text_annotations = Command(
    "annotations",
    "Score text annotations against a gold standard.",
    [
        click.Argument(["responses"], nargs=-1, required=True, metavar="RESPONSE..."),
        gold_option("The gold annotations.", "PATH", required=False),
        ontology_option("The ontology of the classes.", required=False),
        *_SETS,
        _SPANS,
        Option("--by", type=click.Choice(["class", "instance"]), default="class", show_default=True, group="Matching",
               help="Compare classes or instances."),
        unknown_option("keep", ["keep", "drop", "error"]),
        measure_option("AF, 'AP(similarity=Lin)'"),
        _similarity_option(),
        Option("--per", multiple=True, type=click.Choice(["class", "document"]), group="Scores",
               help="Add scores per class or document."),
        Option("--confusion", is_flag=False, flag_value="top", callback=_row_count, metavar="[N]", group="Scores",
               help="List the N costliest class confusions (0: all)."),
        fail_under_option(),
        *statistics_options(compared="response"),
        format_option(),
        output_option(_FILES),
        figure_option(),
        local_option("document"),
        *storing_options("document", annotations=True),
        *_CORPUS,
        _CORPUS_FORMAT,
        _GOLD_FORMAT,
        Option("--kb", metavar="PREFIX", group="Matching", rare=True,
               help="With --by instance: IRIs without this prefix count as NIL."),
        Option("--variant", "variants", multiple=True, metavar="ptop:FILE|link-1", group="Scores", rare=True,
               help="Also score on a coarser ontology: FILE's concepts only, or single-child chains merged."),
        Option("--agreement", is_flag=True, hidden=True, group="Scores"),
        counts_option(),
        top_option(),
        digits_option(),
        *loading_options(),
    ],
    steps="annotations:score_annotations",
    about="Formats: GATE, NIF, Web Annotation, KIM, brat, JSON Lines, TSV, populated ontologies.",
    examples="""
ontoeval annotations run1 run2 --gold key --ontology proton.owl --confusion
""",
    old={**_OLD_JUDGING, **_OLD_SETS, "--keep-annotations": "--store-level annotations", "--per-class": "--per class"},
)  # fmt: skip

labels = Command(
    "labels",
    "Score document labels or rankings against a gold standard.",
    [
        click.Argument(["predicted"], nargs=-1, required=True, metavar="PREDICTED..."),
        gold_option("The gold labels.", "PATH"),
        ontology_option("The thesaurus or ontology of the labels.", required=False),
        Option("--limit", type=click.IntRange(min=0), metavar="N", group="Input", help="Keep the N best labels of each document."),
        Option("--min-score", type=float, metavar="T", group="Input", help="Keep labels with a score of at least T."),
        unknown_option("keep", ["keep", "drop", "error"]),
        measure_option("LabelF, hF, ranking"),
        _similarity_option("Credit of SetF, and of others with credit=high or low (LabelF_high, ranking). [BDM; SetF: LC]"),
        Option("--per", multiple=True, type=click.Choice(["document"]), group="Scores", help="Add scores per document."),
        fail_under_option(),
        *statistics_options(compared="prediction"),
        format_option(),
        output_option(_FILES),
        figure_option(),
        local_option("document"),
        *storing_options("document"),
        _CORPUS_FORMAT,
        _GOLD_FORMAT,
        Option("--ranking", "as_ranking", is_flag=True, hidden=True, group="Scores"),  # of the old command `rank`
        Option("--ties", type=click.Choice(["label", "trec_eval"]), group="Scores", rare=True,
               help="Order of ties: by label, or as in trec_eval. [label]"),
        counts_option(),
        top_option(),
        digits_option(),
        *loading_options(),
    ],
    steps="labels",
    about="Formats: Annif directories, tables, JSON Lines, TREC runs (as rankings).",
    examples="""
ontoeval labels mllm.tsv tfidf.tsv --gold gold --ontology yso.ttl --limit 5
ontoeval labels run1.txt run2.txt --gold qrels.txt --ontology ipc.ttl
ontoeval labels runs/*.tsv --gold gold.tsv -m ranking --limit 100
""",
    old={**_OLD_JUDGING, "--threshold": "--min-score", "--depth": "--limit"},
)  # fmt: skip

_NO_CLASS = Option("--no-class", type=click.Choice(["mismatch", "category"]), default="mismatch", show_default=True,
                   group="Scores", rare=True, help="Kappa, Pi: annotations without a class never agree, or form a class.")  # fmt: skip

agreement = Command(
    "agreement",
    "Measure the agreement between annotators.",
    [
        click.Argument(["annotators"], nargs=-1, required=True, metavar="ANNOTATOR..."),
        ontology_option("The ontology of the classes.", required=False),
        Option("--set", "response_sets", multiple=True, metavar="NAME", group="Input",
               help="Annotation set; repeat for each annotator."),
        _SPANS,
        unknown_option("keep", ["keep", "drop", "error"]),
        _similarity_option(),
        _NO_CLASS,
        format_option(),
        output_option(".json .csv .tsv .md .tex"),
        *_CORPUS,
        _CORPUS_FORMAT,
        counts_option(),
        digits_option(),
        *loading_options(),
    ],
    steps="annotations:agreement",
    about="F, kappa, pi and alpha of each pair of annotators, and alpha of all annotators.",
    examples="""
ontoeval agreement anna ben carla --type Mention
ontoeval agreement corpus --set Anna --set Ben --ontology proton.owl
""",
)  # fmt: skip
