"""`remarks` beside the tables of `annotations` and `labels`, `facts` of a task for JSON; `Words` of a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ontoeval.errors import Spelling, number_of, text_for
from ontoeval.measures import Measure
from ontoeval.measures.similarity_parameter import Similarity
from ontoeval.model.corpus import Corpus
from ontoeval.report.annotation_details import Response
from ontoeval.report.names import MOST_NAMES, first_few
from ontoeval.results import EvaluationResult
from ontoeval.tasks.extraction import Extraction
from ontoeval.tasks.unknown_classes import unknown_in_words


class Words(NamedTuple):
    """What things are called in tables."""

    response: str = "response"
    annotations: str = "annotations"


LABEL_WORDS = Words(response="prediction", annotations="labels")


class Remark(NamedTuple):
    """What a reader of the tables should know; `misleads`: numbers may mislead who does not."""

    text: str
    misleads: bool = False


def remarks(
    pairs: Sequence[tuple[Response, EvaluationResult]],
    corpora: Sequence[tuple[str, Corpus]],
    spelling: Spelling,
) -> Iterator[Remark]:
    """Of all responses; `corpora`: the gold standard first, and the responses. What holds for several is said once."""
    named = [(name, remark) for name, corpus in corpora for remark in _of_loading(corpus, spelling)]
    for response, result in pairs:
        if response.variant is None:
            sides = {"key": corpora[0][0], "response": response.name}
            named += [(sides[side], remark) for side, remark in _of_task(response.task, spelling)]
        for score in result.scores:
            if score.undefined is not None:
                text = f"{score.name} is undefined: {text_for(score.undefined, spelling)}"
                named.append((response.name, Remark(text)))
    names_by_remark: dict[Remark, dict[str, None]] = {}
    for name, remark in named:
        names_by_remark.setdefault(remark, {})[name] = None
    for remark, names in names_by_remark.items():
        each = " (each)" if len(names) > 1 and remark.text[0].isdigit() else ""
        yield remark._replace(text=f"{first_few(list(names))}{each}: {remark.text}")
    yield from _credit_through_root(pairs, spelling)
    yield from _fewer_than_k(pairs, spelling)
    yield from _other_documents([response for response, _ in pairs if response.variant is None])


def _credit_through_root(pairs: Sequence[tuple[Response, EvaluationResult]], spelling: Spelling) -> Iterator[Remark]:
    """That concepts without an ancestor in common get credit, because a root was added above them."""
    measures: dict[Measure, dict[str, None]] = {}  # similarity -> names of the measures that use it
    for _, result in pairs:
        for score in result.scores:
            similarity = score.measure.parameters.get("similarity")
            if isinstance(similarity, Measure) and score.measure.parameters.get("credit") != "binary":
                measures.setdefault(similarity, {})[score.name] = None
    ontology = pairs[0][0].task.ontology if pairs else None
    if ontology is None or len(ontology.hierarchy.attached) < 2:
        return
    tops = ontology.hierarchy.attached.astype(np.int64)
    for similarity, names in measures.items():
        credit = float(Similarity(similarity, ontology).of_pairs(np.repeat(tops[:1], len(tops)), tops).min())
        if credit > 0:
            file = Path(ontology.source.path).name
            yield Remark(
                f"{first_few(list(names))}: {file} has {len(tops):,} top concepts. {similarity} joins them under an "
                f"added root, so unrelated ones get up to {credit:.3f}; {spelling('similarity', 'BDM')} gives them 0"
            )


def _fewer_than_k(pairs: Sequence[tuple[Response, EvaluationResult]], spelling: Spelling) -> Iterator[Remark]:
    """That a precision of the first k labels is over k, but fewer were kept."""
    measures: dict[tuple[int, int], dict[str, None]] = {}  # (k, labels kept) -> names
    for response, result in pairs:
        for score in result.scores:
            k, depth = (score.measure.parameters.get(name) for name in ("k", "depth"))
            if k is not None and depth is not None:
                kept = min(depth, response.settings.get("limit", depth))
                if kept < k:
                    measures.setdefault((k, kept), {})[score.name] = None
    for (k, kept), names in measures.items():
        bare = next(iter(names)).partition("(")[0]
        advice = f"Use {spelling('measures', repr(f'{bare}(k={kept})'))}."
        limit = spelling("limit", None)
        labels = number_of(kept, "label", "labels")
        yield Remark(f"{first_few(list(names))}: k is {k}, but {limit} keeps {labels} of each document. {advice}")


def _other_documents(responses: Sequence[Response]) -> Iterator[Remark]:
    """Rows that are not a fair comparison, because each is judged over the gold documents and its own."""
    if len({response.task.documents for response in responses}) > 1:
        numbers = first_few([f"{response.name} {len(response.task.documents):,}" for response in responses])
        yield Remark(
            f"rows are scored on different documents, those of the gold standard and their own: {numbers}", True
        )


def _of_task(task: Extraction, spelling: Spelling) -> Iterator[tuple[str, Remark]]:
    """What was noticed, each with its side: response or key."""
    if task.unknown == "drop":
        for path, text in unknown_in_words(replace(task, unknown="keep")):  # with what was left out
            yield "key" if path == task.key.source.path else "response", Remark(f"{text}; left out")
    if task.elsewhere:
        names = first_few([repr(name) for name in task.elsewhere])
        text = f"matched by local name in another namespace: {names}{_all_in_json(task.elsewhere, spelling)}"
        yield "response", Remark(text)


def _of_loading(corpus: Corpus, spelling: Spelling) -> Iterator[Remark]:
    """What the loader noticed."""
    for what, number in corpus.source.counts.items():
        yield Remark(_count(number, what))
    for note in corpus.source.notes:
        yield Remark(text_for(note, spelling))


def _count(number: int, what: str) -> str:
    """A count of the loader, whose name begins with a plural: `1 annotation without a class; left out`."""
    noun, _, rest = what.partition(" ")
    return f"{number_of(number, noun.removesuffix('s'), noun)} {rest}"


def _all_in_json(names: Sequence[str], spelling: Spelling) -> str:
    return f" ({spelling('json', None)} lists all)" if len(names) > MOST_NAMES else ""


def facts(task: Extraction) -> dict[str, Any]:
    """What JSON tells beside the scores."""
    sides = set(task.response.documents), set(task.key.documents)
    whole = replace(task, unknown="keep") if task.unknown == "drop" else task  # with what was left out
    counts = [
        np.bincount(side.name[side.name >= 0], minlength=len(task.names))
        for side in (whole.key_side, whole.response_side)
    ]
    unknown = np.flatnonzero(task.concept_of < 0).tolist()
    return {
        "only_in_response": sorted(sides[0] - sides[1]),
        "only_in_key": sorted(sides[1] - sides[0]),
        "unknown_classes": [
            {
                "name": task.names[i],
                "key": int(counts[0][i]),
                "response": int(counts[1][i]),
                **({"ambiguous": list(task.ambiguous[task.names[i]])} if task.names[i] in task.ambiguous else {}),
                **({"property": task.property_names[task.names[i]]} if task.names[i] in task.property_names else {}),
            }
            for i in unknown
        ],
        "taken_by_local_name": list(task.elsewhere),
        **({"individuals_without_class": list(task.without_class)} if task.by == "instance" else {}),
        "notes": {
            role: [*(_count(n, what) for what, n in corpus.source.counts.items()), *corpus.source.notes]
            for role, corpus in (("response", task.response), ("key", task.key))
        },
    }
