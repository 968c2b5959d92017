"""WordNet data files: `is_wordnet`, `read_wordnet`: synsets, hypernyms, names (dog.n.01); senses from the index."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ontoeval.errors import LoadError, number_of
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.options import LoadOptions

_FILE = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}  # type of a synset -> the file it is in
_FETCH = "The file is damaged or truncated: download it again."
_HYPERNYMS = ("@", "@i")  # a kind of, an instance of
_START = re.compile(r"\d{8} \d\d [nvasr] [\da-fA-F]{2} ", re.ASCII)
_OFFSET = re.compile(r"[0-9]{8}")
_COUNT = re.compile(r"[0-9]{1,6}")
_MARKER = re.compile(r"\((?:a|p|ip)\)$")  # where an adjective may stand
# A line of a data file (offset, file number, part of speech, words, pointers), of its index, of the head of both.
_SYNSET_LINE = re.compile(r"\d{8} \d\d [nvasr] [\da-f]{2} (?:[^\s|]++ [\da-f] )++\d{3} ", re.ASCII)
_INDEX_LINE = re.compile(r"\S++ [nvar] \d++ \d++ (?:\D\S?+ )*+\d++ \d++(?: \d{8})++ *+")
_LICENCE_LINE = re.compile(r"  \d{1,3} ")
_DATA_NAME = re.compile(r"(.*)data(\.(?:noun|verb|adj|adv))(\.(?:gz|bz2|xz|zip))?", re.I)


class _Synset(NamedTuple):
    line: int
    offset: str
    kind: str  # n, v, a, s or r
    lemmas: list[str]
    parents: list[str]  # offsets in the same file


def is_wordnet(head: Head) -> Fit:
    """A data file with or without its head, or an index with its head (of which the reader says what to do)."""
    text = head.source.head.decode("utf-8", "replace") if head.text else ""
    lines = [line for line in text.splitlines() if line.strip()]
    body = next((n for n, line in enumerate(lines) if not _LICENCE_LINE.match(line)), len(lines))
    if body == len(lines):
        return Fit.NO
    first = lines[body]
    return Fit.SURELY if _SYNSET_LINE.match(first) or (body and _INDEX_LINE.fullmatch(first)) else Fit.NO


def read_wordnet(source: Input, options: LoadOptions) -> Facts:
    """A data file: synsets are concepts, hypernyms their parents, words their labels.

    With the index beside it concepts are called `dog.n.01`, the other words and the offset (`02084071-n`) lead to
    them, and the senses of words are in the order of use. Without it they are called by their offset. The forms of an
    exception list beside it (`noun.exc`) lead to the concepts of their base forms.
    """
    synsets = {synset.offset: synset for synset in _synsets(source, lenient=options.lenient)}
    if not synsets:
        raise LoadError(
            "no synsets found",
            advice="Use a data file of WordNet, e.g. data.noun.",
            path=source.name,
        )
    facts = Facts(profile="names")
    index = _index_beside(source, lenient=options.lenient)
    if index is None:
        file = _FILE[next(iter(synsets.values())).kind]
        facts.notes.append(
            f"no index.{file} beside data.{file}: concepts are named by their offset, and the senses of a word have "
            "no order"
        )
    sense_numbers = {
        (word, offset): position
        for word, offsets in (index or {}).items()
        for position, offset in enumerate(offsets, 1)
    }
    numbers = {synset.offset: _concept(facts, synset, sense_numbers) for synset in synsets.values()}
    _edges(facts, synsets, numbers)
    for word, offsets in (index or {}).items():
        concepts = [numbers[offset] for offset in offsets if offset in numbers]
        if concepts:
            facts.senses[word] = concepts
    _irregular_forms(facts, source, synsets.values(), numbers, lenient=options.lenient)
    unnamed = sum(1 for synset in synsets.values() if _sense(synset, synset.lemmas[0], sense_numbers) is None)
    if index is not None and unnamed:
        synsets_without = number_of(unnamed, "synset is", "synsets are")
        facts.notes.append(f"{synsets_without} named by offset, as the first word is not in the index")
    return facts


def _concept(facts: Facts, synset: _Synset, sense_numbers: dict[tuple[str, str], int]) -> int:
    """Add a synset with its names and labels."""
    by_offset = f"{synset.offset}-{synset.kind}"
    name = _sense(synset, synset.lemmas[0], sense_numbers) or by_offset
    number = facts.number(name)
    facts.concepts.append(number)
    others = [by_offset, *(_sense(synset, lemma, sense_numbers) or by_offset for lemma in synset.lemmas)]
    if synset.kind == "s":  # a satellite is an adjective, too
        adjective = synset._replace(kind="a")
        others += [
            f"{synset.offset}-a",
            *(_sense(adjective, lemma, sense_numbers) or by_offset for lemma in synset.lemmas),
        ]
    facts.aliases.update((other, name) for other in others if other != name)
    for position, lemma in enumerate(synset.lemmas):
        facts.label(number, lemma.replace("_", " "), "en", "alternative" if position else "preferred")
    return number


def _sense(synset: _Synset, lemma: str, sense_numbers: dict[tuple[str, str], int]) -> str | None:
    """`dog.n.01`, if the index has this sense of the word."""
    word = lemma.lower()
    position = sense_numbers.get((word, synset.offset))
    return None if position is None else f"{word}.{synset.kind}.{position:02d}"


def _edges(facts: Facts, synsets: dict[str, _Synset], numbers: dict[str, int]) -> None:
    outside = 0
    for synset in synsets.values():
        for parent in synset.parents:
            if parent in numbers:
                facts.edge(numbers[synset.offset], numbers[parent])
            else:
                outside += 1
    if outside:
        facts.notes.append(f"{number_of(outside, 'hypernym is', 'hypernyms are')} not in the file; left out")


def _lines(source: Input, *, lenient: bool) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, without the licence at the head."""
    text = source.read_text(lenient=lenient)
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("  "):
            yield number, line


