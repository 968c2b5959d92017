"""Screens of `annotations`, `labels`, `agreement` on shipped fixtures: at 80 columns, never wider than a terminal."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from pathlib import Path

import pytest
from helpers import printed, printed_json, refused, run, work_in

ONTOLOGY = "car\tvehicle\nbike\tvehicle\nvan\tcar\n"  # child, parent
GOLD = "document\tlabel\nd1\tcar\nd1\tbike\nd2\tvan\n"
GOOD = "document\tlabel\tscore\nd1\tcar\t0.9\nd1\tbike\t0.4\nd2\tcar\t0.8\nd2\tvan\t0.3\n"
POOR = "document\tlabel\tscore\nd1\tvan\t0.9\nd2\tbike\t0.8\n"
QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 1\n"
RUN = "q1 Q0 a 1 0.9 me\nq1 Q0 b 2 0.8 me\nq1 Q0 c 3 0.7 me\n"


@pytest.fixture(autouse=True)
def at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def news(fixtures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(fixtures / "annotations")


@pytest.fixture
def labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"onto.tsv": ONTOLOGY, "gold.tsv": GOLD, "good.tsv": GOOD, "poor.tsv": POOR, "qrels": QRELS, "me.run": RUN}
    work_in(tmp_path, monkeypatch, files)


BY_KEY = ("--gold", "key", "--ontology", "news.ttl")
BY_GOLD = ("--gold", "gold.tsv", "--ontology", "onto.tsv")


@pytest.mark.usefixtures("news")
def test_one_response() -> None:
    """4 of 15 responses are right, of 16 gold annotations: 4 + 10 + 1 = 15, 4 + 10 + 2 = 16."""
    scores = printed_json("annotations", "near", *BY_KEY, remarks=True)["results"][0]["scores"]
    graded = [f"{scores[name]:.3f}" for name in ("AP", "AR", "AF")]
    assert printed("annotations", "near", *BY_KEY, remarks=True) == (
        "near against key\n"
        "          precision  recall      F\n"
        "  Exact       0.267   0.250  0.258  F   same span, same class\n"
        f"  Graded      {graded[0]}   {graded[1]}  {graded[2]}  AF  same span, credit for near classes\n"
        "3 documents, 16 gold and 15 response annotations\n"
        "4 correct, 10 wrong class, 2 missing, 1 spurious\n"
    )


@pytest.mark.usefixtures("news")
def test_several_responses_with_names_and_the_longest_lists_cut() -> None:
    names = ("--name", "ours", "--name", "theirs")
    arguments = ("annotations", "near", "far", *BY_KEY, *names, "--confusion", "--top", 2)
    shown = printed(*arguments, remarks=True)
    results = printed_json(*arguments, remarks=True)["results"]
    near, far = (f"{one['scores']['AF']:.3f}" for one in results)
    costly = [sum(entry["key_class"] != entry["response_class"] for entry in one["confusion"]) for one in results]
    assert shown == (
        "2 responses against key (* best)\n"
        "           F      AF      correct  wrong class  missing  spurious\n"
        f"  ours     0.258  {near}*        4           10        2         1\n"
        f"  theirs   0.258  {far}         4           10        2         1\n"
        "F exact, AF graded\n"
        "\n"
        "ours: confusions, missing and spurious, costliest first (BDM)\n"
        "  gold class  response class  count  similarity   lost\n"
        "  Job Title   –                   2       0.000  2.000\n"
        "  –           Product             1       0.000  1.000\n"
        f"  … {costly[0] - 2} more (--top 0)\n"
        "\n"
        "theirs: confusions, missing and spurious, costliest first (BDM)\n"
        "  gold class  response class  count  similarity   lost\n"
        "  Job Title   –                   2       0.000  2.000\n"
        "  –           Match               1       0.000  1.000\n"
        f"  … {costly[1] - 2} more (--top 0)\n"
    )
    document = printed_json("annotations", "near", *BY_KEY, "--confusion", "--top", 2, remarks=True)
    assert len(document["results"][0]["confusion"]) == 14  # programs get all
    named = printed("annotations", "near", *BY_KEY, "--confusion", 5, "--top", 2, remarks=True)
    assert len(named.partition("confusions")[2].splitlines()) == 2 + 5
    every = printed("annotations", "near", *BY_KEY, "--confusion", 0, "--top", 2, remarks=True)
    costly = [one for one in document["results"][0]["confusion"] if one["lost"] > 0]
    assert len(every.partition("confusions")[2].splitlines()) == 2 + len(costly) > 2 + 5
    assert len(printed("annotations", "near", *BY_KEY, "--confusion", "-f", "tsv", remarks=True).splitlines()) == 15


@pytest.mark.usefixtures("news")
def test_counts_of_several_responses_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert printed("annotations", "near", "far", *BY_KEY, "-m", "F", remarks=True).splitlines()[1:] == [
        "                near    far",
        "  F            0.258  0.258",
        "  correct          4      4",
        "  wrong class     10     10",
        "  missing          2      2",
        "  spurious         1      1",
    ]


@pytest.mark.usefixtures("labelled")
def test_labels() -> None:
    """All is right but car for van, one edge away: 1/2; with ancestors van is as right as car and van."""
    assert printed("labels", "good.tsv", *BY_GOLD, "--similarity", "Rada") == (
        "good.tsv against gold.tsv, similarity Rada\n"
        "             precision  recall      F\n"
        "  Exact          0.750   1.000  0.833  LabelF  same label\n"
        "  Ancestors      1.000   1.000  1.000  hF      labels with all their ancestors\n"
        "  Graded         0.875   1.000  0.929  SetF    credit for the nearest label\n"
        "2 documents: 3 correct, 0 missing, 1 spurious\n"
    )


@pytest.mark.usefixtures("labelled")
def test_a_trec_run_is_scored_as_a_ranking_and_limit_is_its_depth() -> None:
    """True at places 1 and 3 of 3; with a depth of 1 only the first one is seen."""
    assert printed("labels", "me.run", "--gold", "qrels", remarks=True).splitlines()[:3] == [
        "me.run against qrels",
        "  APrec  0.833  Average precision of ranked labels",
        "  RPrec  0.500  R-Precision of ranked labels: the precision after as many labels",
    ]
    top = printed("labels", "me.run", "--gold", "qrels", "-m", "P_at,P_at(k=2)", remarks=True).splitlines()
    assert top[1:3] == [  # the name has k only where it is set
        "  P_at       0.200  Precision of the first 10 ranked labels",
        "  P_at(k=2)  0.500  Precision of the first 2 ranked labels",
    ]
    scores = printed_json("labels", "me.run", "--gold", "qrels", "--limit", 1, remarks=True)["results"][0]["scores"]
    assert scores == {"APrec": 0.5, "RPrec": 0.5, "P_at": 0.1}
    # the set is added to other measures; labels that are not a ranking are cut
    mixed = ("labels", "good.tsv", "--gold", "gold.tsv", "-m", "ranking,LabelR", "--limit", 1)
    both = printed_json(*mixed, remarks=True)["results"][0]
    assert both["scores"] == {"APrec": 1 / 4, "RPrec": 1 / 4, "P_at": 0.05, "LabelR": 1 / 4}


@pytest.mark.usefixtures("news")
def test_agreement() -> None:
    arguments = ("agreement", "near", "far", "key", "--ontology", "news.ttl", "--spans", "lenient")
    found = printed_json(*arguments, remarks=True)["agreement"]
    rows = [
        "  ".join(f"{values[name]:.3f}" for name in ("F", "Kappa", "Pi", "Alpha"))
        for values in (*found["pairs"], found["mean"])
    ]
    result = run(*arguments)
    assert result.stdout == (
        "Inter-annotator agreement, spans lenient\n"
        "                AF  Kappa     Pi  Alpha  items  agreed\n"
        f"  near  far  {rows[0]}     15       3\n"
        f"  near  key  {rows[1]}     14       4\n"
        f"  far   key  {rows[2]}     14       4\n"
        f"  mean       {rows[3]}      –       –\n"
        f"alpha of all 3: {found['alpha']['value']:.3f} (15 units, 44 values, 0 repeated, 0 left out, 2 single)\n"
    )
    assert result.stderr.splitlines()[-1] == (
        "note: alpha of all 3 annotators compares identical spans only; --spans lenient applies to the pairs only."
    )
    found = printed_json("agreement", "near", "key", "--ontology", "news.ttl", remarks=True)["agreement"]
    scored = printed_json("annotations", "near", *BY_KEY, remarks=True)["results"][0]["scores"]
    assert found["pairs"][0]["F"] == scored["AF"]
    assert found["annotators"] == ["near", "key"]
    said = refused("agreement", "near", code=2)
    assert said.startswith("agreement needs at least two annotators. Name another file or --set.\n")


@pytest.mark.usefixtures("news")
def test_the_other_direction_is_shown_where_it_differs() -> None:
    """LA looks from the gold class."""
    arguments = ("agreement", "near", "key", "--ontology", "news.ttl", "--similarity", "LA")
    (pair,) = printed_json(*arguments, remarks=True)["agreement"]["pairs"]
    assert pair["F"] != pair["F back"]
    header, row = (line.split() for line in printed(*arguments, remarks=True).splitlines()[1:3])
    assert header[:3] == ["AF_LA", "reversed", "Kappa"]
    assert row[:4] == ["near", "key", f"{pair['F']:.3f}", f"{pair['F back']:.3f}"]


# unknown classes


@pytest.fixture
def misnamed(fixtures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """near with a property in the place of City (2 annotations) and a typing error in that of Government (2)."""
    shutil.copytree(fixtures / "annotations", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with Path("news.ttl").open("a") as file:
        file.write(":mayorOf a owl:ObjectProperty .\n")
    for path in Path("near").iterdir():
        text = path.read_text().replace("news#City", "news#mayorOf").replace("news#Government", "news#Goverment")
        path.write_text(text)


@pytest.mark.usefixtures("misnamed")
def test_a_class_that_is_a_property_is_said_to_be_one() -> None:
    assert [line for line in run("annotations", "near", *BY_KEY).stderr.splitlines() if line.startswith("warn")] == [
        "warning: near: 1 class is not in news.ttl (2 of 15 annotations): 'http://example.org/news#Goverment' "
        "(2 times; did you mean 'Government'?). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
        "warning: near: 1 class is a property in news.ttl (2 of 15 annotations): "
        "'http://example.org/news#mayorOf' (2 times). "
        "Such annotations match nothing: correct them or use a more complete ontology. "
        "--unknown drop leaves them out on both sides, which raises scores.",
    ]
    assert printed_json("annotations", "near", *BY_KEY, remarks=True)["results"][0]["unknown_classes"] == [
        {"name": "http://example.org/news#Goverment", "key": 0, "response": 2},
        {
            "name": "http://example.org/news#mayorOf",
            "key": 0,
            "response": 2,
            "property": "http://example.org/news#mayorOf",
        },
    ]


@pytest.mark.usefixtures("misnamed")
def test_unknown_classes_are_refused_with_what_to_do() -> None:
    problem = (
        "near: 1 class is not in news.ttl (2 of 15 annotations): 'http://example.org/news#Goverment' "
        "(2 times; did you mean 'Government'?); "
        "1 class is a property in news.ttl (2 of 15 annotations): 'http://example.org/news#mayorOf' (2 times). "
        "Correct the annotations, or use --unknown keep to count them as wrong or --unknown drop to leave them out."
    )
    assert refused("annotations", "near", *BY_KEY, "--unknown", "error") == problem
    assert refused("annotations", "key", "--gold", "near", *BY_KEY[2:], "--unknown", "error") == problem


@pytest.mark.usefixtures("labelled")
def test_unknown_labels_are_refused_with_what_to_do() -> None:
    Path("odd.tsv").write_text("document\tlabel\nd1\tbikes\nd2\tbikes\nd2\tvan\n")
    assert refused("labels", "odd.tsv", *BY_GOLD, "--unknown", "error") == (
        "odd.tsv: 1 label is not in onto.tsv (2 of 3 assignments): 'bikes' (2 times; did you mean 'bike'?). "
        "Correct the labels, or use --unknown keep to count them as wrong or --unknown drop to leave them out."
    )


@pytest.mark.usefixtures("news")
def test_a_folder_in_the_place_of_the_ontology_names_its_files() -> None:
    assert refused("annotations", "near", "--gold", "key", "--ontology", ".") == (
        ".: is a directory. Use its file news.ttl."
    )


# tests


def _many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve documents: all right, the first eight right, nothing right."""
    documents = [f"d{n:02d}" for n in range(12)]
    files = {"gold.tsv": [f"{d}\tcar" for d in documents], "all.tsv": [f"{d}\tcar" for d in documents]}
    files["some.tsv"] = [f"{d}\t{'car' if n < 8 else 'bike'}" for n, d in enumerate(documents)]
    files["none.tsv"] = [f"{d}\tbike" for d in documents]
    work_in(tmp_path, monkeypatch, {name: "\n".join(lines) + "\n" for name, lines in files.items()})


