"""mypy and pyright see the types of the public names."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = str(ROOT / "tests" / "typed_examples.py")
MYPY = [sys.executable, "-m", "mypy", "--strict", EXAMPLES]
PYRIGHT = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "--level", "error", "-p", "CONFIG"]


@pytest.mark.slow
@pytest.mark.parametrize("command", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_a_type_checker_agrees_with_the_examples(command: list[str], tmp_path: Path) -> None:
    config = tmp_path / "pyrightconfig.json"
    config.write_text(f'{{"include": ["{EXAMPLES}"], "typeCheckingMode": "standard", "extraPaths": ["{ROOT}"]}}')
    words = [str(config) if word == "CONFIG" else word for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_pyright_notices_a_wrong_type(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import ontoeval as oe\nx: str = oe.relate('a.ttl', 'b', 'c')\n")
    config = tmp_path / "pyrightconfig.json"
    config.write_text(f'{{"include": ["{wrong}"], "typeCheckingMode": "standard", "extraPaths": ["{ROOT}"]}}')
    words = [str(config) if word == "CONFIG" else word for word in PYRIGHT]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert "reportAssignmentType" in done.stdout
