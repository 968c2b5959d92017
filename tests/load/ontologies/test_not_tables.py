"""Lists, prose and Markdown are refused, and the message says what they look like; tables are read as ever."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from helpers import data_folder, weighted_edges

import ontoeval as oe
from ontoeval.errors import LoadError

README = "# A taxonomy\n\nIt has two levels.\n\n- Animal\n- Plant\n"
ANSWER = "Here is the taxonomy you asked for:\n\n- Animal\n  - Dog\n  - Cat\n\nLet me know.\n"
GLOSSARY = "a glossary of names and definitions"
LISTS = [  # name, content, what it looks like
    ("list.txt", "- Dog\n- Cat\n- Bird\n", "a bulleted list"),
    ("list.tsv", "* Dog\n* Cat\n", "a bulleted list"),
    ("tabs.txt", "-\tDog\n-\tCat\n", "a bulleted list"),
    ("numbered.txt", "1. Dog\n2. Cat\n", "a numbered list"),
    ("brackets.txt", "a) Dog\nb) Cat\n", "a numbered list"),
    ("levels.txt", "1 Animals\n1.1 Dogs\n1.2 Cats\n", "a numbered list"),
    ("words.txt", "1.\tDog\n2.\tCat\n", "a numbered list"),
    ("terms.txt", "0\tleek\n1\tbus stop\n2\tyacht\n", "a numbered list"),
    ("headings.md", "# Animals\n## Dogs\n### Poodles\n", "Markdown"),
    ("README.md", README, "Markdown"),
    ("answer.txt", ANSWER, "a bulleted list"),
    ("fence.txt", "Sure thing!\n```\ndog animal\n```\n", "Markdown with a code block"),
    ("prose.txt", "Hello world.\nGood bye.\n", "running text"),
    ("paragraph.txt", "A text that goes on and on and on\nand has no full stop before it ends here\n", "running text"),
    ("outline.txt", "Living thing\n\tDomestic dog\n\t\tSmall poodle\n", "an indented outline"),
    ("blanks.txt", "Living thing\n  Domestic dog\n  Wild cat\n", "an indented outline"),
    ("tree.txt", "Living thing\n├── dog\n└── cat\n", "a tree drawing"),
    ("table.md", "| child | parent |\n|---|---|\n| dog | animal |\n", "columns separated by '|'"),
    ("colon.txt", "Dog: Animal\nCat: Animal\n", "lines of the form 'name: value'"),
    ("scores.txt", "Precision:\t0.5\nRecall:\t0.7\n", "lines of the form 'name: value'"),
    ("arrows.txt", "Animal -> Dog\nAnimal -> Cat\n", "lines with arrows"),
    ("comma.txt", "dog, animal\ncat, animal\n", "comma-separated values"),
    ("glossary.tsv", "Dog\tA carnivore that barks.\nCat\tA small animal that meows at night.\n", GLOSSARY),
    ("terms.tsv", "leek\ta vegetable of the onion family\nyacht\ta boat for sailing at sea\n", GLOSSARY),
    ("headings.tsv", "## Heading\tx\ntext\tmore text\n", "Markdown"),
    ("title.tsv", "# Some animals\tx\ndog\tanimal\ncat\tanimal\n", "Markdown"),
    ("bold.tsv", "**dog**\tanimal\n_cat_\tanimal\n", "Markdown"),
    ("links.tsv", "[dog](http://ex.org/dog)\tanimal\ncat\tanimal\n[cow](cow.md)\tanimal\n", "Markdown"),
    ("names.txt", "dog\ncat\nbird of prey\n", "a list of names"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "kind"), LISTS, ids=[name for name, _, _ in LISTS])
def test_text_that_is_no_table_is_refused_and_named(name: str, content: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path)
    assert str(caught.value).startswith(
        f"{path}: this looks like {kind}, not an ontology. Write one link per line, child TAB parent. Other formats: "
    )
    with pytest.raises(LoadError):  # not by its name either
        oe.load_ontology(path, format="tsv")


def test_given_columns_say_that_a_list_is_a_table() -> None:
    ontology = oe.load_ontology(b"1.\tDog\n2.\tCat\n", format="tsv", columns="child,parent")
    assert set(weighted_edges(ontology)) == {("1.", "Dog"), ("2.", "Cat")}


@pytest.mark.parametrize("name", ["-", "*", "|---|", "•", "__", "…"])
def test_a_name_without_a_letter_or_digit_is_refused_with_its_line(name: str) -> None:
    for table in (f"dog\tanimal\n\ncat\t{name}\n", f"child parent\n\n{name} animal\ncat animal\nanimal being\n"):
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(table.encode())
        assert str(caught.value) == (
            f"(bytes), line 3: the name {name!r} has no letter or digit. Remove the line, or correct the name."
        )


def test_names_in_any_script_have_letters() -> None:
    assert set(weighted_edges(oe.load_ontology("犬\t動物\nकुत्ता\tजानवर\n7\tc++\n".encode()))) == {
        ("犬", "動物"), ("कुत्ता", "जानवर"), ("7", "c++"),
    }  # fmt: skip


TWO_WORDS = ["machine learning\ndeep learning\n", "guide dog\ndog house\nhouse cat\n", "dog animal \nanimal being\t\n"]


@pytest.mark.parametrize("content", TWO_WORDS)
@pytest.mark.parametrize("suffix", ["", ".txt", ".tsv", ".taxo"])
def test_lines_of_two_words_are_read_only_if_something_says_that_they_are_links(
    content: str, suffix: str, tmp_path: Path
) -> None:
    """A word may stand in both columns, as in many lists of compound nouns."""
    path = tmp_path / f"words{suffix}"
    path.write_text(content)
    first = " ".join(content.split()[:2])
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path)
    assert str(caught.value) == (
        f"{path}: this looks like a list of two-word names ({first!r}), not a table of links. Write one link per "
        'line, child TAB parent. If each line is a link, set columns="child,parent" or the reverse.'
    )
    links = {tuple(line.split()) for line in content.splitlines()}
    assert set(weighted_edges(oe.load_ontology(path, columns="child,parent"))) == links
    assert set(weighted_edges(oe.load_ontology(path, format="tsv"))) == links
    path.write_text("child parent\n" + content)
    assert set(weighted_edges(oe.load_ontology(path))) == links
    path.write_text("".join("\t".join(link) + "\n" for link in sorted(links)))
    assert set(weighted_edges(oe.load_ontology(path))) == links


def test_two_word_terms_of_a_published_taxonomy_are_no_links(shared_data: Path, tmp_path: Path) -> None:
    """863 of them were read as links."""
    rows = (data_folder(shared_data, "texeval") / "2016/gold/food.taxo").read_text().splitlines()
    terms = {term for row in rows for term in row.split("\t")[1:] if len(term.split()) == 2}
    (tmp_path / "terms.txt").write_text("\n".join(sorted(terms)))
    assert len(terms) > 500
    with pytest.raises(LoadError, match="this looks like a list of two-word names"):
        oe.load_ontology(tmp_path / "terms.txt")


@pytest.mark.parametrize(
    ("header", "advice"),
    [("Dog\tA domesticated carnivore that barks.\n", True), ("child\tparent\n", False), ("parent\tchild\n", False)],
)
def test_a_header_line_or_columns_make_a_table_of_long_names(header: str, advice: bool) -> None:
    content = header + "Cat\tA small animal that meows at night.\nBird\tAn animal with feathers and wings.\n"
    if advice:
        with pytest.raises(LoadError, match=r'If it is a table of links, set columns="child,parent"\.$'):
            oe.load_ontology(content.encode())
    links = oe.load_ontology(
        content.encode(),
        columns=None if header.startswith("child") else header.strip().split("\t") if not advice else "child,parent",
    )
    assert links.hierarchy.stated_edges[0].size == content.count("\n") - (not advice)


@pytest.mark.parametrize(
    "content",
    [
        # parents that are repeated, or are below others: an ontology of long names
        "abnormal ear\tabnormality of the ear of a mouse\nabnormal eye\tabnormality of the ear of a mouse\n",
        "a b c\tabnormality of the ear of a mouse\nabnormality of the ear of a mouse\tabnormality of a mouse or rat\n",
        "dog\tdomestic animal\ncat\tfeline\n",
        "#child\tparent\ndog\tanimal\n",
        "C# programming\tprogramming\n_x_\ty\nz\ty\n",
    ],
)
def test_tables_that_resemble_a_glossary_or_markdown_are_read(content: str) -> None:
    assert oe.load_ontology(content.encode()).source.format == "tsv"


@pytest.mark.parametrize(
    "content",
    ["dog\tanimal\nanimal\tbeing\n", "child parent\ndog animal\n", "dog\tanimal\ncat\tanimal\n", "1\t2\n2\t3\n"],
)
def test_tables_are_read_without_a_warning(content: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", oe.OntoevalWarning)
        assert oe.load_ontology(content.encode()).source.format == "tsv"
        assert oe.load_ontology(b"dog animal\n", format="tsv").source.warnings == ()


@pytest.mark.parametrize(
    "content",
    [
        "dog\tanimal\t\ncat\tanimal\n", "child\tparent\t\ndog\tanimal\ncat\tanimal\t\t\n",
        "child\tparent\ndog\tanimal\t \ncat\tanimal \n",
        "0\tdog\tanimal\t\n1\tcat\tanimal\n", "dog animal \ncat animal\t\n",
    ],
)  # fmt: skip
def test_a_trailing_tab_or_blank_is_accepted(content: str) -> None:
    assert set(weighted_edges(oe.load_ontology(content.encode(), format="tsv"))) == {
        ("dog", "animal"),
        ("cat", "animal"),
    }


def test_a_glossary_of_short_sentences_is_not_a_table() -> None:
    with pytest.raises(LoadError, match="this looks like a glossary of names and definitions"):
        oe.load_ontology(b"dog\tA tame carnivore.\ncat\tSmall pet.\ncow\tGives us milk.\n")
    assert len(oe.load_ontology(b"dog\tanimal\ncat\tanimal\ncow\tanimal\n")) == 4
