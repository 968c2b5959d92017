"""Steps of `ontoeval annotations` and `agreement`: what is gold and response (shared: judging.py; prints: report/)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click

from ontoeval.analysis.annotator_agreement import Agreement, annotator_agreement
from ontoeval.analysis.coarsen import Variant, named_variant
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.inputs import check_stdin
from ontoeval.cli.steps.judging import JudgingOptions
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import json_text
from ontoeval.evaluation import NamedMeasure, credit_measures, named_measures
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.report.annotation_details import Response, Section, class_section, confusion_section
from ontoeval.report.annotation_remarks import remarks
from ontoeval.report.annotator_agreement import table as agreement_table
from ontoeval.tables import Layout, file_names, short_names
from ontoeval.tasks.extraction import By, Extraction

_DEFAULT_SET = "default set"  # of a GATE document: the one whose name is empty
_FEATURES = ("types", "class_feature", "instance_feature", "individuals")


def score_annotations(responses: tuple[str, ...], gold: str | None, key_set: str | None, response_sets: tuple[str, ...],
                spans: Any, by: Any, kb: str | None, confusion: int | Literal["top"] | None, agreement: bool, variants: tuple[str, ...],
                layout: Layout, **options: Any) -> None:  # fmt: skip
    """Load, pair, evaluate; then write and print."""
    features = {name: options.pop(name) for name in _FEATURES} | {"language": options["language"]}
    judging = JudgingOptions(options, spans=spans)
    judging.group_by_row = bool(response_sets)
    inputs = _Inputs(judging, responses, gold, key_set, response_sets, features, by, kb)
    keep_annotations = judging.storing.level == "annotations"
    inputs.check_usage(agreement, variants, keep_annotations)
    details = {"--per class": "class" in judging.per, "--confusion": confusion is not None, "--agreement": agreement}
    judging.check_details(layout, *(name for name, wanted in details.items() if wanted))
    ontology = judging.ontology()
    coarser = [] if ontology is None else [named_variant(ontology, name) for name in variants]
    corpora, standard = inputs.load(short=not agreement)
    sections = _sections(judging, spans or "strict", "class" in judging.per, confusion, by, flat=ontology is None)
    judged = [] if standard is None else inputs.tasks(corpora, standard, ontology)
    for response in judged:
        response.task.check()
    judged += [_on_variant(response, name, variant) for response in judged for name, variant in coarser]
    report = judging.report(judged, _measures(judging, judged, keep_annotations), layout, sections)
    agreed = None
    if agreement:
        annotators = {**corpora, **({} if standard is None else {key_set or "gold": standard})}
        agreed = _agreed(annotators, ontology, judging, spans)

    def text(layout: Layout) -> str:
        table = []
        if agreed is not None:
            table.append(agreement_table(agreed, layout, judging.digits, option_spelling, judging.title))
        if table and not layout.for_people:
            return table[0]
        scores = [replace(report, layout=layout).tables(f"{inputs.title}{judging.title}")] if judged else []
        return "\n".join([*scores, *table])

    more = {} if agreed is None else {"agreement": agreed.to_dict()}
    named = [(response.name, response.task.response) for response in judged if response.variant is None]
    gold_first = [] if standard is None else [(inputs.gold_name, standard)]
    judging.finish(report, text, layout, [*gold_first, *(named or corpora.items())], more)


def agreement(annotators: tuple[str, ...], response_sets: tuple[str, ...], spans: Any, no_class: Any, layout: Layout,
              **options: Any) -> None:  # fmt: skip
    """Load the annotators and print how far they agree."""
    features = {name: options.pop(name) for name in _FEATURES} | {"language": options["language"]}
    outputs = Outputs(options.pop("output"))
    judging = JudgingOptions({**_NOTHING_TO_JUDGE, **options}, spans=spans)
    inputs = _Inputs(judging, annotators, None, None, response_sets, features, "class", None)
    if len(inputs.sources) < 2:
        raise click.UsageError("agreement needs at least two annotators. Name another file or --set.")
    check_stdin(*annotators, judging.source)
    ontology = judging.ontology()
    corpora, _ = inputs.load(short=False)  # JSON has these names, too
    agreed = _agreed(corpora, ontology, judging, spans, no_class)

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text({"agreement": agreed.to_dict()})
        return agreement_table(agreed, layout, judging.digits, option_spelling, judging.title)

    outputs.write(text, layout)
    for remark in remarks([], list(corpora.items()), option_spelling):
        note(remark.text)
    if spans == "lenient" and len(corpora) > 2:
        note(
            f"alpha of all {len(corpora)} annotators compares identical spans only; --spans lenient applies to the pairs only."
        )


# what `annotations` has and `agreement` has not
_NOTHING_TO_JUDGE: dict[str, Any] = {
    "per": (), "top": 0, "figure": None, "baseline": None, "group": None, "test": None, "significance": False,
    "with_confidence": False, "rounds": None, "seed": 0, "local": None,
    "measures": (), "limits": (), "output": (), "store": None, "store_level": "units", "base": None, "names": (),
    "gold_format": None,
}  # fmt: skip


def _agreed(annotators: Mapping[str, Corpus], ontology: Ontology | None, judging: JudgingOptions,
            spans: Any, no_class: Any = "mismatch") -> Agreement:  # fmt: skip
    similarity = None if ontology is None else judging.similarity
    return annotator_agreement(
        annotators, ontology, similarity, match=spans or "strict", unknown=judging.unknown, no_class=no_class
    )


def _measures(judging: JudgingOptions, responses: Sequence[Response], keep_annotations: bool) -> list[NamedMeasure]:
    """What is computed; to keep annotations also their credits."""
    measures = judging.computed(responses[0].task) if responses else []
    if keep_annotations:
        measures += named_measures(credit_measures([measure for _, measure in measures]), Extraction)
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
            advice = "Set --gold PATH, or --gold-set NAME if RESPONSE also holds the gold annotations."
            raise click.UsageError(f"no gold standard. {advice}")
        if self.key is None and self.key_set is not None and (len(self.responses) > 1 or not self.response_sets):
            what = "--set, and one RESPONSE that holds both annotation sets"
            raise click.UsageError(f"--gold-set without --gold needs {what}.")
        if self.key is None and self.judging.formats["gold_format"] is not None:
            raise click.UsageError("--gold-format needs --gold.")
        if self.kb is not None and self.by != "instance":
            raise click.UsageError("--kb needs --by instance.")
        if variants and (self.judging.source is None or self.by == "instance"):
            raise click.UsageError("--variant needs --ontology and --by class.")
        if variants and self.judging.group is not None:
            raise click.UsageError("--group cannot be used with --variant. Keep one.")
        if agreement and self.by == "instance":
            raise click.UsageError("--agreement compares classes. Remove --by instance.")
        if keep_annotations and not self.judging.storing.places:
            raise click.UsageError("--store-level annotations needs --store or -o FILE.trig.")
        self.judging.check_number(len(self.sources), "responses")
        if not judged and self.judging.figures.paths:
            raise click.UsageError(f"{self.judging.figures.paths[0]}: a figure needs --gold.")
        if not self.response_sets:
            self.judging.check_systems(self.responses)
        if agreement and len(self.sources) + judged < 2:
            raise click.UsageError("agreement needs at least two annotators. Name another response.")
        check_stdin(*self.responses, self.key, self.judging.source)

    @property
    def sources(self) -> list[tuple[str, str | None]]:
        """Path and annotation set of each response."""
        return [(path, name) for path in self.responses for name in self.response_sets or [None]]  # type: ignore[list-item]

    @property
    def gold_name(self) -> str:
        name = Path(self.responses[0] if self.key is None else self.key).name
        if self.key_set is None:
            return name
        return f"{name}, set {self.key_set}" if self.key_set else f"{name}, {_DEFAULT_SET}"

    @property
    def title(self) -> str:
        return f"against {self.gold_name}{', by individual' if self.by == 'instance' else ''}"

    def load(self, *, short: bool = True) -> tuple[dict[str, Corpus], Corpus | None]:
        """The responses by the names of their rows, `short` or those of the files, and the gold standard if there is one."""
        files = (short_names if short else file_names)([path for path, _ in self.sources])
        corpora: dict[str, Corpus] = {}
        for number, ((path, set_name), file) in enumerate(zip(self.sources, files, strict=True), 1):
            name = file
            if set_name is not None:
                name = f"{file}, {set_name or _DEFAULT_SET}" if self._named_by_file else set_name or _DEFAULT_SET
            while name in corpora:  # the same file twice
                name += " again"
            corpora[name] = self._corpus(path, set_name, f"{number}/{len(self.sources)} {path}")
        if self.key is None and self.key_set is None:
            return corpora, None
        if self.key is None:  # a set of the same file
            return corpora, self._corpus(self.responses[0], self._gold_set, "gold")
        return corpora, self._corpus(self.key, self._gold_set, "gold", gold=True)

    @property
    def _gold_set(self) -> str | None:
        """--gold-set; without it --set, if there is one."""
        only = self.response_sets[0] if len(self.response_sets) == 1 else None
        return only if self.key_set is None else self.key_set

    def _corpus(self, path: str, set_name: str | None, label: str, *, gold: bool = False) -> Corpus:
        features = dict(self.features)
        if set_name is not None:
            features["annotation_set"] = set_name
        corpus = self.judging.corpus(path, labels=False, gold=gold, label=label, **features)
        if set_name is None:
            return corpus
        # one file may hold both sides: what identifies a side is its own content
        place = f"{path}#{set_name}" if set_name else path
        return replace(corpus, source=replace(corpus.source, path=place, sha256=None))

    def tasks(self, corpora: Mapping[str, Corpus], key: Corpus, ontology: Ontology | None) -> list[Response]:
        """Each response against the key."""
        unknown, names = self.judging.unknown, self.judging.storing.names_for(len(corpora))
        return [
            Response(
                own or name,
                Extraction(corpus, key, ontology, by=self.by, unknown=unknown, kb=self.kb),
                own or self._system(name, path, set_name),
                own,
            )
            for (name, corpus), (path, set_name), own in zip(corpora.items(), self.sources, names, strict=True)
        ]

    def _system(self, row: str, path: str, set_name: str | None) -> str | None:
        """Of several files the name of the row; of several sets in one file that of the set; else that of the file."""
        if len(set(self.responses)) > 1:
            return row
        return Path(path).name.partition(".")[0] if self._named_by_file or set_name == "" else set_name

    @property
    def _named_by_file(self) -> bool:
        """Whether the file, and not only the annotation set, says who made a response."""
        return len(set(self.responses)) > 1 or (self.key is not None and len(self.response_sets) < 2)


def _sections(judging: JudgingOptions, spans: Any, per_class: bool, confusion: int | Literal["top"] | None, by: str, *,
              flat: bool) -> list[Section]:  # fmt: skip
    what = "individual" if by == "instance" else "class"
    similarity = "Flat" if flat or by == "instance" else judging.similarity
    sections = [class_section(similarity, spans, what)] if per_class else []
    return sections + ([] if confusion is None else [confusion_section(similarity, spans, what, confusion)])


def _on_variant(response: Response, name: str, variant: Variant) -> Response:
    """The same response on a coarser ontology."""
    settings = {**response.settings, "variant": name}
    return replace(response, task=variant.task(response.task), settings=settings)
