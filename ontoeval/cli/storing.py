"""`Storing`: options -o, --store, --no-local, --base, --system of several commands, checked (RDF: rdf/store/)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ontoeval.cli.options import with_options
from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.files import check_writable
from ontoeval.model.lexicon import is_iri
from ontoeval.rdf.store import write_scores
from ontoeval.rdf.store.store import check_place as check_scores
from ontoeval.rdf.vocabulary import BASE
from ontoeval.results import EvaluationResult

_STORING_OPTIONS = [
    click.option("-o", "--output", metavar="FILE", help="Add the scores as RDF to a .trig or .nq file."),
    click.option("--store", metavar="DIR|URL", help="Add the scores as RDF to a store: a folder or a SPARQL endpoint."),
    click.option("--no-local", is_flag=True, help="Leave the scores of single concepts out of -o and --store."),
    click.option("--base", metavar="IRI", help="What makes an IRI of a concept's plain name, in -o and --store."),
    click.option("--system", metavar="NAME", help="Who made what is judged (the file's name), in -o and --store."),
]  # fmt: skip
storing_options = with_options(_STORING_OPTIONS)


class Storing:
    """Where results go as RDF, checked before the work begins."""

    NAMES = ("output", "store", "no_local", "base", "system")

    def __init__(self, options: dict[str, Any]) -> None:
        self.output, self.store, self.no_local, self.base, self.system = (options.pop(name) for name in self.NAMES)
        if self.output is not None:
            check_writable(self.output)
            if Path(self.output).suffix.lower() not in (".trig", ".nq"):
                raise OntoevalError(
                    "cannot tell the format of -o", place=self.output, advice="Give a name that ends in .trig or .nq."
                )
        for place in self.places:
            check_scores(place)
        if self.base is not None and not is_iri(self.base):
            raise ParameterError(
                f"the base {self.base!r} is no IRI",
                advice="For instance: https://example.org/terms/.",
                parameter="base",
            )

    @property
    def places(self) -> list[str]:
        """The file and the store, as far as they were named."""
        return [place for place in (self.output, self.store) if place is not None]

    def write(self, results: Sequence[EvaluationResult]) -> None:
        """Write the results to the file and to the store."""
        for place in self.places:
            write_scores(results, place, base=self.base or BASE, local=not self.no_local)
