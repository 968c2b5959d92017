"""`measure` (decorator), `Definition`, `Family`, `Measure`, `Parameter`, `UnmetNeedError`; names: names.py."""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from ontoeval.errors import MissingInputError, ParameterError, UnknownMeasureError, did_you_mean, listed
from ontoeval.measures.names import WORD, current_parameter, read_name
from ontoeval.results import Score

Function = TypeVar("Function", bound=Callable[..., Score])
Check = Callable[[Mapping[str, Any]], None]
Scale = tuple[tuple[float, float], float | None]  # the range of the values, and the best one
Dimension = Literal[
    "lexical", "structural", "relational", "instance assignment", "concept similarity", "extraction", "labelling",
    "agreement",
]  # fmt: skip

DIMENSIONS: tuple[str, ...] = typing.get_args(Dimension)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a measure."""

    name: str
    default: Any
    kinds: tuple[type, ...]  # of values other than fixed words: float, int, Measure, str (any word)
    choices: tuple[Any, ...]  # fixed words, numbers and truth values, the default first
    callable: bool  # from Python, a function is possible, too

    @property
    def expected(self) -> str:
        """What may be given, for an error message."""
        texts = [*map(spelled, self.choices)]
        names = {float: "a number", int: "a whole number", str: "a name"}
        texts += [names.get(kind, "a measure") for kind in self.kinds]
        return " or ".join(texts) if len(texts) < 3 else ", ".join(texts[:-1]) + " or " + texts[-1]

    def convert(self, value: Any, owner: str, parse: Callable[[str], Measure]) -> Any:
        """The value in its proper type."""
        if callable(value) and self.callable and not isinstance(value, Measure):
            return value
        for choice in self.choices:
            if value == choice or value == spelled(choice):
                return choice
        for kind in self.kinds:
            converted = _convert(value, kind, parse)
            if converted is not None:
                return converted
        hint = did_you_mean(str(value), map(spelled, self.choices))
        raise ParameterError(
            f"{owner} does not take {self.name}={value}",
            advice=f"{hint} Use {self.expected}.".strip(),
            parameter=self.name,
        )


def _convert(value: Any, kind: type, parse: Callable[[str], Measure]) -> Any:
    if kind is str:
        return value if isinstance(value, str) and re.fullmatch(WORD, value) else None
    if kind is Measure:
        return parse(value) if isinstance(value, str) else value if isinstance(value, Measure) else None
    if isinstance(value, bool):
        return None
    try:
        if kind is int and isinstance(value, float) and not value.is_integer():
            return None
        number = kind(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if kind is int or math.isfinite(number) else None


def spelled(value: Any) -> str:
    """A value as the grammar writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return getattr(value, "__qualname__", None) or str(value)


class Family(NamedTuple):
    """An F-measure with its precision and recall, as a table for people has them in one row."""

    word: str  # "Links"
    meaning: str  # what it tells, in half a line: "direct links found"
    precision: str  # name of the measure
    recall: str


