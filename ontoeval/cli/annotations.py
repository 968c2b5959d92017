"""`ontoeval annotations`: annotated texts against a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.annotation_options import Choices, check, judging_options, need_two
from ontoeval.cli.concepts import check_stdin
from ontoeval.cli.options import layout_options, ontology_options, storing_options
from ontoeval.errors import ParameterError
from ontoeval.report.annotations import Row, Section, Shown, finish
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.analysis.coarsen import Variant
    from ontoeval.model.corpus import Corpus
    from ontoeval.model.ontology import Ontology
    from ontoeval.results import EvaluationResult, Score
    from ontoeval.tasks.extraction import Extraction


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
    "--match",
    type=click.Choice(["strict", "lenient"]),
    help="Which annotations can go together: the same span, or spans that share a character.  [default: strict]",
)
@click.option(
    "--by",
    type=click.Choice(["class", "instance"]),
    default="class",
    show_default=True,
    help="Judge classes, or the annotated individuals: the same or not, as entity linking does.",
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

    RESPONSE and --key are folders or files: GATE XML, bdoc, NIF, Web Annotation, KIM, brat, JSON Lines or TSV. One
    that holds both is given once, with --key-set and --response-set. Several responses are several rows. Without
    --ontology classes are compared as names.

    \b
    Examples:
      ontoeval annotations run1 run2 --key gold --ontology proton.ttl --significance
      ontoeval annotations corpus --key-set Key --response-set Response --ontology proton.ttl --confusion 10
      ontoeval annotations system.ttl --key gold.ttl --by instance --match lenient --kb http://dbpedia.org/resource/
      ontoeval annotations anna ben carla --agreement --type Mention
    """
    features = {name: options.pop(name) for name in ("annotation_set", "types", "class_feature", "instance_feature")}
    choices = Choices(options, match=match)
    given = _Given(choices, responses, key, key_set, response_sets, features, by, kb)
    given.check_usage(agreement, choices.significance, variants, keep_annotations)
    ontology = choices.ontology()
    coarser = [_variant(ontology, name) for name in variants]
    corpora, standard = given.load()
    sections = _sections(choices, match or "strict", per_class, confusion, by, flat=ontology is None)
    rows = [] if standard is None else given.rows(corpora, standard, ontology)
    for row in rows:
        check(row.task)
    rows += [_on(row, name, made) for row in rows for name, made in coarser]
    names = choices.wanted(rows[0].task) if rows else []
    if keep_annotations:
        names += _credits(names)
    results = [choices.evaluated(row, names) for row in rows]
    agreed = _Agreement.of(given, corpora, standard, ontology, match) if agreement else None
    shown = Shown(choices, rows, results, layout, sections)
    if layout is Layout.JSON:
        text = shown.document({} if agreed is None else {"agreement": agreed.to_dict()})
    else:
        texts = [shown.tables(f"{given.title}{choices.said}")] if rows else []
        texts += [] if agreed is None else [agreed.render(layout, choices.digits)]
        text = "\n".join(texts)
    finish(choices, shown, text, {**({} if standard is None else {"key": standard}), **corpora})


def _credits(names: Sequence[str]) -> list[str]:
    """For each similarity and rule of matching among some measures the one that tells of single annotations."""
    from ontoeval.measures import parse

    found: dict[str, None] = {}
    for name in names:
        chosen = parse(name).parameters
        if "similarity" in chosen and "average" in chosen:
            found.setdefault(str(parse("Credit", similarity=chosen["similarity"], match=chosen["match"])))
    return [name for name in found if name not in names]


# the corpora


