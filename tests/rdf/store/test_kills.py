"""A process that is killed while it writes leaves whole evaluations (a hundred times: trials/kills.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from trials.kills import trial


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_evaluations_in_the_store_and_the_file(tmp_path: Path) -> None:
    assert trial(3, 7, tmp_path).startswith("3 kills")
