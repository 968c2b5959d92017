"""What many tests do: run a command, read what it prints, catch what is refused, compare two small ontologies."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import json_schemas
import pytest
from click.testing import CliRunner, Result
from twin_compare import Case

from ontoeval.cli import main
from ontoeval.cli.steps.checks import FILE_LAYOUTS
from ontoeval.errors import OntoevalError
from ontoeval.matching.matcher import match
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.comparison import Comparison

# Commands. A test file of one command binds its name: run = partial(helpers.run, "correlate").

# how files of single values may end: `.tsv, .csv or .json`
ENDINGS = f"{', '.join([*FILE_LAYOUTS][:-1])} or {[*FILE_LAYOUTS][-1]}"


def run(*arguments: object, stdin: str | bytes | None = None, environment: Mapping[str, str] | None = None) -> Result:
    """`ontoeval` with these arguments."""
    return CliRunner().invoke(main, [*map(str, arguments)], input=stdin, env=environment)


def printed(*arguments: object, stdin: str | bytes | None = None, remarks: bool = False) -> str:
    """What a run prints that succeeds; nothing on stderr unless there may be remarks."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    assert remarks or result.stderr == ""
    return result.stdout


def printed_json(*arguments: object, **options: Any) -> dict[str, Any]:
    """The JSON of a run as for `printed`; it conforms to its schema, if it has one."""
    found: dict[str, Any] = json.loads(printed(*arguments, "--json", **options))
    if "schema" in found:
        json_schemas.check(found)
    return found


def body(document: dict[str, Any]) -> dict[str, Any]:
    """What stands behind the schema, to which it conforms, and the version."""
    json_schemas.check(document)
    assert list(document)[:2] == ["schema", "version"]
    return {key: value for key, value in document.items() if key not in ("schema", "version")}


def entry(*arguments: object, **options: Any) -> dict[str, Any]:
    """The only entry of `results` in the JSON of a run."""
    (found,) = printed_json(*arguments, **options)["results"]
    return found


def refused(*arguments: object, code: int = 1, stdin: str | bytes | None = None) -> str:
    """The message of a run that fails and prints nothing else."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)  # no traceback
    assert result.stdout == ""
    if code == 1:  # 2 is click's, with the usage above the message
        assert result.stderr.startswith("error: ")
        assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").rstrip("\n")


def squeezed(text: str) -> list[str]:
    """The lines, with one blank wherever there are several."""
    return [" ".join(line.split()) for line in text.splitlines()]


def without_rules(text: str) -> list[str]:
    """The lines but those under headers."""
    return [line for line in text.splitlines() if not line.startswith("  ─")]


# Files


def work_in(folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str]) -> Path:
    """Make this the current folder, with these files in it."""
    for name, text in files.items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    return folder


def data_folder(shared_data: Path, name: str) -> Path:
    """A folder of the shared data, which not every copy of it has."""
    found = shared_data / name
    if not found.is_dir():
        pytest.skip(f"{name} is not among the shared data")
    return found


def tsv_rows(path: Path) -> list[dict[str, str]]:
    """The lines of a table by its header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


# The library


def refusal(error: type[OntoevalError], function: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The message with which a call is refused."""
    with pytest.raises(error) as caught:
        function(*arguments, **options)
    return str(caught.value)


def near(expected: Any, tolerance: float = 1e-9) -> Any:
    """Equal but for rounding: a number, or numbers in a list or dict."""
    return pytest.approx(expected, rel=tolerance, abs=tolerance)


def by_iri(learned: Ontology, gold: Ontology, **options: Any) -> Comparison:
    """Matched by IRI; the options are those of matching."""
    return Comparison(learned, gold, match(learned, gold, by="iri", **options))


def compared(learned: Any, gold: Any, by: Any = "iri", **options: Any) -> Comparison:
    """Of edges or of all arguments of two ontologies; the options are arguments of both."""
    sides = [
        Ontology.from_edges(**{**(side if isinstance(side, dict) else {"edges": side}), **options})
        for side in (learned, gold)
    ]
    return Comparison(*sides, match(*sides, by=by))


def comparison(case: Case) -> Comparison:
    """The task of which `case.pair` is the twin."""
    return compared(case.learned, case.gold, case.pairs)


def tree(text: str) -> list[tuple[str, str]]:
    """`r:a,b a:c` as edges."""
    rows = (row.split(":") for row in text.split())
    return [(child, parent) for parent, children in rows for child in children.split(",")]


def concepts(ontology: Ontology) -> set[str]:
    """The concepts of the file, without an added root."""
    return set(ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :])


def weighted_edges(ontology: Ontology) -> dict[tuple[str, str], float]:
    """The edges of the file, no added ones: (child, parent) -> weight."""
    above, iris, given = ontology.hierarchy.parents, ontology.hierarchy.iris, ontology.hierarchy.given
    columns = (column[given].tolist() for column in (above.tails, above.indices, above.weights))
    return {(iris[child], iris[parent]): weight for child, parent, weight in zip(*columns, strict=True)}


def edges(ontology: Ontology) -> set[tuple[str, str]]:
    """The edges of the file, no added ones: (child, parent)."""
    return set(weighted_edges(ontology))


AnnotationRow = tuple[str, int, int, str | None, str | None, float | None]


def annotation_rows(corpus: Corpus) -> list[AnnotationRow]:
    """Document, start, end, concept, instance and score of every annotation."""

    def name(names: tuple[str, ...], at: int) -> str | None:
        return None if at < 0 else names[at]

    return [
        (
            corpus.documents[corpus.document[at]],
            int(corpus.start[at]),
            int(corpus.end[at]),
            name(corpus.concepts, corpus.concept[at]),
            name(corpus.instances, corpus.instance[at]),
            None if corpus.score[at] != corpus.score[at] else float(corpus.score[at]),
        )
        for at in range(len(corpus))
    ]