def _synsets(source: Input, *, lenient: bool) -> Iterator[_Synset]:
    first: dict[str, _Synset] = {}
    for number, line in _lines(source, lenient=lenient):
        synset = _synset(line, number, source.name)
        earlier = first.setdefault(synset.offset, synset)
        if earlier is not synset:
            raise _error(f"line {earlier.line} has the same offset, {synset.offset}", source.name, number)
        if _FILE[synset.kind] != _FILE[next(iter(first.values())).kind]:
            raise LoadError(
                f"this is a synset of data.{_FILE[synset.kind]}, but those before are of data."
                f"{_FILE[next(iter(first.values())).kind]}",
                advice="Use one file at a time: their offsets overlap.",
                path=source.name,
                format="wordnet",
                line=number,
            )
        yield synset


def _synset(line: str, number: int, path: str) -> _Synset:
    """A line `offset file type words [word id]... pointers [symbol offset type words]... | gloss`."""
    if not _START.match(line):
        if _senses(line):
            raise LoadError(
                "this is the index of WordNet, not its data",
                advice="Use the data file beside it, e.g. data.noun.",
                path=path,
                format="wordnet",
                line=number,
            )
        raise _error(f"{line[:16]!r} is not the start of a synset, e.g. '02084071 05 n 03 '", path, number)
    cells = line.partition("|")[0].split()
    kind = cells[2]
    count = int(cells[3], 16)
    words_end = 4 + 2 * count
    if not count or len(cells) <= words_end:
        raise _error(f"found {number_of(max(len(cells) - 4, 0) // 2, 'word', 'words')}, expected {count}", path, number)
    pointer_count = cells[words_end]
    if not _COUNT.fullmatch(pointer_count):
        raise _error(f"the number of pointers after {count} words is {pointer_count!r}", path, number)
    pointers = cells[words_end + 1 : words_end + 1 + 4 * int(pointer_count)]
    if len(pointers) < 4 * int(pointer_count):
        raise _error(f"found {len(pointers) // 4} pointers, expected {int(pointer_count)}", path, number)
    parents = []
    for symbol, offset, target_kind in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True):
        if not _OFFSET.fullmatch(offset) or target_kind not in _FILE:
            raise _error(f"the pointer '{symbol} {offset} {target_kind}' is invalid", path, number)
        if symbol in _HYPERNYMS and _FILE[target_kind] == _FILE[kind]:
            parents.append(offset)
    lemmas = cells[4:words_end:2]
    return _Synset(number, cells[0], kind, [_MARKER.sub("", lemma) or lemma for lemma in lemmas], parents)