@dataclass(frozen=True)
class _Given:
    """What is judged by what, as the command line says it."""

    choices: Choices
    responses: Sequence[str]
    key: str | None
    key_set: str | None
    response_sets: Sequence[str]
    features: Mapping[str, Any]
    by: Any
    kb: str | None

    def check_usage(self, agreement: bool, significance: bool, variants: Sequence[str], keep: bool) -> None:
        """Refuse what does not go together, before anything is loaded."""
        judged = self.key is not None or self.key_set is not None
        if not judged and not agreement:
            raise click.UsageError("Give the annotations that are right: --key PATH, or --key-set NAME.")
        if self.key is None and self.key_set is not None and (len(self.responses) > 1 or not self.response_sets):
            raise click.UsageError("--key-set without --key needs one RESPONSE that holds both, and --response-set.")
        if self.kb is not None and self.by != "instance":
            raise click.UsageError("--kb goes with --by instance.")
        if variants and (self.choices.source is None or self.by == "instance"):
            raise click.UsageError("--variant needs --ontology, and judges classes.")
        if agreement and self.by == "instance":
            raise click.UsageError("--agreement judges classes. Leave --by instance out.")
        storing = self.choices.storing
        if keep and storing.output is None and storing.store is None:
            raise click.UsageError("--keep-annotations goes with -o or --store.")
        if significance:
            need_two(len(self.judged), "--significance")
        if agreement and len(self.judged) + judged < 2:
            raise ParameterError("--agreement needs two annotators or more. Give another response.")
        check_stdin(*self.responses, self.key, self.choices.source)

    @property
    def judged(self) -> list[tuple[str, str | None]]:
        """Path and annotation set of each response."""
        return [(path, name) for path in self.responses for name in self.response_sets or [None]]  # type: ignore[list-item]

    @property
    def title(self) -> str:
        name = Path(self.responses[0] if self.key is None else self.key).name
        own = "" if self.key_set is None else f", set {self.key_set!r}"
        return f"{'Individuals judged' if self.by == 'instance' else 'Judged'} by {name}{own}"

    def load(self) -> tuple[dict[str, Corpus], Corpus | None]:
        """The responses by the names of their rows, and the key if there is one."""
        from ontoeval.tables import short_names

        judged = self.judged
        short = short_names([path for path, _ in judged])
        several = len(set(self.responses)) > 1
        found = {}
        for number, ((path, own), called) in enumerate(zip(judged, short, strict=True), 1):
            name = called if own is None else f"{called}, {own or 'no name'}" if several else own or "no name"
            while name in found:  # the same file twice
                name += " again"
            found[name] = self._corpus(path, own, f"{number}/{len(judged)} {path}")
        if self.key is None and self.key_set is None:
            return found, None
        return found, self._corpus(self.responses[0] if self.key is None else self.key, self.key_set, "key")

    def _corpus(self, path: str, own: str | None, words: str) -> Corpus:
        features = dict(self.features)
        if own is not None:
            features["annotation_set"] = own
        corpus = self.choices.corpus(path, labels=False, words=words, **features)
        if own is None:
            return corpus
        # one file may hold both sides: what identifies a side is its own content
        return replace(corpus, source=replace(corpus.source, path=f"{path}#{own}", sha256=None))

    def rows(self, corpora: Mapping[str, Corpus], key: Corpus, ontology: Ontology | None) -> list[Row]:
        return [
            Row(name, self.task(corpus, key, ontology), own)
            for (name, corpus), (_, own) in zip(corpora.items(), self.judged, strict=True)
        ]

    def task(self, response: Corpus, key: Corpus, ontology: Ontology | None) -> Extraction:
        from ontoeval.tasks.extraction import Extraction

        return Extraction(response, key, ontology, by=self.by, unknown=self.choices.unknown, kb=self.kb)


# what else is told


def _sections(choices: Choices, match: Any, per_class: bool, confusion: int | None, by: str, *,
              flat: bool) -> list[Section]:  # fmt: skip
    what = "individual" if by == "instance" else "class"
    similarity = "Flat" if flat or by == "instance" else choices.near
    near = f"{similarity}{', lenient' if match == 'lenient' else ''}"

    def classes(row: Row, result: EvaluationResult) -> list[dict[str, Any]]:
        from ontoeval.analysis.confusion import per_class

        return [
            {what: c.name, "AP": c.precision, "AR": c.recall, "AF": c.f, "keys": c.keys, "responses": c.responses}
            for c in per_class(row.task, similarity, match)
        ]

    def confused(row: Row, result: EvaluationResult) -> list[dict[str, Any]]:
        from ontoeval.analysis.confusion import confusions

        return [
            {
                f"key_{what}": c.key,
                f"response_{what}": c.response,
                "count": c.count,
                "similarity": c.similarity,
                "lost": c.lost,
            }
            for c in confusions(row.task, similarity, match)[:confusion]
        ]

    found = [Section("per_class", f"each {what} ({near})", classes, (what,))] if per_class else []
    if confusion is not None:
        columns = (f"key_{what}", f"response_{what}")
        found.append(Section("confusion", f"what was taken for what ({near})", confused, columns))
    return found


def _variant(ontology: Ontology | None, name: str) -> tuple[str, Variant]:
    from ontoeval.analysis.coarsen import variant
    from ontoeval.cli.relate import _lines
    from ontoeval.errors import LoadError, UnknownConceptError
    from ontoeval.model.lookup import find_concept

    assert ontology is not None  # noqa: S101 - refused above
    kind, _, path = name.partition(":")
    if name == "link-1":
        return name, variant(ontology, "link-1")
    if kind != "ptop" or not path:
        raise ParameterError(f"{name!r} is no variant of an ontology. Give link-1, or ptop:FILE with concepts to keep.")
    kept = []
    for line, concept in _lines(path):
        try:
            kept.append(ontology.hierarchy.iris[find_concept(ontology, concept)])
        except UnknownConceptError as error:
            raise LoadError(f"{error} Correct it or leave it out.", path=path, line=line) from None
    return f"ptop:{Path(path).name}", variant(ontology, "ptop", kept)


