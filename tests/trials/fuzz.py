"""Fuzz trial: damaged files and random options for every command; whatever comes in, there is a result or a message.

    python -m tests.trials.fuzz --minutes 10 --seed 1
    python -m tests.trials.fuzz --cases 100000 --seed 1 --folder findings
    python -m tests.trials.fuzz --seed 1 --case 4711
    python -m tests.trials.fuzz --replay findings/1-4711

Findings: a traceback, an exit code that is not documented, a hang, too much memory, characters that control a terminal,
lines on stderr that are no message, text that a library writes past the streams. One of each kind and place is kept, as
a folder with the files and `case.json`, which --replay reads. Cases run in a process of their own, one after the other;
if it hangs or ends, another one goes on with the next case.
"""

from __future__ import annotations

import argparse
import base64
import faulthandler
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests")]  # as pytest does
from trials.fuzz_case import Case, Problem, make_case, run_case  # noqa: E402
from trials.fuzz_inputs import SEEDS, with_shared_data  # noqa: E402

SECONDS = 20
MEMORY = 2 << 30  # bytes
BATCH = 5000  # cases of a process


class Findings:
    """Writes one finding of each kind and place."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.counts: Counter[tuple[str, str]] = Counter()

    def add(self, number: int, case: Case, problem: Problem) -> None:
        self.counts[problem.kind, problem.place] += 1
        if self.counts[problem.kind, problem.place] > 1:
            return
        target = self.folder / f"{self.seed}-{number}"
        target.mkdir(parents=True, exist_ok=True)
        files = {name: base64.b64encode(data).decode() for name, data in case.files.items()}
        document = {**asdict(case), "files": files, "problem": asdict(problem), "seed": self.seed, "case": number}
        (target / "case.json").write_text(json.dumps(document, indent=1))
        print(f"{problem.kind}: {problem.place}: {target}: {case.arguments!a}", flush=True)  # noqa: T201


def work(seed: int, first: int, last: int) -> None:
    """Run cases; a line of JSON at the beginning of each and for each problem."""
    warnings.simplefilter("always", RuntimeWarning)
    faulthandler.enable()
    seeds = with_shared_data(SEEDS)
    out = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryDirectory(prefix="ontoeval-fuzz-") as folder:
        for number in range(first, last):
            print(json.dumps({"begin": number}), file=out, flush=True)
            for problem in problems_of(make_case(seed, number, seeds), Path(folder)):
                print(json.dumps({"problem": asdict(problem)}), file=out, flush=True)
                if problem.kind == "memory":
                    return  # the greatest use of this process stays what it is


def problems_of(case: Case, folder: Path) -> list[Problem]:
    """What must not happen, also past Python's streams and to the memory."""
    size = os.fstat(2).st_size
    problems = run_case(case, folder)
    if os.fstat(2).st_size > size:
        problems.append(Problem("text past stderr", case.arguments[0], str(os.fstat(2).st_size - size)))
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MEMORY:
        problems.append(Problem("memory", case.arguments[0], ""))
    return problems


