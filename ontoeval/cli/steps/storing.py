"""`store_and_others`: STORE or ONTOEVAL_STORE; `Storing`: --store, --store-level, --run-base, --name and the RDF files of -o, checked (RDF: rdf/store/)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import click
from click.core import ParameterSource

from ontoeval.cli.state import note
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import status_on_stderr
from ontoeval.errors import ParameterError
from ontoeval.model.lexicon import is_iri
from ontoeval.output import RDF
from ontoeval.rdf.store import write_scores
from ontoeval.rdf.store.store import check_place as check_scores
from ontoeval.rdf.vocabulary import BASE
from ontoeval.results import EvaluationResult

VARIABLE = "ONTOEVAL_STORE"


def store_and_others(
    arguments: Sequence[str | None], other: str = "", *, is_store: Callable[[str], bool] | None = None
) -> tuple[str, list[str]]:
    """STORE and the arguments behind it; STORE may be left out if the environment names it.

    `other`: what one argument at least must say. `is_store`: whether the first of any number of arguments is STORE.
    """
    typed = [argument for argument in arguments if argument is not None]
    default, needed = os.environ.get(VARIABLE), int(bool(other))
    if default and (len(typed) <= needed or (is_store is not None and not is_store(typed[0]))):
        typed = [default, *typed]
    if not typed or len(typed) <= needed:
        if default:
            raise click.UsageError(f"no {other.removeprefix('a ')}. Name one.")
        problem = f"expected a store and {other}. Name both" if other else "no store. Name one"
        raise click.UsageError(f"{problem}, or set {VARIABLE}.")
    return typed[0], typed[1:]


class Storing:
    """Where results go as RDF, checked before the work begins; `own`: suffixes that the command writes itself."""

    def __init__(self, options: dict[str, Any], *, own: Sequence[str] = ()) -> None:
        self.outputs = Outputs(options.pop("output"), own=(*own, *RDF))
        self.store, self.level, self.base = (options.pop(name) for name in ("store", "store_level", "base"))
        self.names: tuple[str, ...] = options.pop("names")
        context = click.get_current_context()
        self._from_environment = context.get_parameter_source("store") is ParameterSource.ENVIRONMENT
        for place in self.places:
            check_scores(place)
        if self.base is not None and not is_iri(self.base):
            raise ParameterError(
                f"{self.base!r} is not an IRI", advice="Use e.g. https://example.org/terms/.", parameter="run_base"
            )

    @property
    def places(self) -> list[str]:
        """The files and the store."""
        return [*self.outputs.of(*RDF), *([] if self.store is None else [self.store])]

    def names_for(self, count: int) -> list[str | None]:
        """--name for each input: none, or one each."""
        if self.names and len(self.names) != count:
            times = "once" if len(self.names) == 1 else f"{len(self.names)} times"
            problem = f"--name is set {times} for {count} input{'s' * (count > 1)}"
            raise click.UsageError(f"{problem}. Set it once for each input, in order.")
        return list(self.names) or [None] * count

    def write(self, results: Sequence[EvaluationResult]) -> None:
        """Write the results to the files and to the store."""
        for place in self.places:
            with status_on_stderr(f"storing in {place}") as status:
                level = self.level != "totals"
                write_scores(results, place, base=self.base or BASE, local=level, waiting=status or note)
        if self._from_environment:
            note(f"{self.store}: scores added ({VARIABLE})")