def _on(row: Row, name: str, made: Variant) -> Row:
    return Row(f"{row.name} ({name})", made.task(row.task), row.system, {**row.settings, "variant": name})


# agreement


@dataclass(frozen=True)
class _Agreement:
    """How far several annotators agree."""

    names: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Mapping[str, Score]]  # F of both directions, Kappa, Pi, Alpha
    whole: Score  # alpha of all
    measure: str  # the F, by its full name

    @classmethod
    def of(cls, given: _Given, corpora: Mapping[str, Corpus], key: Corpus | None, ontology: Ontology | None,
           match: str | None) -> _Agreement:  # fmt: skip
        from ontoeval.analysis.annotator_agreement import alpha
        from ontoeval.measures import parse

        annotators = {**corpora, **({} if key is None else {given.key_set or "key": key})}
        similarity = parse("Flat" if ontology is None else given.choices.near)
        own = {"similarity": similarity, "match": match or "strict"}
        measures = [parse("AF", **own), parse("Kappa"), parse("Pi"), parse("Alpha", **own)]
        pairs: dict[tuple[str, str], Mapping[str, Score]] = {}
        for one, other in combinations(annotators, 2):
            task = given.task(annotators[one], annotators[other], ontology)
            check(task)
            back = given.task(annotators[other], annotators[one], ontology)
            found = dict(zip(_AGREEMENT, (measure(task) for measure in measures), strict=True))
            pairs[one, other] = {"F": found["F"], "F back": measures[0](back), **found}
        if len(annotators) == 2:
            (whole,) = (scores["Alpha"] for scores in pairs.values())
        else:
            whole = alpha(list(annotators.values()), ontology, similarity)
        return cls(tuple(annotators), pairs, whole, str(measures[0]))

    def _means(self) -> dict[str, float | None]:
        """Over the pairs; none if one of them is undefined."""
        columns = {name: [scores[name].value for scores in self.pairs.values()] for name in _AGREEMENT}
        means = {name: sum(values) / len(values) for name, values in columns.items()}
        return {name: None if mean != mean else mean for name, mean in means.items()}

    def render(self, layout: Layout, digits: int) -> str:
        from ontoeval.tables import Cell, render

        rows: list[list[Cell]] = []
        for (one, other), scores in self.pairs.items():
            items = scores["Kappa"].counts
            rows.append([one, other, *map(_cell, scores.values()), int(items["items"]), int(items.get("agreed", 0))])
        if len(self.pairs) > 1:
            means = self._means()
            rows.append(["mean", "", means["F"], None, *(means[name] for name in _AGREEMENT[1:]), None, None])
        header = ["", "", self.measure, "the other way", *_AGREEMENT[1:], "items", "agreed"]
        table = render("How far annotators agree", header, rows, layout, precision=digits)
        return table + (f"{self._all(digits)}\n" if layout is Layout.TABLE else "")

    def _all(self, digits: int) -> str:
        counts = [f"{int(count):,} {name.replace('_', ' ')}" for name, count in self.whole.counts.items()]
        said = f"alpha of {'both' if len(self.names) == 2 else f'all {len(self.names)}'}: "
        said += self.whole.undefined or f"{self.whole.value:.{digits}f}"
        return f"{said} ({', '.join(counts)})"

    def to_dict(self) -> dict[str, Any]:
        from ontoeval.results import plain

        return {
            "annotators": list(self.names),
            "measure": self.measure,
            "pairs": [
                {
                    "annotators": [one, other],
                    **{name: plain(score.value) for name, score in scores.items()},
                    "items": int(scores["Kappa"].counts["items"]),
                    "agreed": int(scores["Kappa"].counts.get("agreed", 0)),
                    "undefined": {name: score.undefined for name, score in scores.items() if score.undefined},
                }
                for (one, other), scores in self.pairs.items()
            ],
            "mean": self._means(),
            "alpha": {
                "value": plain(self.whole.value),
                "undefined": self.whole.undefined,
                "counts": {name: plain(count) for name, count in self.whole.counts.items()},
            },
        }


_AGREEMENT = ("F", "Kappa", "Pi", "Alpha")


def _cell(score: Score) -> float | None:
    return None if score.undefined is not None else score.value
