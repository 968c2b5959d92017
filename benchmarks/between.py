"""CPU time and memory of Place, Near and Preserved on two releases of the Gene Ontology, beside plain Python loops.

    python benchmarks/between.py --data ../shared/data

Each measure is computed on a comparison of its own, so that only what is loaded is shared; loading and matching have a
row of their own. The loop takes the same similarity, pair by pair, for some of the concepts without a partner.
"""

from __future__ import annotations

import argparse
import resource
import time
from pathlib import Path

import numpy as np

import ontoeval as oe
from ontoeval.measures.comparison.near import merged_ontology

LEARNED, GOLD = "go2019/GeneOntology_2019.01.29.obo.gz", "go2022/go-2022-07-01.ttl.gz"
MEASURES = ("PlaceF", "PlaceF(similarity=Lin)", "NearF", "NearF(similarity=Lin)")
SAMPLED = ("Preserved", "Preserved(similarity=Lin)", "Preserved(by=spearman)")
SOME = 20  # concepts without a partner for the loop


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    if not (data / LEARNED).exists():
        print(f"skipped: {data / LEARNED} is not there")
        return
    begin = time.process_time()
    learned, gold = oe.load_ontology(data / LEARNED), oe.load_ontology(data / GOLD)
    matching = oe.match(learned, gold)
    print(f"load and match  {time.process_time() - begin:6.1f} s")
    total = 0.0
    for name in (*MEASURES, *SAMPLED):
        task = oe.Comparison(learned, gold, matching)
        begin = time.process_time()
        score = oe.parse(name)(task)
        seconds = time.process_time() - begin
        total += seconds if name in MEASURES else 0.0
        error = score.counts.get("standard_error")
        more = "" if error is None else f"  standard error {error:.6f}, {score.counts['sampled_pairs']:,} pairs"
        print(f"{name:28} {score.value:.6f} {seconds:6.1f} s{more}")
    print(f"PlaceF and NearF, with BDM and with Lin: {total:.1f} s (aim 60)")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB (aim 2,000)")
    _loop(oe.Comparison(learned, gold, matching))


def _loop(task: oe.Comparison) -> None:
    """The nearest gold concept of some novel ones, one pair at a time."""
    both = merged_ontology(task)
    novel = task.novel[both.of_learned[task.novel] >= 0][:SOME]
    golds = both.of_gold[both.of_gold >= 0][:200]
    begin = time.process_time()
    for concept in both.of_learned[novel].tolist():
        for other in golds.tolist():
            oe.relate(both.ontology, np.array([concept]), np.array([other]), "Lin")
    pairs = len(novel) * len(golds)
    whole = (time.process_time() - begin) / pairs * len(task.novel) * len(task.gold.hierarchy)
    print(f"a loop over pairs (Lin, {pairs:,} pairs) would take {whole:,.0f} s for NearP alone")


if __name__ == "__main__":
    main()
