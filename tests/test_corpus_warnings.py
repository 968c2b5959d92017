"""Warnings about annotated documents: unknown classes by file, documents on one side, empty sides. 0.000 is never
printed without a word: on stderr, in JSON, in stored scores, and for Python users."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import refused, run, work_in

import ontoeval as oe
from ontoeval.analysis.annotator_agreement import annotator_agreement

ONTOLOGY = "car\tvehicle\nbike\tvehicle\nvan\tcar\ntruck\tcar\nboat\tvehicle\n"
# of the gold file: trucks 3 times; cycle and vans twice, by name; zeppelin once
GOLD = "d1\ttrucks\nd1\tvans\nd2\ttrucks\nd2\tvans\nd3\ttrucks\nd3\tcycle\nd4\tcycle\nd4\tzeppelin\nd4\tbike\n"
PREDICTED = "d1\tbike\nd2\tcar\nd3\tbikes\nd4\tbike\n"
LABELS = ("labels", "run.tsv", "--gold", "gold.tsv")
SPANS = ("annotations", "run.jsonl", "--gold", "gold.jsonl")
ON = ("--ontology", "onto.tsv")
QUESTION = "SELECT ?w { GRAPH ?g { ?run a oe:Evaluation ; oe:warning ?w } }"
ADVICE = (
    "Such labels match nothing: correct them or use a more complete ontology. "
    "--unknown drop leaves them out on both sides, which raises scores."
)
EMPTY = "to compare; scores are those defined for empty input."


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return work_in(tmp_path, monkeypatch, {"onto.tsv": ONTOLOGY, "gold.tsv": GOLD, "run.tsv": PREDICTED})


def write(path: str, **documents: list[str]) -> None:
    """Annotations with these classes, one after the other."""
    lines = []
    for name, classes in documents.items():
        spans = [{"start": 5 * n, "end": 5 * n + 4, "class": class_} for n, class_ in enumerate(classes)]
        lines.append(json.dumps({"document": name, "annotations": spans}) + "\n")
    Path(path).write_text("".join(lines))


def said(*arguments: object) -> list[str]:
    """The warnings of a command, which stand on stderr before the notes, in JSON, and in what it stores."""
    Path("stored.trig").unlink(missing_ok=True)  # which would keep other evaluations
    result = run(*arguments, "--json", "-o", "stored.trig")
    assert result.exit_code == 0, result.stderr
    kinds = [line.partition(":")[0] for line in result.stderr.splitlines()]
    assert kinds == sorted(kinds, reverse=True)
    lines = [line.removeprefix("warning: ") for line in result.stderr.splitlines() if line.startswith("warning: ")]
    document = json.loads(result.stdout)
    assert document.get("warnings", []) == lines
    assert [text for entry in document["results"] for text in entry.get("warnings", [])] == lines
    (stored,) = oe.read_scores("stored.trig")
    assert sorted(stored.warnings) == sorted(lines)
    return lines


def scores(*arguments: object) -> Iterator[float]:
    (entry,) = json.loads(run(*arguments, "--json").stdout)["results"]
    yield from entry["scores"].values()


# unknown classes


def test_the_file_with_the_unknown_labels_is_named() -> None:
    """The most frequent first, those of one count by name; what may be meant."""
    gold = (
        "gold.tsv: 4 labels are not in onto.tsv (8 of 9 assignments): 'trucks' (3 times; did you mean 'truck'?), "
        f"'cycle' (2 times), 'vans' (2 times; did you mean 'van'?) and 1 more. {ADVICE}"
    )
    predicted = (
        f"run.tsv: 1 label is not in onto.tsv (1 of 4 assignments): 'bikes' (once; did you mean 'bike'?). {ADVICE}"
    )
    assert said(*LABELS, *ON, "-m", "LabelF") == [predicted, gold]
    rows = json.loads(run("query", "stored.trig", QUESTION, "-f", "json").stdout)["rows"]
    assert {row["w"] for row in rows} == {predicted, gold}
    swapped = ("labels", "gold.tsv", "--gold", "run.tsv")
    assert said(*swapped, *ON, "-m", "LabelF") == [gold, predicted]


def test_labels_of_the_gold_file_alone_are_not_blamed_on_the_predictions() -> None:
    Path("run.tsv").write_text(PREDICTED.replace("bikes", "bike"))
    (warning,) = said(*LABELS, *ON, "-m", "LabelF")
    assert warning.startswith("gold.tsv: 4 labels are not in onto.tsv (8 of 9 assignments): 'trucks' (3 times;")


def test_unknown_classes_of_annotations() -> None:
    write("gold.jsonl", d1=["car", "trucks", "trucks"], d2=["bike"])
    write("run.jsonl", d1=["car", "truck", "truck"], d2=["plane"])
    advice = (
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores."
    )
    assert said(*SPANS, *ON, "-m", "F") == [
        f"run.jsonl: 1 class is not in onto.tsv (1 of 4 annotations): 'plane' (once). {advice}",
        f"gold.jsonl: 1 class is not in onto.tsv (2 of 4 annotations): 'trucks' (2 times; did you mean 'truck'?). "
        f"{advice}",
    ]
    assert said("annotations", "gold.jsonl", "--gold", "gold.jsonl", *ON, "-m", "F") == [
        f"gold.jsonl: 1 class is not in onto.tsv (2 of 4 annotations): 'trucks' (2 times; did you mean 'truck'?). "
        f"{advice}"
    ]


def test_what_is_left_out_on_request_is_a_note() -> None:
    assert said(*LABELS, *ON, "-m", "LabelF", "--unknown", "drop") == []
    assert run(*LABELS, *ON, "-m", "LabelF", "--unknown", "drop").stderr.splitlines() == [
        "note: run.tsv: 1 label is not in onto.tsv (1 of 4 assignments): "
        "'bikes' (once; did you mean 'bike'?); left out",
        "note: gold.tsv: 4 labels are not in onto.tsv (8 of 9 assignments): 'trucks' (3 times; did you mean 'truck'?), "
        "'cycle' (2 times), 'vans' (2 times; did you mean 'van'?) and 1 more; left out",
    ]


# documents


def test_documents_of_one_name_in_two_folders_are_refused_with_both_files() -> None:
    write("gold.jsonl", d1=["car"])
    for folder in ("north", "south"):
        Path("run", folder).mkdir(parents=True)
        write(f"run/{folder}/part.jsonl", d1=["car"])
        Path("keys", folder).mkdir(parents=True)
        Path("keys", folder, "d1.tsv").write_text("<http://ex.org/car>\tcar\n")  # as Annif has them: named by the file
    advice = "Remove or rename one of them."
    assert refused("annotations", "run", "--gold", "gold.jsonl") == (
        f"run/south/part.jsonl: the document 'd1' is also in run/north/part.jsonl. {advice}"
    )
    for arguments in (("run.tsv", "--gold", "keys"), ("keys", "--gold", "gold.tsv")):
        assert refused("labels", *arguments) == (
            f"keys/south/d1.tsv: the document 'd1' is also in keys/north/d1.tsv. {advice}"
        )


def test_documents_on_one_side_only() -> None:
    Path("gold.tsv").write_text("d1\tcar\nd2\tcar\nd3\tcar\nd4\tcar\nd5\tcar\n")
    Path("run.tsv").write_text("d1\tbike\nx\tcar\n")
    assert said(*LABELS, "-m", "LabelF") == [
        "run.tsv: 1 document is not in gold.tsv: x. "
        "It counts as empty there. If it has another name there, use the same name on both sides.",
        "gold.tsv: 4 documents are not in run.tsv: d2, d3, d4 and 1 more. "
        "They count as empty there. If they have other names there, use the same names on both sides.",
    ]
    assert [*scores(*LABELS, "-m", "LabelF")] == [0.0]
    write("gold.jsonl", d1=["car"], d2=["bike"])
    write("run.jsonl", d1=["bike"])
    assert said(*SPANS, "-m", "F") == [
        "gold.jsonl: 1 document is not in run.jsonl: d2. "
        "It counts as empty there. If it has another name there, use the same name on both sides."
    ]
    assert [*scores(*SPANS, "-m", "F")] == [0.0]


def test_a_document_without_annotations_on_one_side_changes_nothing_and_is_no_warning() -> None:
    write("gold.jsonl", d1=["car"], d2=["bike"], d3=[])
    write("same.jsonl", d1=["bike"], d2=["bike"], d3=[])
    write("run.jsonl", d1=["bike"], d2=["bike"])
    assert said(*SPANS, "-m", "F,F(average=macro)") == []
    same = ("annotations", "same.jsonl", "--gold", "gold.jsonl", "-m", "F,F(average=macro)")
    assert [*scores(*SPANS, "-m", "F,F(average=macro)")] == [*scores(*same)]


def test_rows_on_different_documents_are_a_warning_in_json_too() -> None:
    write("gold.jsonl", d1=["car"])
    write("run.jsonl", d1=["bike"])
    write("far.jsonl", d1=["bike"], d9=["bike"])
    document = json.loads(run(*SPANS, "far.jsonl", "-m", "F", "--json").stdout)
    assert document["warnings"] == [
        "far.jsonl: 1 document is not in gold.jsonl: d9. "
        "It counts as empty there. If it has another name there, use the same name on both sides.",
        "rows are scored on different documents, those of the gold standard and their own: run 1, far 2",
    ]


# empty sides


@pytest.mark.parametrize("empty", ["run", "gold"])
def test_an_empty_side(empty: str) -> None:
    write("run.jsonl", d1=["car"])
    write("gold.jsonl", d1=["car"])
    write(f"{empty}.jsonl", d1=[])
    assert said(*SPANS, "-m", "F") == [f"{empty}.jsonl: no annotations {EMPTY}"]
    assert [*scores(*SPANS, "-m", "F")] == [0.0]
    Path(f"{empty}.tsv").write_text("document\tlabel\n")
    assert said(*LABELS, "-m", "LabelF") == [f"{empty}.tsv: no labels {EMPTY}"]
    assert [*scores(*LABELS, "-m", "LabelF")] == [0.0]


def test_nothing_left_by_a_minimum_score() -> None:
    Path("run.tsv").write_text("".join(f"{line}\t0.5\n" for line in PREDICTED.splitlines()))
    assert said(*LABELS, "-m", "LabelF", "--min-score", 0.9) == [f"run.tsv: no labels {EMPTY}"]


def test_annotators_who_marked_nothing_or_other_documents() -> None:
    write("a.jsonl", d1=["car"], d2=["bike"])
    write("b.jsonl", d1=["plane", "car"])
    write("c.jsonl", d1=[], d2=[])
    result = run("agreement", "a.jsonl", "b.jsonl", "c.jsonl", *ON, "--json")
    document = json.loads(result.stdout)
    assert document["warnings"] == [
        "a.jsonl: 1 document is not in b.jsonl: d2. "
        "It counts as empty there. If it has another name there, use the same name on both sides.",
        "b.jsonl: 1 class is not in onto.tsv (1 of 2 annotations): 'plane' (once). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
        f"c.jsonl: no annotations {EMPTY}",
    ]
    assert result.stderr.splitlines() == [f"warning: {line}" for line in document["warnings"]]


# the default set of GATE, which has no name


def test_the_default_set_is_named_by_its_file_alone() -> None:
    """`corp1`, not `corp1#`: in failed limits, warnings, JSON and stored scores."""
    nodes = "".join(f'<Node id="{n}"/>.' for n in range(8))

    def annotations(name: str, *spans: tuple[int, int]) -> str:
        inside = "".join(
            f'<Annotation Id="{n}" Type="Mention" StartNode="{start}" EndNode="{end}"><Feature>'
            '<Name className="java.lang.String">class</Name><Value className="java.lang.String">car</Value>'
            "</Feature></Annotation>"
            for n, (start, end) in enumerate(spans)
        )
        return f"<AnnotationSet{name}>{inside}</AnnotationSet>"

    sets = annotations("", (0, 2), (3, 5)) + annotations(' Name="Key"', (0, 2), (4, 6))
    Path("corp1.xml").write_text(
        f"<GateDocument><GateDocumentFeatures/><TextWithNodes>{nodes}</TextWithNodes>{sets}</GateDocument>"
    )
    sides = ("corp1.xml", "--gold-set", "Key", "--set", "")
    result = run("annotations", *sides, "-m", "F", "--fail-under", "F=0.7", "--json", "-o", "stored.trig")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (3, "failed: corp1: F 0.500 < 0.700")
    (entry,) = json.loads(result.stdout)["results"]
    assert (entry["response"], entry["key"]) == ("corp1.xml", "corp1.xml#Key")
    (stored,) = oe.read_scores("stored.trig")
    assert stored.system == "corp1"
    assert "#" not in stored.inputs["response"].path


# Python


def extraction(response: list[str], key: list[str], **more: object) -> oe.Extraction:
    sides = (
        oe.Corpus.from_spans({"d": [(5 * n, 5 * n + 4, class_) for n, class_ in enumerate(classes)]}, name=name)
        for name, classes in (("run", response), ("gold", key))
    )
    return oe.Extraction(*sides, oe.Ontology.from_edges([("car", "vehicle")], name="onto"), **more)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (extraction(["car"], ["cars"]),
         "gold: 1 class is not in onto (1 of 1 annotations): 'cars' (once; did you mean 'car'?). "
         'Such annotations match nothing: correct them or use a more complete ontology. unknown="drop" leaves them out '
         "on both sides, which raises scores."),
        (extraction(["car"], []), f"gold: no annotations {EMPTY}"),
        (extraction([], ["car"]), f"run: no annotations {EMPTY}"),
        (extraction(["plane"], ["car"], unknown="drop"), f"run: no annotations {EMPTY}"),  # nothing is left of it
        (
            oe.Extraction(oe.Corpus.from_labels({"d": ["x"]}, name="run"),
                          oe.Corpus.from_labels({"d": ["y"], "e": ["y"]}, name="gold")),
            "gold: 1 document is not in run: e. It counts as empty there. If it has another name there, use the "
            "same name on both sides.",
        ),
    ],
)  # fmt: skip
def test_python_users_get_a_warning_that_they_can_make_an_error(task: oe.Extraction, text: str) -> None:
    measure = "LabelF" if task.labels else "F"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        result = oe.evaluate(task, measure)
    assert [str(warning.message) for warning in caught] == [text]
    assert caught[0].category is oe.OntoevalWarning
    assert caught[0].filename == __file__
    assert result.warnings == (text,)
    assert result[measure].value == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", oe.OntoevalWarning)
        with pytest.raises(oe.OntoevalWarning):
            oe.evaluate(task, measure)


def test_agreement_warns_python_users() -> None:
    task = extraction(["car"], [])
    with pytest.warns(oe.OntoevalWarning, match="gold: no annotations to compare"):
        annotator_agreement({"a": task.response, "b": task.key})


def test_a_command_can_fail_on_each_of_them() -> None:
    result = run(*LABELS, *ON, "-m", "LabelF", "--fail-on-warning")
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (1, "error: 2 warnings (--fail-on-warning).")


# names and spans that both sides write differently

SAME = "Write them alike on both sides, or set --ontology to look both up."


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Red Fox", "red fox", "ignoring case"),
        ("Red Fox", "red-fox", "ignoring case and separators"),
        ("redFox", "Red fox", "ignoring case and separators"),
        ("http://ex.org/Fox", "Fox", "by local name"),
        ("ex:Fox", "http://ex.org/Fox", "by local name"),
        ("http://ex.org#Fox", "http://other.org/Fox", "by local name"),
        ("red fox", "http://ex.org/RedFox", "by local name, ignoring case and separators"),
    ],
)
@pytest.mark.parametrize("task", ["labels", "annotations"])
def test_names_that_are_written_differently_are_told(one: str, other: str, how: str, task: str) -> None:
    if task == "labels":
        Path("run.tsv").write_text(f"d1\t{one}\nd2\tsame\n")
        Path("gold.tsv").write_text(f"d1\t{other}\nd2\tsame\n")
        assert said(*LABELS) == [
            f"run.tsv: 1 of 2 labels is in gold.tsv; 2 would be {how} ({one!r} here, {other!r} there). {SAME}"
        ]
        return
    write("run.jsonl", d1=[one, "same"])
    write("gold.jsonl", d1=[other, "same"])
    assert said(*SPANS) == [
        f"run.jsonl: 1 of 2 classes is in gold.jsonl; 2 would be {how} ({one!r} here, {other!r} there). {SAME}"
    ]


def test_what_is_advised_finds_the_names_of_both_sides() -> None:
    Path("run.tsv").write_text("d1\tCar\nd2\tbike\n")
    Path("gold.tsv").write_text("d1\tcar\nd2\tBike\n")
    assert (len(said(*LABELS, "-m", "LabelF")), *scores(*LABELS, "-m", "LabelF")) == (1, 0.0)
    assert (said(*LABELS, *ON, "-m", "LabelF"), *scores(*LABELS, *ON, "-m", "LabelF")) == ([], 1.0)


@pytest.mark.parametrize(
    ("size", "different", "is_said"), [(100, 4, False), (100, 5, True), (1000, 19, False), (1000, 20, True)]
)
def test_a_few_names_are_not_worth_a_warning(size: int, different: int, is_said: bool) -> None:
    """5 % of the names, or 20."""
    names = [f"name {n}" for n in range(size)]
    Path("gold.tsv").write_text("".join(f"d1\t{name}\n" for name in names))
    Path("run.tsv").write_text(
        "".join(f"d1\t{name.upper() if n < different else name}\n" for n, name in enumerate(names))
    )
    assert bool(said(*LABELS)) is is_said


@pytest.mark.parametrize(
    ("one", "other", "is_said"),
    [
        (["dog"], ["http://ex.org/c1"], True), (["dog", "cat", "cow"], ["leek", "bus", "yacht"], True),
        (["dog", "cat"], ["leek", "bus"], False), (["dog", "cat", "cow"], ["leek", "bus", "cow"], False),
    ],
)  # fmt: skip
def test_two_vocabularies_without_a_common_name_are_told(one: list[str], other: list[str], is_said: bool) -> None:
    Path("run.tsv").write_text("".join(f"d1\t{name}\n" for name in one))
    Path("gold.tsv").write_text("".join(f"d1\t{name}\n" for name in other))
    first = f"run.tsv: 0 of {len(one)} label{'s are' if len(one) > 1 else ' is'} in gold.tsv: e.g. {min(one)!r} here, "
    assert said(*LABELS) == ([f"{first}{min(other)!r} there. {SAME}"] if is_said else [])


def spans(path: str, *ends: tuple[int, int]) -> None:
    annotations = [{"start": start, "end": end, "class": "c"} for start, end in ends]
    Path(path).write_text(json.dumps({"document": "d1", "annotations": annotations}) + "\n")


@pytest.mark.parametrize(
    ("change", "cause", "example"),
    [
        ((1, 1), "offsets may be shifted by +1", "1 to 4 here, 0 to 3 there"),
        ((0, -1), "ends may be counted differently, by -1", "0 to 2 here, 0 to 3 there"),
        (
            None,
            "the offsets may belong to another text, or count something other than characters",
            "1 to 4 here, 0 to 3 there",
        ),
    ],
)
def test_spans_of_which_none_is_on_both_sides_are_told(
    change: tuple[int, int] | None, cause: str, example: str
) -> None:
    gold = [(0, 3), (20, 24), (50, 59), (80, 85)]
    changes = [(1, 1), (4, 4), (7, 8), (11, 10)] if change is None else [change] * 4
    spans("gold.jsonl", *gold)
    spans("run.jsonl", *((start + a, end + b) for (start, end), (a, b) in zip(gold, changes, strict=True)))
    (warning,) = said(*SPANS)
    assert warning == (
        f"run.jsonl: no span is also in gold.jsonl (nearest, in d1: {example}); {cause}. "
        "Use annotations of the same text, with offsets counted the same way."
    )


def test_one_common_span_is_enough() -> None:
    spans("gold.jsonl", (0, 3), (20, 24))
    spans("run.jsonl", (0, 3), (21, 25))
    assert said(*SPANS) == []