def _index_beside(source: Input, *, lenient: bool) -> dict[str, list[str]] | None:
    """The offsets of the senses of each word, from the index in the same folder."""
    path = _file_beside(source, lambda prefix, part: f"{prefix}index.{part}")
    if path is None:
        return None
    with closing(open_input(path, limit=source.limit)) as index:
        return dict(_index(index, lenient=lenient))


def _file_beside(source: Input, name: Callable[[str, str], str]) -> Path | None:
    """The file in the same folder with the name for a prefix and a part of speech, packed as the data or not."""
    match = None if source.path is None else _DATA_NAME.fullmatch(source.path.name)
    if source.path is None or match is None:
        return None
    file = name(match[1], match[2].removeprefix("."))
    paths = (source.path.with_name(file + packed) for packed in dict.fromkeys((match[3] or "", "")))
    return next((path for path in paths if path.is_file()), None)


def _irregular_forms(
    facts: Facts, source: Input, synsets: Iterable[_Synset], numbers: Mapping[str, int], *, lenient: bool
) -> None:
    """Let the forms of the exception list beside the data (`mice mouse`) mean what their base forms do.

    A word that WordNet itself has means what it has there.
    """
    path = _file_beside(source, lambda prefix, part: f"{prefix}{part}.exc")
    if path is None:
        return
    concepts: dict[str, list[int]] = {}
    for synset in synsets:
        for lemma in synset.lemmas:
            concepts.setdefault(lemma.lower(), []).append(numbers[synset.offset])
    concepts |= facts.senses  # in the order of use
    with closing(open_input(path, limit=source.limit)) as exceptions:
        forms = [(line, words.split()) for line, words in _lines(exceptions, lenient=lenient)]
    meanings: dict[str, list[int]] = {}
    for line, (form, *bases) in forms:
        if not bases:
            raise _error(f"{form!r} has no base form", str(path), line)
        senses = [concept for base in bases for concept in concepts.get(base, ())]
        if senses and form not in concepts:
            meanings.setdefault(form, []).extend(senses)
    facts.senses.update((form, list(dict.fromkeys(senses))) for form, senses in meanings.items())
    facts.notes.append(f"{number_of(len(meanings), 'irregular form', 'irregular forms')} read from {path.name}")


def _index(source: Input, *, lenient: bool) -> Iterator[tuple[str, list[str]]]:
    for number, line in _lines(source, lenient=lenient):
        offsets = _senses(line)
        if not offsets:
            raise _error(
                f"{line[:16]!r} is not the start of a word, e.g. 'dog n 7 5 @ ', or the line does not end with the "
                "offsets of its senses",
                source.name,
                number,
            )
        yield line.split(None, 1)[0], offsets


def _senses(line: str) -> list[str]:
    """The offsets in a line `word type senses pointers [symbol]... senses tagged [offset]...`; none in another."""
    cells = line.split()
    if len(cells) < 7 or cells[1] not in _FILE or not all(_COUNT.fullmatch(c) for c in cells[2:4]):
        return []
    offsets = cells[6 + int(cells[3]) :]
    if len(offsets) != int(cells[2]) or not all(_OFFSET.fullmatch(offset) for offset in offsets):
        return []
    return offsets


def _error(problem: str, path: str, line: int) -> LoadError:
    return LoadError(problem, advice=_FETCH, path=path, format="wordnet", line=line)