RUNS = ("labels", "all.tsv", "some.tsv", "none.tsv", "--gold", "gold.tsv", "-m", "LabelF")


def test_all_pairs_are_tested_with_holms_correction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All against none: 12 documents change sides together in 2 of 4096 draws; some against none 2 of 256; all against
    some 2 of 16, which is not significant."""
    _many(tmp_path, monkeypatch)
    assert printed(*RUNS, "--significance").splitlines()[:5] == [
        "3 predictions against gold.tsv (* best; letters: better than, p < .05)",
        "           LabelF   correct  missing  spurious",
        "  a all    1.000*c       12        0         0",
        "  b some   0.667 c        8        4         4",
        "  c none   0.000          0       12        12",
    ]
    entries = printed_json(*RUNS, "--significance")["significance"]
    chances = {(entry["left"], entry["right"]): entry["p"] for entry in entries}
    exact = {("all.tsv", "some.tsv"): 2 / 16, ("all.tsv", "none.tsv"): 2 / 4096, ("some.tsv", "none.tsv"): 2 / 256}
    assert chances == pytest.approx(exact, abs=0.01)
    factors = {pair: factor for factor, pair in enumerate(sorted(chances, key=chances.__getitem__, reverse=True), 1)}
    for entry in entries:
        pair = entry["left"], entry["right"]
        assert entry["p_adjusted"] == pytest.approx(factors[pair] * chances[pair])


def test_differences_are_listed_with_what_was_tested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """12, 8 and 0 of 12 documents are right."""
    _many(tmp_path, monkeypatch)
    lines = printed(*RUNS, "--significance").splitlines()[6:]
    assert lines[:2] == [
        "Paired randomisation: 12 documents, 10,000 rounds, Holm-corrected p",
        "  difference  LabelF       p",
    ]
    exact = {"a - b": ("0.3333", 2 / 16), "a - c": ("1.0000", 3 * 2 / 4096), "b - c": ("0.6667", 2 * 2 / 256)}
    for line, (pair, (difference, p)) in zip(lines[2:], exact.items(), strict=True):
        assert line.startswith(f"  {pair}       {difference}  ")
        assert float(line.split()[-1]) == pytest.approx(p, abs=0.02)
    against = printed(*RUNS, "--baseline", "some", "--top", 1).splitlines()
    assert against[-2].startswith("  a - b       0.3333  ")
    assert against[-1] == "  … 1 more (--top 0)"


@pytest.mark.usefixtures("news")
def test_tests_and_intervals_of_three_documents_are_remarked() -> None:
    """Of the 2^3 ways to exchange three documents two keep the difference: p is 1/4 at least, of three pairs 3/4."""
    result = run("annotations", "near", "far", *BY_KEY, "--significance", "--intervals")
    title, header, row = result.stdout.splitlines()[-3:]
    assert title == "Paired randomisation: 3 documents, 10,000 rounds"
    assert header == "  difference       F       p      AF       p"
    assert row.startswith("  a - b       0.0000  1.0000  0.")  # both have 4 of 15 right, of 16
    assert float(row.split()[-1]) == pytest.approx(1 / 4, abs=0.02)  # near is nearer in every document
    first, *_, last = result.stderr.splitlines()
    assert [first, last] == [
        "warning: intervals from 3 documents are unreliable (fewer than 10)",
        "note: 3 documents cannot reach p < 0.05 (smallest exact p 0.25)",
    ]
    three = run("annotations", "near", "far", "near", *BY_KEY, "--significance", "-m", "Kappa,F")
    assert three.stderr.splitlines()[-1] == (
        "note: 3 documents cannot reach p < 0.05 with 3 pairs (smallest exact p 0.75)"
    )
    assert run("annotations", "near", *BY_KEY, "--intervals").stderr.splitlines()[0] == (
        "warning: intervals from 3 documents are unreliable (fewer than 10)"
    )


def test_a_baseline_is_what_all_are_tested_against(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _many(tmp_path, monkeypatch)
    table = csv.DictReader(io.StringIO(printed(*RUNS, "--baseline", "some", "-f", "csv")))
    rows = [(row["left"], row["right"], float(row["difference"])) for row in table]
    assert rows == [
        ("all.tsv", "some.tsv", pytest.approx(1 / 3)),
        ("none.tsv", "some.tsv", pytest.approx(-2 / 3)),
    ]
    assert printed(*RUNS, "--baseline", "some.tsv", "-f", "csv") == printed(*RUNS, "--baseline", "some", "-f", "csv")
    assert refused(*RUNS, "--baseline", "sme") == (
        "'sme' is not one of the predictions. Did you mean 'some'? Use one of: all, some, none."
    )


@pytest.mark.usefixtures("news")
def test_a_csv_holds_one_table() -> None:
    rows = printed("annotations", "near", "far", *BY_KEY, "--per", "document", "-m", "F", "-f", "csv", remarks=True)
    assert rows.splitlines()[0] == "response,document,F"
    assert len(rows.splitlines()) == 7
    message = "holds one table, not those of --confusion and --per document. Keep one."
    both = ("annotations", "near", *BY_KEY, "--confusion", "--per", "document")
    assert refused(*both, "-f", "csv", code=2).startswith(f"-f csv {message}\n")
    assert refused(*both, "-o", "x.tsv", code=2).startswith(f"x.tsv {message}\n")


# widths


@pytest.mark.usefixtures("news")
@pytest.mark.parametrize("width", [60, 200])
def test_no_line_is_wider_than_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    details = ("--per", "class", "--per", "document", "--confusion", "--significance", "--intervals", "--rounds", 50)
    commands = [
        ("annotations", "near", "far", *BY_KEY, *details, "--variant", "link-1"),
        ("annotations", "near", *BY_KEY, "-m", "classic", "--intervals", "--rounds", 50),
        ("annotations", "near", "far", "--gold", "key", "-m", "classic"),
        ("agreement", "near", "far", "key", "--ontology", "news.ttl"),
        ("measures", "hF"),
        ("measures", "PlaceF"),
        ("measures", "ancestor"),
        ("sensitivity", "news.ttl", "--runs", 1, "--points", 2, "-m", "LF,TF_csc"),
        ("validate", "news.ttl"),
    ]
    for command in commands:
        result = run(*command)
        assert result.exit_code == 0, result.stderr
        assert [line for line in result.stdout.splitlines() if len(line) > width] == [], command


def test_credit_through_an_added_root_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tops below an added root: d = 2 and D = 3 nodes, so LC = 1 - ln 3 / ln 6 = 0.387; BDM gives them 0."""
    files = {"onto.tsv": "car\tvehicle\nfern\tplant\n", "gold.tsv": "d1\tcar\n", "mine.tsv": "d1\tfern\n"}
    work_in(tmp_path, monkeypatch, {name: f"{_HEADS[name]}\n{text}" for name, text in files.items()})
    scored = ("labels", "mine.tsv", "--gold", "gold.tsv", "--ontology", "onto.tsv")
    note = (
        "note: SetP, SetR, SetF: onto.tsv has 2 top concepts. LC joins them under an added root, so unrelated ones get "
        "up to 0.387; --similarity BDM gives them 0\n"
    )
    assert run(*scored).stderr == note
    assert run(*scored, "--root", "none").stderr == ""
    named = (*scored, "-m", "LabelF_high,SetF,hF", "--json")
    before, after = (
        json.loads(run(*named, *more).stdout)["results"][0]["scores"] for more in ((), ("--similarity", "BDM"))
    )
    assert before.pop("SetF") == pytest.approx(1 - math.log(5) / math.log(6))  # car and fern: d = 4
    assert after.pop("SetF") == 0
    assert before == after  # LabelF_high has BDM already, hF no similarity
    assert run(*scored, "--similarity", "BDM").stderr == ""