@dataclass(frozen=True, eq=False, repr=False)
class Definition:
    """A name, its function, the parameters that the name fixes, and the range and meaning of the values."""

    name: str
    function: Callable[..., Score]
    source: str
    dimension: Dimension
    fixed: Mapping[str, Any]
    symmetric: bool
    range: tuple[float, float]
    best: float | None  # None: neither more nor less is better
    identity: bool  # equal inputs give the best value
    needs: tuple[str, ...]
    check: Check | None
    scale: Callable[[Mapping[str, Any]], Scale | None] | None = None  # where parameters change range and best
    sets: Mapping[str, int] = field(default_factory=dict)  # the named sets that have it, and its place in each
    family: Family | None = None  # of an F-measure: what people read of it, and of its precision and recall
    purpose: str = ""  # what it is good for, in a few sentences
    example: tuple[str, str] | None = None  # a learned ontology and a gold standard among the fixtures
    meanings: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)  # what values of parameters add to a label

    def __repr__(self) -> str:
        return f"<Definition {self.name}: {self.label} ({self.dimension})>"

    @property
    def default(self) -> int:
        """The place among the default measures, 0: none of them."""
        return self.sets.get("core", 0)

    @cached_property
    def _hints(self) -> Mapping[str, Any]:
        return typing.get_type_hints(self.function)

    @cached_property
    def task(self) -> type:
        """The class that the measure is computed on: the type of the first argument."""
        first = next(iter(inspect.signature(self.function).parameters), "")
        if first not in self._hints:
            raise ParameterError(
                f"the measure {self.name!r} does not declare its task",
                advice="Annotate the type of its first argument.",
            )
        task: type = self._hints[first]
        return task

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The keyword-only arguments."""
        arguments = inspect.signature(self.function).parameters.values()
        return {
            p.name: _parameter(p.name, p.default, self._hints[p.name])
            for p in arguments
            if p.kind is inspect.Parameter.KEYWORD_ONLY
        }

    @property
    def defaults(self) -> dict[str, Any]:
        """Every parameter with its value when only the name is given."""
        return {name: p.default for name, p in self.parameters.items()} | dict(self.fixed)

    @property
    def open(self) -> tuple[Parameter, ...]:
        """The parameters that the name does not fix."""
        return tuple(p for name, p in self.parameters.items() if name not in self.fixed)

    @property
    def label(self) -> str:
        """The first line of the docstring, with what the values of parameters mean; a preset adds what it fixes."""
        return self.label_with(self.defaults) + (f" ({_arguments(self.fixed)})" if self.fixed else "")

    def label_with(self, parameters: Mapping[str, Any]) -> str:
        """The first line of the docstring, with what the values of parameters mean."""
        first = inspect.cleandoc(self.function.__doc__ or "").split("\n", 1)[0].rstrip(".")
        meanings = (words.get(parameters[name], "") for name, words in self.meanings.items())
        return "; ".join([first, *filter(None, meanings)])

    @property
    def definition(self) -> str:
        """The docstring without its first line."""
        return inspect.cleandoc(self.function.__doc__ or "").partition("\n")[2].strip()


def _parameter(name: str, default: Any, hint: Any) -> Parameter:
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    choices: list[Any] = []
    kinds: list[type] = []
    function = False
    for option in options:
        if typing.get_origin(option) is Literal:
            choices += typing.get_args(option)
        elif option is bool:
            choices += [False, True]
        elif option in (int, float, str, Measure):
            kinds.append(option)
        else:
            function = True
    ordered = sorted(choices, key=lambda choice: choice != default)
    return Parameter(name, default, tuple(kinds), tuple(ordered), function)


def _arguments(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={spelled(value)}" for name, value in parameters.items())


class UnmetNeedError(MissingInputError):
    """A measure needs what the task does not have.

    need: the message without its subject, "needs an ontology". measure: the name by which the measure was asked for; a
    measure's function does not know it, and `Measure` adds it.
    """

    def __init__(self, need: str, *, measure: str | None = None, advice: str | None = None) -> None:
        self.need, self.measure = need, measure
        super().__init__(f"{measure or 'this measure'} {need}", advice=advice)


@dataclass(frozen=True, eq=False)
class Measure:
    """A definition with a value for every parameter: what can be computed."""

    definition: Definition
    parameters: Mapping[str, Any]
    registry: Registry = field(repr=False)

    def __call__(self, task: Any) -> Score:
        try:
            return self.definition.function(task, **self.parameters)
        except UnmetNeedError as error:
            if error.measure is not None:  # of another measure that this one uses
                raise
            raise UnmetNeedError(error.need, measure=str(self), advice=error.advice) from None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Measure)
            and self.definition.function is other.definition.function
            and self.parameters == other.parameters
        )

    def __hash__(self) -> int:
        return hash((self.definition.function, *sorted(self.parameters)))

    def __str__(self) -> str:
        definition = self.preset
        changed = {name: value for name, value in self.parameters.items() if value != definition.defaults[name]}
        return f"{definition.name}({_arguments(changed)})" if changed else definition.name

    def __repr__(self) -> str:
        return f"<measure {self}>"

    @property
    def preset(self) -> Definition:
        """The preset with exactly these parameters, if there is one, else the bare definition."""
        for preset in self.registry.presets(self.definition.function):
            if preset.defaults == self.parameters:
                return preset
        return self.registry.bare(self.definition.function)

    @property
    def label(self) -> str:
        """What it measures, with values for symbols (parameters of one letter): `the first 10 ranked labels`."""
        preset = self.preset
        label = preset.label if preset.fixed else preset.label_with(self.parameters)
        symbols = {name: spelled(value) for name, value in self.parameters.items() if len(name) == 1}
        return re.sub(r"\b[A-Za-z]\b", lambda letter: symbols.get(letter[0], letter[0]), label)

    @property
    def family(self) -> Family | None:
        """That of an F-measure, by its name: F(spans=lenient) is like F, though no name has exactly its parameters."""
        return (self.definition if self.definition.fixed and not self.preset.fixed else self.preset).family

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value with these parameters."""
        return self._scale[0]

    @property
    def best(self) -> float | None:
        """The best value with these parameters; None: neither more nor less is better."""
        return self._scale[1]

    @property
    def _scale(self) -> Scale:
        scale = self.definition.scale(self.parameters) if self.definition.scale is not None else None
        return scale or (self.definition.range, self.definition.best)