class Watch:
    """Starts processes that work, and ends one that hangs or takes too much."""

    def __init__(self, seed: int, findings: Findings) -> None:
        self.seed, self.findings = seed, findings
        self.seeds = with_shared_data(SEEDS)
        self.folder = ""  # of the temporary files, which a process that is killed leaves behind

    def run(self, cases: int | None, minutes: float | None, first: int = 0) -> int:
        """The number of cases that ran."""
        end = None if minutes is None else time.monotonic() + 60 * minutes
        number = first
        while (cases is None or number < first + cases) and (end is None or time.monotonic() < end):
            last = number + BATCH if cases is None else min(number + BATCH, first + cases)
            with tempfile.TemporaryDirectory(prefix="ontoeval-fuzz-") as self.folder:
                number = self.batch(number, last, end)
        return number - first

    def batch(self, first: int, last: int, end: float | None) -> int:
        """Run cases in a process; the number of the next one."""
        current, began, worked = first - 1, time.monotonic(), 0.0
        log = tempfile.TemporaryFile()  # noqa: SIM115 - of the process
        command = [sys.executable, "-m", "tests.trials.fuzz", "--seed", str(self.seed), "--work", f"{first}:{last}"]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{os.environ.get('PYTHONPATH', '')}", "TMPDIR": self.folder}
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        waiting, rest, ended = selectors.DefaultSelector(), b"", False
        waiting.register(process.stdout, selectors.EVENT_READ)
        while not ended:
            if waiting.select(timeout=1):
                data = process.stdout.read()
                ended = not data
                *lines, rest = (rest + (data or b"")).split(b"\n")
                for line in map(json.loads, lines):
                    if "begin" in line:
                        current, began, worked = line["begin"], time.monotonic(), _work(process.pid)
                    else:
                        self.add(current, Problem(**line["problem"]))
            late = end is not None and time.monotonic() > end
            times = time.monotonic() - began, _work(process.pid) - worked
            reason = self.reason_to_stop(process, *times) if current >= first else None
            if reason or late:
                process.send_signal(signal.SIGABRT if reason else signal.SIGTERM)  # faulthandler says where it was
                process.wait(10)
                if reason:
                    self.add(current, Problem(reason, " ".join(self.case(current).arguments[:1]), tail(log)))
                return current + 1
        code = process.wait(60)
        if code != 0:
            self.add(current, Problem(f"process ended with {code}", self.case(current).arguments[0], tail(log)))
        return current + 1

    def reason_to_stop(self, process: subprocess.Popen[bytes], seconds: float, work: float) -> str | None:
        """`seconds` and seconds of `work` since the case began; on a busy machine work takes long."""
        if work > SECONDS or seconds > 6 * SECONDS:
            return "hang"
        return "memory" if _memory(process.pid) > MEMORY else None

    def case(self, number: int) -> Case:
        return make_case(self.seed, number, self.seeds)

    def add(self, number: int, problem: Problem) -> None:
        self.findings.add(number, self.case(number), problem)


def _work(process: int) -> float:
    """The seconds that a process has worked; 0 if it has ended."""
    try:
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    except (OSError, ValueError):
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> int:
    """The bytes of memory that a process has now; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def tail(log: Any) -> str:
    log.seek(0)
    return str(log.read()[-4000:].decode("utf-8", "replace"))


def replay(case: Case) -> int:
    """Run one case and print what is wrong."""
    with tempfile.TemporaryDirectory(prefix="ontoeval-fuzz-") as folder:
        print(f"ontoeval {case.arguments!a}")  # noqa: T201
        found = run_case(case, Path(folder))
    for problem in found:
        print(f"{problem.kind}: {problem.place}\n{problem.detail}")  # noqa: T201
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "ontoeval-fuzz")
    parser.add_argument("--case", type=int, help="run this case alone")
    parser.add_argument("--replay", type=Path, help="run the case of a finding")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        first, _, last = options.work.partition(":")
        work(options.seed, int(first), int(last))
        return 0
    if options.replay:
        path = options.replay / "case.json" if options.replay.is_dir() else options.replay
        saved = json.loads(path.read_text())
        files = {name: base64.b64decode(data) for name, data in saved["files"].items()}
        return replay(Case(saved["arguments"], files, saved["environment"]))
    if options.case is not None:
        return replay(make_case(options.seed, options.case, with_shared_data(SEEDS)))
    began = time.monotonic()
    findings = Findings(options.folder, options.seed)
    minutes = options.minutes or (None if options.cases else 1.0)
    number = Watch(options.seed, findings).run(options.cases, minutes, options.first)
    seconds = time.monotonic() - began
    print(f"{number:,} cases in {seconds:,.0f} s, {len(findings.counts)} findings")  # noqa: T201
    for (kind, place), count in findings.counts.most_common():
        print(f"  {count:6,}  {kind}: {place}")  # noqa: T201
    return 1 if findings.counts else 0


if __name__ == "__main__":
    sys.exit(main())
