"""Damaged files: whatever happens to the bytes of a file, it loads or it is refused in words.

Every mutation has its own seed, so that a failure can be repeated: `mutated(data, seed)` gives the same bytes again.
"""

from __future__ import annotations

import json
import os

import pytest
from mutations import PACKERS, RAW, mutated, time_limit
from tiny_files import FILES, FOLDER

import ontoeval as oe

IN_CI = bool(os.environ.get("CI"))
PLAIN = 150 if IN_CI else 24  # mutations of each file
PACKED = 60 if IN_CI else 12  # of each kind of compression
SECONDS = 20  # one mutation; far more than any takes, even on a busy machine


def check(data: bytes, *, lenient: bool, format: str | None = None) -> bool:
    """Load `data`; True if it is an ontology, False if it was refused in words; anything else fails."""
    try:
        with time_limit(SECONDS):
            ontology = oe.load_ontology(data, lenient=lenient, format=format)
            described = json.dumps(ontology.describe(), allow_nan=False)
    except oe.OntoevalError as error:
        if not str(error).endswith((".", "?")):
            pytest.fail(f"no sentence: {error}")
        if "\n" in str(error) or RAW.search(str(error)):
            pytest.fail(f"not one printable line: {error!r}")
        return False
    hierarchy = ontology.hierarchy
    assert isinstance(ontology, oe.Ontology)
    assert described
    assert len(set(hierarchy.iris)) == len(hierarchy) > 0
    assert all(0 <= parent < len(hierarchy) for parent in hierarchy.parents.indices.tolist())
    return True


def check_all(data: bytes, name: str, count: int, format: str | None = None) -> tuple[int, int]:
    """How many of `count` mutations loaded, and how many were refused. Each fourth is loaded leniently, too."""
    loaded = refused = 0
    for number in range(count):
        seed = f"{name} {number}"
        broken = mutated(data, seed)
        for lenient in (False, True) if number % 4 == 0 else (False,):
            try:
                good = check(broken, lenient=lenient, format=format)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                pytest.fail(f"mutation {seed!r}, {lenient=}: {type(error).__name__}: {error}\n{broken!r}")
            loaded += good
            refused += not good
    return loaded, refused


def test_there_are_enough_mutations() -> None:
    assert PLAIN * len(FILES) + PACKED * len(PACKERS) >= (2000 if IN_CI else 300)


def test_a_mutation_can_be_repeated() -> None:
    data = (FOLDER / "tiny.ttl").read_bytes()
    first = [mutated(data, f"again {number}") for number in range(50)]
    assert first == [mutated(data, f"again {number}") for number in range(50)]
    assert len(set(first)) > 45
    assert sum(broken != data for broken in first) > 45


@pytest.mark.parametrize("name", FILES)
def test_damaged_bytes_load_or_are_refused(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert check(data, lenient=False)
    loaded, refused = check_all(data, name, PLAIN)
    assert loaded + refused >= PLAIN


@pytest.mark.parametrize(("name", "format"), FILES.items())
def test_damaged_bytes_of_a_named_format_load_or_are_refused(name: str, format: str) -> None:
    """The user names the format, so that the damage goes to that format's parser and not to another one."""
    loaded, refused = check_all((FOLDER / name).read_bytes(), f"{name} as {format}", PLAIN // 3, format)
    assert loaded + refused >= PLAIN // 3


@pytest.mark.parametrize("kind", PACKERS)
def test_damaged_compressed_bytes_load_or_are_refused(kind: str) -> None:
    data = PACKERS[kind]((FOLDER / "tiny.ttl").read_bytes())
    assert check(data, lenient=False)
    loaded, refused = check_all(data, kind, PACKED)
    assert refused > 0
    assert loaded + refused >= PACKED