def precision_and_recall(measure: Measure) -> list[Measure]:
    """Those that an F-measure (TF_csc, PlaceF) is made of, with the same parameters; any other measure itself."""
    name = measure.registry.bare(measure.definition.function).name
    known = {definition.name: definition for definition in measure.registry}
    names = [name[:-1] + part for part in "PR"]
    if not name.endswith("F") or not all(part in known for part in names):
        return [measure]
    return [measure.registry.make(known[part], measure.parameters) for part in names]


class Registry:
    """All measures by name."""

    def __init__(self) -> None:
        self._definitions: dict[str, Definition] = {}

    def add(self, definition: Definition) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", definition.name):
            raise ParameterError(
                f"{definition.name!r} is not a name for a measure", advice="Use letters, digits and _."
            )
        known = self._definitions.get(definition.name)
        if known is not None and known.function.__qualname__ != definition.function.__qualname__:
            raise ParameterError(f"two measures have the name {definition.name!r}", advice="Rename one.")
        self._definitions[definition.name] = definition

    def __iter__(self) -> Iterator[Definition]:
        return iter(self._definitions.values())

    def presets(self, function: Callable[..., Score]) -> list[Definition]:
        return [d for d in self if d.function is function and d.fixed]

    def bare(self, function: Callable[..., Score]) -> Definition:
        definitions = [d for d in self if d.function is function]
        return next((d for d in definitions if not d.fixed), definitions[0])

    def definition(self, name: str) -> Definition:
        """The definition of a name without parameters."""
        if name not in self._definitions:
            raise UnknownMeasureError(
                f"unknown measure {name!r}",
                advice=f"{_similar(name, self._definitions)} See `ontoeval measures`.".strip(),
            )
        return self._definitions[name]

    def parse(self, text: str, /, **parameters: Any) -> Measure:
        """`TP(extract=sc)` to a measure; parameters may also come as keywords, and then be functions."""
        if not isinstance(text, str):
            raise ParameterError(f"{text!r} is not the name of a measure", advice="Use e.g. 'TF_csc'.")
        name, arguments = read_name(text)
        definition = self.definition(name)
        return self.make(definition, {**arguments, **parameters})

    def current_name(self, text: str) -> str:
        """A name as it is written today: with `spans=` for `match=`; what cannot be read stays as it is."""
        try:
            name, arguments = read_name(text)
            known = self.definition(name).parameters
        except (ParameterError, UnknownMeasureError):
            return text
        for key in arguments:
            text = re.sub(rf"\b{key}(?=\s*=)", current_parameter(key, known), text)
        return text

    def make(self, definition: Definition, arguments: Mapping[str, Any]) -> Measure:
        parameters = definition.defaults
        for written, value in arguments.items():
            key = current_parameter(written, definition.parameters)
            if key != written and key in arguments:
                raise ParameterError(f"{written}= is another name of {key}=", advice="Set one of them.", parameter=key)
            if key not in definition.parameters:
                known = f"Use one of: {listed(definition.parameters)}." if definition.parameters else "It has none."
                raise ParameterError(
                    f"{definition.name} has no parameter {key!r}",
                    advice=f"{did_you_mean(key, definition.parameters)} {known}".strip(),
                    parameter=key,
                )
            argument = definition.parameters[key].convert(value, definition.name, self.parse)
            if key in definition.fixed and argument != definition.fixed[key]:
                raise ParameterError(
                    f"{definition.name} is {_arguments(definition.fixed)}; it does not take {key}={spelled(argument)}",
                    advice=f"Use {self.bare(definition.function).name}(...).",
                    parameter=key,
                )
            parameters[key] = argument
        if definition.check is not None:
            definition.check(parameters)
        return Measure(definition, parameters, self)


