"""What starting costs: `ontoeval --help` beside `import click`, in one run.

    python benchmarks/startup.py

Interleaved, the best of five CPU times each. The aim: at most 5.5 times.
"""

from __future__ import annotations

import os
import subprocess
import sys

ROUNDS = 5
COMMANDS = {
    "import click": [sys.executable, "-c", "import click"],
    "ontoeval --help": [sys.executable, "-m", "ontoeval", "--help"],
    "ontoeval compare --help": [sys.executable, "-m", "ontoeval", "compare", "--help"],
    "import ontoeval": [sys.executable, "-c", "import ontoeval"],
}


def cpu(command: list[str]) -> float:
    """User and system seconds of a command."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            times[name].append(cpu(command))
    base = min(times["import click"])
    for name, seconds in times.items():
        print(f"{name:<26}{min(seconds):.3f} s  {min(seconds) / base:.1f} x")


if __name__ == "__main__":
    main()
