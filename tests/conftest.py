"""Fixtures by name, how many examples hypothesis tries, and no network but loopback."""

from __future__ import annotations

import gc
import ipaddress
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

import ontoeval as oe

HERE = Path(__file__).resolve()

os.environ["COLUMNS"] = "120"  # tables do not depend on the terminal in which the tests are run
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")  # small tasks: start quickly
pytest.register_assert_rewrite("helpers")  # it asserts for many tests and says what differs

settings.register_profile("usual", max_examples=32, deadline=None, print_blob=True)
# trials/mutants.py wants to know that a test fails, not the smallest example
settings.register_profile(
    "mutants", max_examples=40, deadline=None, database=None, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("usual")


_connect = socket.socket.connect


def _connect_to_loopback(self: socket.socket, address: Any) -> None:
    """Connect within this machine; PermissionError for any other address."""
    if isinstance(address, tuple) and address[0] != "localhost":
        try:
            loopback = ipaddress.ip_address(address[0]).is_loopback
        except ValueError:  # a name, which is looked up only outside
            loopback = False
        if not loopback:
            raise PermissionError(f"tests use loopback only, not {address[0]}")
    _connect(self, address)


socket.socket.connect = _connect_to_loopback  # type: ignore[method-assign]


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture
def shared_data() -> Path:
    """The folder of real ontologies; it lies outside the repository, so not every machine has it."""
    folder = HERE.parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the shared data is not on this machine ({folder})")
    return folder


@pytest.fixture(scope="session")
def wordnet_nouns() -> oe.Ontology:
    """WordNet's nouns; seconds to load, so once for all tests."""
    file = Path("/usr/share/wordnet/data.noun")
    if not file.is_file():
        pytest.skip(f"WordNet is not installed ({file}; Debian's wordnet-base)")
    return oe.load_ontology(file)


@pytest.fixture
def fixtures() -> Path:
    """The folder of the small data sets that the repository ships."""
    return HERE.parents[1] / "fixtures"
