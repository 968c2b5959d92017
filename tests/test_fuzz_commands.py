"""A short run of trials/fuzz.py: damaged files and random options for every command end in a result or a message."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from mutations import time_limit
from trials.fuzz import Findings
from trials.fuzz_case import Case, Problem, commands, invoke, make_case, problems_of_result, run_case
from trials.fuzz_inputs import CALLS, check_formats

SEED = 16
CASES = 40
PARTS = 5  # so that several processes can share them


def test_every_command_is_called() -> None:
    assert {*commands()} <= {*CALLS}


def test_every_format_is_there() -> None:
    check_formats()


def test_a_case_can_be_repeated() -> None:
    first = [make_case(1, number) for number in range(40)]
    assert first == [make_case(1, number) for number in range(40)]
    assert len({str(case) for case in first}) == 40


@pytest.mark.parametrize("part", range(PARTS))
def test_every_case_ends_in_a_result_or_a_message(part: int, tmp_path: Path) -> None:
    for number in range(part, CASES, PARTS):
        case = make_case(SEED, number)
        with time_limit(20):
            problems = run_case(case, tmp_path)
        assert problems == [], f"case {number}: {case}"


def test_cases_are_not_all_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage that is always noticed at once would try the readers alone."""
    monkeypatch.chdir(tmp_path)
    codes: Counter[int] = Counter()
    for number in range(100):
        case = make_case(SEED, number)
        if case.arguments[0] in ("compare", "annotations", "labels", "describe", "match", "relate", "correlate"):
            case.write(tmp_path)
            codes[invoke(case, case.arguments).exit_code] += 1
    assert codes[0] > 5
    assert codes[1] > 5


@pytest.mark.parametrize(
    ("stdout", "stderr", "code", "kinds"),
    [
        ("", "error: x.\n", 1, []),
        ("a  b\n", "note: x\nwarning: y\n", 0, []),
        ("", "", 70, ["exit code 70"]),
        ("", "", 9, ["exit code 9"]),
        ("a\x1b[31m\n", "", 0, ["raw"]),
        ("", "note: \u202e\n", 0, ["raw"]),
        ("", "error: one\ntwo\n", 1, ["stray line"]),
        ("", "RuntimeWarning: overflow\n", 0, ["stray line"]),
    ],
)
def test_what_a_finding_is(stdout: str, stderr: str, code: int, kinds: list[str]) -> None:
    result = Result(CliRunner(), stdout.encode(), stderr.encode(), b"", None, code, SystemExit(code))
    found = problems_of_result(Case(["schema", "rdf", "-f", "table"] if code == 70 else ["describe", "x"]), result)
    assert [problem.kind for problem in found] == kinds


def test_a_traceback_is_a_finding() -> None:
    result = Result(CliRunner(), b"", b"", b"", None, 1, KeyError("x"))
    assert [problem.kind for problem in problems_of_result(Case(["describe", "x"]), result)] == ["traceback"]


@pytest.mark.slow
def test_the_trial_runs_and_repeats_what_it_finds(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[1]
    program = [sys.executable, "-m", "tests.trials.fuzz", "--seed", str(SEED)]
    done = subprocess.run([*program, "--cases", "20", "--folder", tmp_path], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("20 cases in ")
    finding = tmp_path / "finding"
    Findings(tmp_path, SEED).add(7, make_case(SEED, 7), Problem("traceback", "nowhere", ""))
    (tmp_path / f"{SEED}-7").rename(finding)
    again = subprocess.run([*program, "--replay", finding], cwd=root, capture_output=True, text=True)
    assert again.returncode == 0
    assert again.stdout == f"ontoeval {make_case(SEED, 7).arguments!a}\n"
