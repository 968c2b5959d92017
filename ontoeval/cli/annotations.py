"""`ontoeval annotations`: own options, what is key and response (others: annotation_options.py; prints: report/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ontoeval.analysis.annotator_agreement import annotator_agreement
from ontoeval.analysis.coarsen import Variant, named_variant
from ontoeval.cli.annotation_options import JudgingOptions, judging_options, need_two
from ontoeval.cli.inputs import check_stdin
from ontoeval.cli.options import layout_options, ontology_options
from ontoeval.cli.printing import json_text
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.storing import storing_options
from ontoeval.errors import ParameterError
from ontoeval.evaluation import NamedMeasure, credit_measures, named_measures
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.report.annotations import Response, Section, class_section, confusion_section
from ontoeval.report.annotator_agreement import table as agreement_table
from ontoeval.tables import Layout, file_names
from ontoeval.tasks.extraction import By, Extraction


@click.command("annotations", no_args_is_help=True)
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option("--key", metavar="PATH", help="The annotations that are right.")
@click.option("--key-set", metavar="NAME", help="The annotation set that is right, of --key or of RESPONSE itself.")
@click.option(
    "--response-set",
    "response_sets",
    multiple=True,
    metavar="NAME",
    help="The annotation set that is judged; several are several responses.",
)
@click.option("--annotation-set", metavar="NAME", help="The annotation set of both sides; '' has no name.")
@click.option("--type", "types", multiple=True, metavar="NAME", help="Keep the annotations of this type.")
@click.option("--class-feature", metavar="NAME", help="The feature that holds the class; '' is the annotation's type.")
@click.option("--instance-feature", metavar="NAME", help="The feature that holds the annotated individual.")
@click.option(
    "--individuals",
    type=click.Choice(["iri", "label"]),
    default="iri",
    show_default=True,
    help="Which individuals of populated ontologies go together: of the same IRI, or the same label (--lang).",
)
@click.option(
    "--match",
    type=click.Choice(["strict", "lenient"]),
    help="Which annotations can go together: the same span, or spans that share a character.  [default: strict]",
)
@click.option(
    "--by",
    type=click.Choice(["class", "instance"]),
    default="class",
    show_default=True,
    help="Judge classes, or the annotated individuals: the same or not, as entity linking does, or by a similarity (-m AF).",
)
@click.option(
    "--kb", metavar="PREFIX", help="With --by instance: all IRIs that start otherwise are one unknown entity."
)
@click.option("--per-class", is_flag=True, help="Add precision and recall of each class.")
@click.option("--confusion", type=click.IntRange(min=1), metavar="N", help="Add the N confusions that cost most.")
@click.option(
    "--agreement", is_flag=True, help="How far annotators agree: each two of the responses (and the key), and all."
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="ptop:FILE|link-1",
    help="Judge on a coarser ontology, too: only the concepts that a file lists, or without only children.",
)
@click.option("--keep-annotations", is_flag=True, help="Add the credit of single annotations to -o and --store.")
@judging_options
@layout_options()
@storing_options
@ontology_options
def judge(responses: tuple[str, ...], key: str | None, key_set: str | None, response_sets: tuple[str, ...], match: Any,
          by: Any, kb: str | None, per_class: bool, confusion: int | None, agreement: bool, variants: tuple[str, ...],
          keep_annotations: bool, layout: Layout, **options: Any) -> None:  # fmt: skip
    """Judge annotations of texts by a key, with credit for classes that are near the right one.

    RESPONSE and --key are folders or files: GATE XML, bdoc, NIF, Web Annotation, KIM, brat, JSON Lines or TSV; or
    populated ontologies (RDF, OWL), whose individuals are judged by their classes. One that holds both is given once,
    with --key-set and --response-set. Several responses are several rows. Without
    --ontology classes are compared as names.

    \b
    Examples:
      ontoeval annotations run1 run2 --key gold --ontology proton.ttl --significance
      ontoeval annotations corpus --key-set Key --response-set Response --ontology proton.ttl --confusion 10
      ontoeval annotations system.ttl --key gold.ttl --by instance --match lenient --kb http://dbpedia.org/resource/
      ontoeval annotations learned.ttl --key gold.ttl --ontology proton.ttl --individuals label
      ontoeval annotations anna ben carla --agreement --type Mention
    """
    features = {
        name: options.pop(name)
        for name in ("annotation_set", "types", "class_feature", "instance_feature", "individuals")
    }
    features["language"] = options["language"]
    judging = JudgingOptions(options, match=match)
    inputs = _Inputs(judging, responses, key, key_set, response_sets, features, by, kb)
    inputs.check_usage(agreement, variants, keep_annotations)
    ontology = judging.ontology()
    coarser = [] if ontology is None else [named_variant(ontology, name) for name in variants]
    corpora, standard = inputs.load()
    sections = _sections(judging, match or "strict", per_class, confusion, by, flat=ontology is None)
    judged = [] if standard is None else inputs.tasks(corpora, standard, ontology)
    for response in judged:
        response.task.check()
    judged += [_on_variant(response, name, variant) for response in judged for name, variant in coarser]
    report = judging.report(judged, _measures(judging, judged, keep_annotations), layout, sections)
    agreed = None
    if agreement:
        annotators = {**corpora, **({} if standard is None else {key_set or "key": standard})}
        similarity = None if ontology is None else judging.similarity
        agreed = annotator_agreement(annotators, ontology, similarity, match=match or "strict", unknown=judging.unknown)
    if layout is Layout.JSON:
        text = json_text(report.document({} if agreed is None else {"agreement": agreed.to_dict()}))
    else:
        texts = [report.tables(f"{inputs.title}{judging.title}")] if judged else []
        texts += [] if agreed is None else [agreement_table(agreed, layout, judging.digits, option_spelling)]
        text = "\n".join(texts)
    judging.finish(report, text, {**({} if standard is None else {"key": standard}), **corpora})


def _measures(judging: JudgingOptions, responses: Sequence[Response], keep_annotations: bool) -> list[NamedMeasure]:
    """What is computed; to keep annotations also their credits."""
    measures = judging.computed(responses[0].task) if responses else []
    if keep_annotations:
        measures += named_measures(credit_measures([name for name, _ in measures]), Extraction)
    return measures


class _Inputs:
    """What is judged by what, as the command line says it."""

    def __init__(self, judging: JudgingOptions, responses: Sequence[str], key: str | None, key_set: str | None,
                 response_sets: Sequence[str], features: Mapping[str, Any], by: By, kb: str | None) -> None:  # fmt: skip
        self.judging, self.responses, self.key, self.key_set = judging, responses, key, key_set
        self.response_sets, self.features, self.by, self.kb = response_sets, features, by, kb

    def check_usage(self, agreement: bool, variants: Sequence[str], keep_annotations: bool) -> None:
        """Refuse what does not go together, before anything is loaded."""
        judged = self.key is not None or self.key_set is not None
        if not judged and not agreement:
            raise click.UsageError("Give the annotations that are right: --key PATH, or --key-set NAME.")
        if self.key is None and self.key_set is not None and (len(self.responses) > 1 or not self.response_sets):
            raise click.UsageError("--key-set without --key needs one RESPONSE that holds both, and --response-set.")
        if self.kb is not None and self.by != "instance":
            raise click.UsageError("--kb goes with --by instance.")
        if variants and (self.judging.source is None or self.by == "instance"):
            raise click.UsageError("--variant needs --ontology, and judges classes.")
        if agreement and self.by == "instance":
            raise click.UsageError("--agreement judges classes. Leave --by instance out.")
        if keep_annotations and not self.judging.storing.places:
            raise click.UsageError("--keep-annotations goes with -o or --store.")
        if self.judging.significance:
            need_two(len(self.sources), "--significance")
        if agreement and len(self.sources) + judged < 2:
            raise ParameterError("--agreement needs two annotators or more", advice="Give another response.")
        check_stdin(*self.responses, self.key, self.judging.source)

    @property
    def sources(self) -> list[tuple[str, str | None]]:
        """Path and annotation set of each response."""
        return [(path, name) for path in self.responses for name in self.response_sets or [None]]  # type: ignore[list-item]

    @property
    def title(self) -> str:
        name = Path(self.responses[0] if self.key is None else self.key).name
        set_name = "" if self.key_set is None else f", set {self.key_set!r}"
        return f"{'Individuals judged' if self.by == 'instance' else 'Judged'} by {name}{set_name}"

    def load(self) -> tuple[dict[str, Corpus], Corpus | None]:
        """The responses by the names of their rows, and the key if there is one."""
        files = file_names([path for path, _ in self.sources])
        several = len(set(self.responses)) > 1
        corpora: dict[str, Corpus] = {}
        for number, ((path, set_name), file) in enumerate(zip(self.sources, files, strict=True), 1):
            name = file
            if set_name is not None:
                name = f"{file}, {set_name or 'no name'}" if several else set_name or "no name"
            while name in corpora:  # the same file twice
                name += " again"
            corpora[name] = self._corpus(path, set_name, f"{number}/{len(self.sources)} {path}")
        if self.key is None and self.key_set is None:
            return corpora, None
        return corpora, self._corpus(self.responses[0] if self.key is None else self.key, self.key_set, "key")

    def _corpus(self, path: str, set_name: str | None, label: str) -> Corpus:
        features = dict(self.features)
        if set_name is not None:
            features["annotation_set"] = set_name
        corpus = self.judging.corpus(path, labels=False, label=label, **features)
        if set_name is None:
            return corpus
        # one file may hold both sides: what identifies a side is its own content
        return replace(corpus, source=replace(corpus.source, path=f"{path}#{set_name}", sha256=None))

    def tasks(self, corpora: Mapping[str, Corpus], key: Corpus, ontology: Ontology | None) -> list[Response]:
        """Each response against the key."""
        unknown = self.judging.unknown
        return [
            Response(name, Extraction(corpus, key, ontology, by=self.by, unknown=unknown, kb=self.kb), set_name)
            for (name, corpus), (_, set_name) in zip(corpora.items(), self.sources, strict=True)
        ]


def _sections(judging: JudgingOptions, match: Any, per_class: bool, confusion: int | None, by: str, *,
              flat: bool) -> list[Section]:  # fmt: skip
    what = "individual" if by == "instance" else "class"
    similarity = "Flat" if flat or by == "instance" else judging.similarity
    sections = [class_section(similarity, match, what)] if per_class else []
    return sections + ([] if confusion is None else [confusion_section(similarity, match, what, confusion)])


def _on_variant(response: Response, name: str, variant: Variant) -> Response:
    """The same response on a coarser ontology."""
    settings = {**response.settings, "variant": name}
    return Response(f"{response.name} ({name})", variant.task(response.task), response.system, settings)
