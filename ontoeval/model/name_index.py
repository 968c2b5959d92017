"""`NameIndex`: what a name means, the same wherever one is looked up (concepts: lookup.py; of files: load/)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from ontoeval.errors import did_you_mean
from ontoeval.model.lexicon import is_iri, local_name

SUGGEST_BELOW = 50_000  # names; comparing with all of more takes seconds
_ALIKE = 2  # letters at the beginning


class NameIndex:
    """Numbers by IRI, former IRI, label and local name.

    A name is looked up exactly, then without case, then as a CURIE, then as a former local name or OBO id; the first
    that finds something counts.
    """

    def __init__(
        self,
        iris: Mapping[str, int],
        labels: Callable[[], Iterable[tuple[str, int]]],
        former: Mapping[str, int] | None = None,
        senses: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        """`labels` are asked for when an IRI does not do; `senses`: of a word (`_` for blanks), by order of use."""
        self._iris, self._labels = iris, labels
        self._former, self._senses = former or {}, senses or {}

    def find(self, name: str, *, any_case: bool = False) -> tuple[int, ...]:
        """What a name means: nothing, one, or several; an IRI means one.

        any_case: a word in lower case also means what differs from it in case only, after what is called exactly so.
        """
        if name in self._iris:
            return (self._iris[name],)
        if name in self._former:
            return (self._former[name],)
        underscored = name.replace(":", "_", 1)  # GO:0008150 is .../GO_0008150
        return (
            self.called(name, any_case=any_case)
            or self.called(underscored)
            or self._with_curie(name)
            or self._by_former_name.get(underscored, ())
        )

    def called(self, name: str, *, any_case: bool = False) -> tuple[int, ...]:
        """What has exactly this label or local name, or if nothing has, what differs in case only.

        Of a word whose senses are listed, these, in the order of use.
        """
        senses = self._senses.get(name) or self._senses.get(name.casefold().replace(" ", "_"))
        if senses:
            return senses
        exact, folded = self._by_name
        same, alike = exact.get(name, set()), folded.get(name.casefold(), set())
        if same and not (any_case and name == name.casefold()):
            return tuple(sorted(same))
        return (*sorted(same), *sorted(alike - same))

    def suggestion(self, name: str) -> str:
        """` Did you mean 'a'?`, or nothing: an IRI, else a label or local name."""
        few = (_near(name, names) for names in (self._iris, self._by_name[0]))
        return next(filter(None, (did_you_mean(name, names) for names in few)), "")

    @cached_property
    def _by_name(self) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
        exact: dict[str, set[int]] = {}
        folded: dict[str, set[int]] = {}
        for text, number in [*self._labels(), *((local_name(iri), number) for iri, number in self._iris.items())]:
            exact.setdefault(text, set()).add(number)
            folded.setdefault(text.casefold(), set()).add(number)
        return exact, folded

    def _with_curie(self, name: str) -> tuple[int, ...]:
        """What has the local name of a CURIE, of several that with the prefix in its namespace."""
        prefix, colon, local = name.partition(":")
        if not colon or is_iri(name) or not local:
            return ()
        iris = {number: self._iri_of.get(number, "") for number in self.called(local)}
        named = [number for number, iri in iris.items() if local_name(iri) == local]
        in_namespace = [n for n in named if prefix.casefold() in iris[n].removesuffix(local).casefold()]
        return tuple(in_namespace or named)

    @cached_property
    def _iri_of(self) -> dict[int, str]:
        return {number: iri for iri, number in self._iris.items()}

    @cached_property
    def _by_former_name(self) -> dict[str, tuple[int, ...]]:
        names: dict[str, set[int]] = {}
        for iri, number in self._former.items():
            names.setdefault(local_name(iri), set()).add(number)
        return {name: tuple(sorted(numbers)) for name, numbers in names.items()}


def _near(name: str, names: Collection[str]) -> Collection[str]:
    """The names to compare one with: of many those that begin alike and are about as long."""
    if len(names) < SUGGEST_BELOW:
        return names
    start, room = name[:_ALIKE].casefold(), max(2, len(name) // 4)
    return [one for one in names if abs(len(one) - len(name)) <= room and one[:_ALIKE].casefold() == start]