_HEADS = {"onto.tsv": "child\tparent", "gold.tsv": "document\tlabel", "mine.tsv": "document\tlabel"}


@pytest.mark.usefixtures("labelled")
def test_a_limit_outside_the_range_is_refused() -> None:
    assert refused("labels", "good.tsv", *BY_GOLD, "--fail-under", "LabelF=70") == (
        "--fail-under LabelF=70: LabelF ranges from 0 to 1."
    )


def test_one_response_is_named_by_its_file_also_with_a_set(fixtures: Path, tmp_path: Path) -> None:
    """`--set` says where the annotations stand in the file, the file who made them."""
    folder = fixtures / "annotations"
    corpora = ("annotations", folder / "near", "--gold", folder / "key", "--ontology", folder / "news.ttl")
    shown = run(*corpora, "--set", "", "-m", "F", "--fail-under", "F=0.9")
    assert shown.stdout.startswith("near, default set against key\n")
    assert "failed: near: F 0.258 < 0.900\n" in shown.stderr


def test_the_first_k_of_fewer_labels_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work_in(
        tmp_path,
        monkeypatch,
        {
            "gold.tsv": "document\tlabel\nd1\ta\nd1\tb\n",
            "mine.tsv": "document\tlabel\tscore\nd1\ta\t0.9\nd1\tc\t0.8\nd1\tb\t0.7\n",
        },
    )
    scored = ("labels", "mine.tsv", "--gold", "gold.tsv", "--limit", "2")
    note = "note: P_at: k is 10, but --limit keeps 2 labels of each document. Use -m 'P_at(k=2)'.\n"
    for measures in ("ranking", "LabelF,P_at"):  # of others than rankings labels are cut on loading
        assert run(*scored, "-m", measures).stderr == note
    assert run(*scored, "-m", "P_at(k=2)").stderr == ""
    assert run(*scored[:4], "-m", "P_at(k=10)").stderr == ""