def _similar(name: str, known: Mapping[str, Definition]) -> str:
    folded = {key.casefold(): key for key in known}
    if name.casefold() in folded:
        return f" Did you mean {folded[name.casefold()]!r}?"
    return did_you_mean(name, known)


REGISTRY = Registry()


def measure(
    name: str,
    *,
    source: str,
    dimension: Dimension,
    params: Mapping[str, Any] | None = None,
    symmetric: bool = False,
    range: tuple[float, float] = (0.0, 1.0),
    best: float | None = 1.0,
    identity: bool = True,
    default: int = 0,
    needs: Sequence[str] = (),
    check: Check | None = None,
    scale: Callable[[Mapping[str, Any]], Scale | None] | None = None,
    sets: Mapping[str, int] | None = None,
    family: Family | None = None,
    purpose: str = "",
    example: tuple[str, str] | None = None,
    meanings: Mapping[str, Mapping[Any, str]] | None = None,
) -> Callable[[Function], Function]:
    """Register a function as the measure `name`; with `params` as a preset that fixes some parameters.

    The type of the first argument is the task, the keyword-only arguments are the parameters, the first line of the
    docstring is the label and the rest the definition. `scale` gives range and best value where parameters change them.
    `default` is the place among the default measures, the set "core"; `sets` has other named sets with the place in
    each. `family` is for F-measures. `purpose` says what the measure is good for, `example` names two fixtures.
    `meanings` are words that values of a parameter add to the label: {"credit": {"high": "..."}}.

    Examples
    --------
    >>> import ontoeval as oe
    >>> from ontoeval.results import Score
    >>> @oe.measure("Common", source="this example", dimension="lexical", range=(0, float("inf")), best=None)
    ... def common(task: oe.Comparison) -> Score:
    ...     "Number of common concepts."
    ...     return Score(len(task.matching))
    >>> animals = oe.Ontology.from_edges([("cat", "animal"), ("dog", "animal")])
    >>> oe.compare(animals, animals, "Common")["Common"].value
    3
    """

    def register(function: Function) -> Function:
        REGISTRY.add(
            Definition(
                name=name,
                function=function,
                source=source,
                dimension=dimension,
                fixed=dict(params or {}),
                symmetric=symmetric,
                range=range,
                best=best,
                identity=identity,
                needs=tuple(needs),
                check=check,
                scale=scale,
                sets=({"core": default} if default else {}) | dict(sets or {}),
                family=family,
                purpose=purpose,
                example=example,
                meanings=dict(meanings or {}),
            )
        )
        return function

    return register
