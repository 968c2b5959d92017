"""Pairs with and without ratings, and counts: what is read, and what is refused."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from helpers import refusal

from ontoeval.errors import LoadError
from ontoeval.load import load_counts, load_pairs
from ontoeval.load.tables.rated_pairs import PairTable

PAIRS = "two columns of words or concepts, and optionally a third of ratings"
COUNTS = "two columns, concept and count"
QUOTES = "Put cells with a comma or semicolon into double quotes."
BLANKS = "Separate the columns by TAB if cells contain spaces."


def load(text: str) -> PairTable:
    return load_pairs(text.encode())


def rows(text: str) -> list[tuple[str, str]]:
    table = load(text)
    return list(zip(table.left, table.right, strict=True))


def ratings(text: str) -> list[float] | None:
    table = load(text).ratings
    return None if table is None else table.tolist()


def refused(text: str) -> str:
    return refusal(LoadError, load, text).removeprefix("(bytes)")


def counted(text: str) -> dict[str, float]:
    return load_counts(text.encode())


def refused_counts(text: str) -> str:
    with pytest.raises(LoadError) as caught:
        counted(text)
    return str(caught.value).removeprefix("(bytes)")


# Pairs


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("car\tautomobile\t3.92\nhot dog\tfruit, raw\t1\n", "tsv"),
        ('car,automobile,3.92\nhot dog,"fruit, raw",1\n', "csv"),
        ("car;automobile;3.92\nhot dog;fruit, raw;1\n", "csv"),
        ("car\tautomobile\t3.92\r\nhot dog\tfruit, raw\t1", "tsv"),
        ("car\tautomobile\t3.92\rhot dog\tfruit, raw\t1\r", "tsv"),
        ("\ufeffcar\t automobile \t3.92\nhot dog\tfruit, raw\t1\n", "tsv"),
        ('"car"\t"automobile"\t3.92\n"hot dog"\t"fruit, raw"\t1\n', "tsv"),
    ],
)
def test_columns(text: str, format: str) -> None:
    table = load(text)
    assert table.left == ("car", "hot dog")
    assert table.right == ("automobile", "fruit, raw")
    assert ratings(text) == [3.92, 1.0]
    assert table.lines == (1, 2)
    assert (table.source.path, table.source.format) == ("(bytes)", format)
    assert len(table.source.sha256 or "") == 64
    assert len(table) == 2
    assert repr(table) == "<PairTable (bytes): 2 pairs with ratings>"


def test_words_between_blanks() -> None:
    assert rows("car automobile 3.92\ngem  jewel 3.84\n") == [("car", "automobile"), ("gem", "jewel")]
    assert ratings("car automobile 3.92\ngem  jewel 3.84\n") == [3.92, 3.84]
    assert rows("car automobile\ngem jewel\n") == [("car", "automobile"), ("gem", "jewel")]
    assert load("car automobile").source.format == "words"


def test_no_ratings() -> None:
    for text in ("car\tautomobile\n", "car\tautomobile\t\n", "car,automobile\n", "car;automobile"):
        assert rows(text) == [("car", "automobile")]
        assert ratings(text) is None
    assert repr(load("a\tb")) == "<PairTable (bytes): 1 pairs>"


def test_further_columns_are_ignored() -> None:
    assert ratings("a\tb\t1\tN\tx\nc\td\t-2e1\tV\t\n") == [1.0, -20.0]


def test_iris_and_prefixed_names_are_left_as_they_are() -> None:
    text = "http://x/a#b,GO:0008150,1\nex:a,<http://x/b>,2\n"
    assert rows(text) == [("http://x/a#b", "GO:0008150"), ("ex:a", "<http://x/b>")]


def test_comments_and_empty_lines_are_skipped_but_counted() -> None:
    table = load("# source, with; marks\n\na b 1\n \n#x\nc d 2\n")
    assert table.left == ("a", "c")
    assert table.lines == (3, 6)


def test_a_cell_may_have_a_line_break_in_quotes() -> None:
    table = load('"a\nb",c,1\nd,e,2\n')
    assert (table.left, table.lines) == (("a\nb", "d"), (1, 3))


def test_a_comma_may_be_that_of_a_number() -> None:
    assert refused("car;automobile;3,92\ngem;jewel;3,84\n") == (
        ", line 1: the rating '3,92' is not a finite number. Correct it (use a decimal point, not a comma), or "
        "remove the column."
    )


@pytest.mark.parametrize(
    ("header", "order"),
    [
        ("word1\tword2\trating", "lrx"),
        ("Word 1\tWord 2\tHuman (mean)", "lrx"),
        ("LEFT\tRight\tScore", "lrx"),
        ("term_1\tterm_2\twhatever", "lrx"),
        ("a\tb\tc", "lrx"),
        ("concept2\tconcept1\tsimilarity", "rlx"),
        ("mean\tword1\tword2", "xlr"),
        ("word1\tword2\tpos\tSimLex999", "lrpx"),
        ("id\tword1\tword2\tscore", "ilrx"),
    ],
)
def test_a_header_line(header: str, order: str) -> None:
    lines = [
        {"l": "car", "r": "automobile", "x": "3.92", "p": "N", "i": "1"},
        {"l": "gem", "r": "jewel", "x": "3.84", "p": "N", "i": "2"},
    ]
    text = "\n".join([header, *("\t".join(line[letter] for letter in order) for line in lines)])
    assert rows(text) == [("car", "automobile"), ("gem", "jewel")]
    assert ratings(text) == [3.92, 3.84]
    assert load(text).lines == (2, 3)


def test_a_header_line_without_a_rating() -> None:
    assert rows("left,right\na,b\n") == [("a", "b")]
    assert ratings("id,word1,word2\n1,a,b\n") is None


def test_the_rating_alone_may_be_named() -> None:
    text = "Human (mean)\tA\tB\n3.92\tcar\tautomobile\n"
    assert (rows(text), ratings(text)) == ([("car", "automobile")], [3.92])


def test_a_rating_that_is_not_named_is_the_only_other_column_of_numbers() -> None:
    assert ratings("word1\tword2\tpos\tpeople\na\tb\tN\t3\n") == [3.0]
    assert refused("word1\tword2\tannotators\tpeople\na\tb\t13\t3.5\n") == (
        ", line 1: several columns may be the ratings: 'annotators', 'people'. Call one of them rating, or remove the "
        "others."
    )


def test_trailing_tabs_are_accepted() -> None:
    assert ratings("a\tb\t1\nc\td\t2\t\n") == [1.0, 2.0]
    assert counted("concept\tcount\na\t1\t\nb\t2 \n") == {"a": 1, "b": 2}


@pytest.mark.parametrize("header", ["count\tconcept", "Frequency\tlemma", "occurrences_2024\tid", "count\tBegriff"])
def test_a_header_of_counts_is_obeyed_though_names_are_numbers(header: str) -> None:
    assert counted(f"{header}\n12\t1005\n3\t1006\n") == {"1005": 12, "1006": 3}


def test_a_first_line_with_a_number_is_no_header() -> None:
    assert rows("left\tright\t9.5\nup\tdown\t9\n") == [("left", "right"), ("up", "down")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f": the file is empty. Use {PAIRS}."),
        (" \n\n", f": the file is empty. Use {PAIRS}."),
        ("# a\n", f": the file has only comments. Use {PAIRS}."),
        ("word1\tword2\n", f": no pairs found, only a header line. Use {PAIRS}."),
        ("car\n", f", line 1: found 1 cell, 'car', expected {PAIRS}. {BLANKS}"),
        ("a,b\n\ncar\n", f", line 3: found 1 cell, 'car', expected {PAIRS}. {QUOTES}"),
        ("a\tb\ncar\n", f", line 2: found 1 cell, 'car', expected {PAIRS}. Correct the line."),
        ("a\tb\tx\nc\td\t1\te\n", ", line 2: found 4 cells, but 3 in line 1. Correct the line."),
        ("a,b,1,N\nc,d,1,e,f\n", f", line 2: found 5 cells, but 4 in line 1. {QUOTES}"),
        ("a b 1\nhot dog food 1\n", f", line 2: found 4 cells, but 3 in line 1. {BLANKS}"),
        ("left,right\na,b,1\n", f", line 2: found 3 cells, but 2 in line 1. {QUOTES}"),
        ("a\tb\t1\nc\td\n", ", line 2: no rating, but line 1 has one. Add a rating in every line, or in none."),
        ("a\tb\nc\td\t1\n", ", line 1: no rating, but line 2 has one. Add a rating in every line, or in none."),
        ("a,b,1\nc,d,\n", ", line 2: no rating, but line 1 has one. Add a rating in every line, or in none."),
        ("a,b,\nc,d,2\n", ", line 1: no rating, but line 2 has one. Add a rating in every line, or in none."),
        ("a,b,x\n", ", line 1: the rating 'x' is not a finite number. Correct it, or remove the column."),
        ("a,b,1\nc,d,x\n", ", line 2: the rating 'x' is not a finite number. Correct it, or remove the column."),
        ("a,b,1\nc,d,inf\n", ", line 2: the rating 'inf' is not a finite number. Correct it, or remove the column."),
        ("a,b,nan\nc,d,1\n", ", line 1: the rating 'nan' is not a finite number. Correct it, or remove the column."),
        ("a,b,1_0\nc,d,x\n", ", line 1: the rating '1_0' is not a finite number. Correct it, or remove the column."),
        ("a,,1\n", ", line 1: cell 2 is empty. Add a word or concept."),
        ("word2,word1\na,\n", ", line 2: cell 2 is empty. Add a word or concept."),
        (
            'a,b,1\n"c,d,2\ne,f,3\n',
            ", line 2: not valid CSV: unexpected end of data. Put cells with quotes into double quotes, and double "
            "the quotes in them.",
        ),
    ],
)
def test_pairs_that_are_refused(text: str, message: str) -> None:
    assert refused(text) == message


def test_the_same_front_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b"a\tb\t1\n")
    path = tmp_path / "pairs.tsv.gz"
    path.write_bytes(packed)
    for source in (path, str(path), packed, io.BytesIO(packed)):
        assert load_pairs(source).left == ("a",)
    assert load_pairs(path).source.path == str(path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b 2")))
    assert load_pairs("-").source.path == "(stdin)"
    for read in (load_pairs, load_counts):
        with pytest.raises(LoadError) as caught:
            read(path, max_size=3)
        assert str(caught.value) == (
            f"{path}: larger than 3 bytes when unpacked. Increase max_size= if you trust the file."
        )
        with pytest.raises(LoadError) as caught:
            read(tmp_path / "none.tsv")
        assert str(caught.value) == f"{tmp_path / 'none.tsv'}: no such file. Check the path."
        with pytest.raises(LoadError) as caught:
            read("a\tb\té".encode("latin-1"))
        assert str(caught.value) == (
            "(bytes), line 1: byte 0xe9 is not UTF-8. Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`."
        )


def test_ratings_cannot_be_changed() -> None:
    table = load("a b 1").ratings
    assert table is not None
    with pytest.raises(ValueError, match="read-only"):
        table[0] = 2


def test_the_pairs_of_miller_and_charles(shared_data: Path) -> None:
    table = load_pairs(shared_data / "wordsim-wn30" / "EN-MC-30.txt")
    assert len(table) == 30
    assert (table.left[0], table.right[0]) == ("car", "automobile")
    assert table.ratings is not None
    assert table.ratings[0] == 3.92
    assert table.ratings.min() == 0.08


# Counts


@pytest.mark.parametrize(
    "text",
    [
        "dog\t3\nhot dog\t1.5\n",
        "dog,3\nhot dog,1.5\n",
        "dog;3\nhot dog;1.5\n",
        "concept\tcount\ndog\t3\nhot dog\t1.5\n",
        "Frequency,Concept\n3,dog\n1.5,hot dog\n",
        "what,ever\ndog,3\nhot dog,1.5\n",
        "\ufeff# comment\n\ndog\t3\r\nhot dog\t1.5\r\n",
        "dog\t1\nhot dog\t1.5\ndog\t2\n",
    ],
)
def test_counts(text: str) -> None:
    assert counted(text) == {"dog": 3.0, "hot dog": 1.5}


def test_counts_between_blanks_and_of_zero() -> None:
    assert counted("dog 0\nex:cat 2e3\n") == {"dog": 0.0, "ex:cat": 2000.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f": the file is empty. Use {COUNTS}."),
        ("#\n", f": the file has only comments. Use {COUNTS}."),
        ("concept\tcount\n", f": no counts found, only a header line. Use {COUNTS}."),
        ("dog\n", f", line 1: found 1 cell, expected {COUNTS}. {BLANKS}"),
        ("dog\t1\ncat\t1\t2\n", f", line 2: found 3 cells, expected {COUNTS}. Correct the line."),
        ("dog,1\na,b,2\n", f", line 2: found 3 cells, expected {COUNTS}. {QUOTES}"),
        ("dog\t1\ncat\tx\n", ", line 2: the count 'x' of 'cat' is not a finite number >= 0. Correct it."),
        ("dog\tx\n", ", line 1: the count 'x' of 'dog' is not a finite number >= 0. Correct it."),
        ("dog\t-1\n", ", line 1: the count '-1' of 'dog' is not a finite number >= 0. Correct it."),
        ("dog\tinf\n", ", line 1: the count 'inf' of 'dog' is not a finite number >= 0. Correct it."),
        ("dog\tnan\n", ", line 1: the count 'nan' of 'dog' is not a finite number >= 0. Correct it."),
        (
            "dog;1,5\n",
            ", line 1: the count '1,5' of 'dog' is not a finite number >= 0. Correct it (use a decimal point, not a "
            "comma).",
        ),
        ("dog\t\n", ", line 1: the count '' of 'dog' is not a finite number >= 0. Correct it."),
        (",1\n", ", line 1: cell 1 is empty. Add a concept."),
    ],
)
def test_counts_that_are_refused(text: str, message: str) -> None:
    assert refused_counts(text) == message