def test_labels_of_measures_say_what_they_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "onto.tsv": "child\tparent\nvan\tcar\n",
        "gold.tsv": "document\tlabel\nd1\tcar\n",
        "mine.tsv": "document\tlabel\tscore\nd1\tvan\t0.5\n",
    }
    work_in(tmp_path, monkeypatch, files)
    scored = ("labels", "mine.tsv", "--gold", "gold.tsv", "--ontology", "onto.tsv")
    for measure, meaning in {
        "LabelF": "near misses are wrong", "LabelF_high": "near misses earn high credit (credit=high)",
        "LabelP(credit=low)": "near misses earn low credit", "APrec(credit=high)": "near misses earn high credit",
    }.items():  # fmt: skip
        shown = " ".join(run(*scored, "-m", measure, environment={"COLUMNS": "200"}).stdout.splitlines()[1].split())
        assert shown.endswith(f"; {meaning}")
    for measure in ("LabelF", "APrec", "LabelP"):
        assert "`high`: " in run("measures", measure).stdout
    shown = " ".join(run("measures", "ranking").stdout.split())
    assert "With an ontology, `ontoeval labels -m ranking` computes 9: APrec, APrec(credit=high)," in shown


def test_documents_are_sorted_by_the_first_f_and_measures_keep_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "gold.tsv": "document\tlabel\nd1\ta\nd2\tb\n",
        "mine.tsv": "document\tlabel\tscore\nd1\ta\t0.9\nd2\tc\t0.8\n",
    }
    work_in(tmp_path, monkeypatch, files)
    scored = ("labels", "mine.tsv", "--gold", "gold.tsv", "--per", "document")
    for measures, first in {"LabelP,LabelR,LabelF": "LabelF", "P_at(k=1),LabelF": "P_at(k=1)"}.items():
        lines = run(*scored, "-m", measures, environment={"COLUMNS": "80"}).stdout.splitlines()
        start = next(n for n, line in enumerate(lines) if f"documents, lowest {first} first" in line)
        assert lines[start + 1].split() == ["document", *measures.split(",")]
        assert [line.split()[0] for line in lines[start + 2 : start + 4]] == ["d2", "d1"]
