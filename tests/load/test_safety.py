"""Files made to hurt: entity bombs, entities from elsewhere, nesting without end.

What could kill the process is loaded in a child, with a limit on memory and time: a bomb of one kilobyte ends the bare
parser, and a test that ran it here would end with it.
"""

from __future__ import annotations

import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import LoadError

pytestmark = pytest.mark.slow  # hostile files, each in a process of its own

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
ADVICE = "which is unsafe. Write the text in full: only short namespace entities are accepted."
DEEP = "Write the statements one after another."
CHILD = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import ontoeval
for path in sys.argv[1:]:
    for lenient in (False, True):
        begin = time.process_time()
        try:
            outcome = len(ontoeval.load_ontology(path, lenient=lenient).hierarchy)
        except ontoeval.OntoevalError as error:
            outcome = str(error)
        print(json.dumps([path, lenient, outcome, time.process_time() - begin]), flush=True)
"""
Outcome = int | str  # the number of concepts, or the error


def in_child(folder: Path, files: Mapping[str, str], *, seconds: float = 60) -> dict[str, set[Outcome]]:
    """What a strict and a lenient load of each file give, in a process of their own that is not to be killed."""
    paths = [folder / name for name in files]
    for path in paths:
        path.write_text(files[path.name])
    command = [sys.executable, "-W", "error", "-c", CHILD, *map(str, paths)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        try:
            stdout, stderr = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            stdout, stderr = child.communicate()
    outcomes: dict[str, set[Outcome]] = {name: set() for name in files}
    for path, lenient, outcome, spent in map(json.loads, stdout.splitlines()):
        name = Path(path).name
        outcomes[name].add(outcome if isinstance(outcome, int) else outcome.replace(f"{folder}/", ""))
        assert spent < 5, f"{name}, {lenient=}: {spent} s of CPU time"
    assert (child.returncode, stderr) == (0, ""), f"after {stdout}"
    return outcomes


def rdfxml(body: str, doctype: str = "", declaration: str = "") -> str:
    namespaces = f'xmlns:rdf="{RDF}" xmlns:owl="{OWL}" xmlns:rdfs="{RDFS}"'
    return f"{declaration}{doctype}<rdf:RDF {namespaces}>{body}</rdf:RDF>"


def labelled(label: str) -> str:
    return f'<owl:Class rdf:about="http://x/A"><rdfs:label>{label}</rdfs:label></owl:Class>'


def owlxml(body: str, doctype: str = "") -> str:
    return f'{doctype}<Ontology xmlns="{OWL}" ontologyIRI="http://x">{body}</Ontology>'


def doctype(*declarations: str, root: str = "rdf:RDF") -> str:
    return f"<!DOCTYPE {root} [\n  {''.join(declarations)}\n]>\n"


def laughs(root: str) -> str:
    more = [f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)]
    return doctype('<!ENTITY l0 "lol">', *more, root=root)


def labels(text: str, **options: object) -> tuple[str, ...]:
    ontology = oe.load_ontology(text.encode(), **options)  # type: ignore[arg-type]
    assert ontology.hierarchy.iris == ("http://x/A",)
    return ontology.lexicon.labels(0)


def refusal(text: str | bytes, **options: object) -> str:
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(text.encode() if isinstance(text, str) else text, **options)  # type: ignore[arg-type]
    return str(caught.value)


class TestBombs:
    """Each is far below a megabyte and would take gigabytes or hours."""

    def test_a_billion_laughs(self, tmp_path: Path) -> None:
        files = {
            "text.rdf": rdfxml(labelled("&l9;"), laughs("rdf:RDF")),
            "attribute.rdf": rdfxml('<owl:Class rdf:about="&l9;"/>', laughs("rdf:RDF")),
            "other-name.ttl": rdfxml(labelled("&l9;"), laughs("x")),
            "owl.owx": owlxml('<Declaration><Class IRI="&l9;"/></Declaration>', laughs("Ontology")),
        }
        assert max(map(len, files.values())) < 2_000
        assert in_child(tmp_path, files) == {
            name: {
                f"{name}, line 2: the document type declares the entity '&l1;' with other entities or markup, {ADVICE}"
            }
            for name in files
        }

    def test_a_long_entity_many_times(self, tmp_path: Path) -> None:
        declared = doctype(f'<!ENTITY a "{"a" * 80_000}">')
        files = {
            "long.rdf": rdfxml(labelled("&a;" * 80_000), declared),
            "long.owx": owlxml(f'<Declaration><Class IRI="{"&a;" * 80_000}"/></Declaration>', declared),
        }
        assert in_child(tmp_path, files) == {
            name: {f"{name}, line 2: the document type declares the entity '&a;' with 80,000 characters, {ADVICE}"}
            for name in files
        }

    def test_an_entity_of_lawful_length_many_times(self, tmp_path: Path) -> None:
        declared = doctype(f'<!ENTITY a "{"a" * 1_000}">')
        files = {
            "often.rdf": rdfxml(labelled("&a;" * 80_000), declared),
            "often.owx": owlxml(f'<Declaration><Class IRI="{"&a;" * 80_000}"/></Declaration>', declared),
        }
        assert in_child(tmp_path, files) == {
            name: {f"{name}: its entities expand to 80,000,000 bytes, which is unsafe. Write the text in full."}
            for name in files
        }

    def test_entities_across_the_border_of_two_reads(self) -> None:
        """References are counted in pieces of a megabyte; none may fall between two of them."""
        body = labelled("&abcdefghij;" * 200_000)
        for shift in range(0, 14, 3):
            text = rdfxml(" " * shift + body, doctype(f'<!ENTITY abcdefghij "{"a" * 1_000}">'))
            assert refusal(text) == (
                "(bytes): its entities expand to 200,000,000 bytes, which is unsafe. Write the text in full."
            )

    def test_a_format_that_the_user_names_is_checked_too(self) -> None:
        for format in ("xml", "owlxml"):
            message = refusal(rdfxml(labelled("&l9;"), laughs("rdf:RDF")), format=format)
            assert message.startswith("(bytes), line 2: the document type declares the entity '&l1;' with other")

    def test_an_import_is_checked_too(self, tmp_path: Path) -> None:
        path = tmp_path / "bomb.rdf"
        path.write_text(rdfxml(labelled("&l9;"), laughs("rdf:RDF")))
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(f"<http://x/A> a <{OWL}Class> .".encode(), imports=[path])
        assert str(caught.value) == (
            f"{path}, line 2: the document type declares the entity '&l1;' with other entities or markup, {ADVICE}"
        )


class TestFromElsewhere:
    @pytest.fixture
    def server(self) -> Iterator[tuple[str, list[str]]]:
        """An address where something could be fetched, and what was."""
        asked: list[str] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                body = f'{{"@context": {{"Class": "{OWL}Class"}}}}'.encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/ld+json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Handler) as running:
            threading.Thread(target=running.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{running.server_port}", asked
            running.shutdown()

    @pytest.mark.parametrize("lenient", [False, True])
    def test_an_entity_from_a_file(self, lenient: bool, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("confidential")
        text = rdfxml(labelled("&x;"), doctype(f'<!ENTITY x SYSTEM "{secret.as_uri()}">'))
        assert refusal(text, lenient=lenient) == (
            f"(bytes), line 2: the document type declares the external entity '&x;' ({secret.as_uri()}), {ADVICE}"
        )

    @pytest.mark.parametrize("lenient", [False, True])
    @pytest.mark.parametrize("kind", ["SYSTEM", 'PUBLIC "-//X//Y"'])
    def test_an_entity_from_the_web(self, kind: str, lenient: bool, server: tuple[str, list[str]]) -> None:
        address, asked = server
        text = rdfxml(labelled("&x;"), doctype(f'<!ENTITY x {kind} "{address}/x">'))
        assert refusal(text, lenient=lenient) == (
            f"(bytes), line 2: the document type declares the external entity '&x;' ({address}/x), {ADVICE}"
        )
        assert asked == []

    @pytest.mark.parametrize("value", ["\"<!ENTITY y 'z'>\"", 'SYSTEM "http://127.0.0.1:9/x.dtd"'])
    def test_a_parameter_entity(self, value: str) -> None:
        assert refusal(rdfxml(labelled("a"), doctype(f"<!ENTITY % x {value}> %x;"))) == (
            f"(bytes), line 2: the document type declares the parameter entity '%x;', {ADVICE}"
        )

    def test_an_entity_that_is_no_text(self) -> None:
        text = rdfxml(labelled("a"), doctype('<!NOTATION n SYSTEM "x"><!ENTITY x SYSTEM "a.gif" NDATA n>'))
        assert refusal(text) == (
            f"(bytes), line 2: the document type declares the external entity '&x;' (a.gif), {ADVICE}"
        )

    @pytest.mark.parametrize("lenient", [False, True])
    def test_a_document_type_from_the_web_is_passed_over(self, lenient: bool, server: tuple[str, list[str]]) -> None:
        address, asked = server
        for declared in (f'SYSTEM "{address}/x.dtd"', f'PUBLIC "-//X//Y" "{address}/x.dtd"'):
            assert labels(rdfxml(labelled("a"), f"<!DOCTYPE rdf:RDF {declared}>"), lenient=lenient) == ("a",)
            inside = f'<!DOCTYPE rdf:RDF {declared} [<!ENTITY a "b">]>'
            assert labels(rdfxml(labelled("&a;"), inside), lenient=lenient) == ("b",)
            # broken as well, so that the last parser of a lenient load sees it
            broken = rdfxml('<owl:Class about="http://x/A"/>', f"<!DOCTYPE rdf:RDF {declared}>")
            if lenient:
                assert labels(broken, lenient=True) == ("A",)
        assert asked == []

    @pytest.mark.parametrize("lenient", [False, True])
    def test_a_json_ld_context_from_the_web(self, lenient: bool, server: tuple[str, list[str]]) -> None:
        address, asked = server
        text = f'{{"@context": "{address}/context.jsonld", "@id": "http://x/A", "@type": "Class"}}'
        assert refusal(text, lenient=lenient) == (
            "(bytes): the JSON-LD context is remote, and nothing is downloaded. Copy the context into the file."
        )
        assert asked == []

    @pytest.mark.parametrize("lenient", [False, True])
    def test_a_json_ld_context_from_a_file(self, lenient: bool, tmp_path: Path) -> None:
        context = tmp_path / "context.jsonld"
        context.write_text(f'{{"@context": {{"Class": "{OWL}Class"}}}}')
        text = f'{{"@context": "{context.as_uri()}", "@id": "http://x/A", "@type": "Class"}}'
        assert refusal(text, lenient=lenient) == (
            "(bytes): the JSON-LD context is remote, and nothing is downloaded. Copy the context into the file."
        )


class TestHarmlessEntities:
    def test_namespaces_as_protege_writes_them(self) -> None:
        declared = doctype(
            f'<!ENTITY owl "{OWL}" >\n    ',
            '<!ENTITY ex "http://x/" >\n    ',
            '<!ENTITY xsd "http://www.w3.org/2001/XMLSchema#" >',
        )
        body = '<owl:Class rdf:about="&ex;A"><rdfs:label rdf:datatype="&xsd;string">a</rdfs:label></owl:Class>'
        assert labels(rdfxml(body, declared)) == ("a",)
        body = '<rdf:Description rdf:about="&ex;A"><rdf:type rdf:resource="&owl;Class"/></rdf:Description>'
        assert labels(rdfxml(body, declared)) == ("A",)

    def test_namespaces_in_owl_xml(self) -> None:
        declared = doctype(f'<!ENTITY rdfs "{RDFS}">', "<!ENTITY ex 'http://x/'>", '<!ENTITY a "a">', root="Ontology")
        body = (
            '<Declaration><Class IRI="&ex;A"/></Declaration><AnnotationAssertion>'
            '<AnnotationProperty IRI="&rdfs;label"/><IRI>&ex;A</IRI><Literal>&a; &amp; b</Literal>'
            "</AnnotationAssertion>"
        )
        assert labels(owlxml(body, declared)) == ("a & b",)

    @pytest.mark.parametrize(
        ("declared", "label"),
        [
            ("<!ENTITY q 'single'>", "single"),
            ("""<!ENTITY q 'say "hi"'>""", 'say "hi"'),
            ("""<!ENTITY q "it's">""", "it's"),
            ("""<!ENTITY q "&#34;both&#39;">""", "\"both'"),
            ('<!ENTITY q "a>b">', "a>b"),
            ('<!ENTITY q "a]>b">', "a]>b"),
            ('<!ENTITY q "100&#37;">', "100%"),
            ('<!ENTITY q "v&#233;lo">', "vélo"),
            ('<!ENTITY q "vélo">', "vélo"),
            ('<!ENTITY q "a\nb">', "a\nb"),
            ('<!ENTITY q "first"><!ENTITY q "second">', "first"),
            ('<!ENTITY q "x"><!ENTITY lt "&#38;#60;"><!ENTITY amp "&#38;#38;">', "x"),
            ('<!-- ]> <!DOCTYPE --><?note ]>?><!ENTITY q "x"><!ELEMENT a ANY><!ATTLIST a b CDATA "c">', "x"),
            (f'<!-- {"y" * 100_000} --><!ENTITY q "x">', "x"),
            (f'<!ENTITY q "{"x" * 1_024}">', "x" * 1_024),
            ("".join(f'<!ENTITY e{n} "x">' for n in range(199)) + '<!ENTITY q "the 200th">', "the 200th"),
        ],
    )
    def test_values_of_all_kinds(self, declared: str, label: str) -> None:
        assert labels(rdfxml(labelled("&q;"), doctype(declared))) == (label,)
        assert labels(rdfxml(labelled("&q;"), doctype(declared)), lenient=True) == (label,)

    def test_an_entity_of_nothing(self) -> None:
        assert labels(rdfxml(labelled("x&q;y"), doctype('<!ENTITY q "">'))) == ("xy",)

    def test_in_another_encoding(self) -> None:
        text = rdfxml(labelled("&q;é"), doctype('<!ENTITY q "é">'), '<?xml version="1.0" encoding="ISO-8859-1"?>')
        assert oe.load_ontology(text.encode("latin-1")).lexicon.labels(0) == ("éé",)

    @pytest.mark.parametrize(
        "around", ["<!-- <!DOCTYPE x [ -->{}", "{}<!-- <!DOCTYPE x [ ]> -->", '<?xml version="1.0"?>\n{}\n<?note ?>']
    )
    def test_between_comments(self, around: str) -> None:
        assert labels(rdfxml(labelled("&q;"), around.format('<!DOCTYPE rdf:RDF[<!ENTITY q "x">] \n >'))) == ("x",)

    def test_much_used_in_a_large_file(self) -> None:
        """A namespace entity in every line is what such files look like."""
        lines = [f'<owl:Class rdf:about="&ex;{n}"><rdfs:subClassOf rdf:resource="&ex;0"/></owl:Class>\n'
                 for n in range(5_000)]  # fmt: skip
        text = rdfxml("".join(lines), doctype(f'<!ENTITY ex "http://x/{"long/" * 60}">'))
        assert len(oe.load_ontology(text.encode()).hierarchy) == 5_000

    def test_too_many(self) -> None:
        declared = doctype(*(f'<!ENTITY e{n} "x">' for n in range(201)))
        assert refusal(rdfxml(labelled("&e1;"), declared)) == (
            f"(bytes), line 2: the document type declares more than 200 entities, {ADVICE}"
        )

    def test_too_long(self) -> None:
        assert refusal(rdfxml(labelled("&q;"), doctype(f'<!ENTITY q "{"x" * 1_025}">'))) == (
            f"(bytes), line 2: the document type declares the entity '&q;' with 1,025 characters, {ADVICE}"
        )

    @pytest.mark.parametrize("value", ["a &amp; b", "&#38;lol;", "&#60;b/>", "<b/>"])
    def test_markup_in_the_value(self, value: str) -> None:
        assert refusal(rdfxml(labelled("&q;"), doctype(f'<!ENTITY q "{value}">'))) == (
            f"(bytes), line 2: the document type declares the entity '&q;' with other entities or markup, {ADVICE}"
        )

    def test_a_document_type_without_end(self) -> None:
        assert refusal(f"<!-- {'x' * (2 << 20)} -->" + rdfxml(labelled("a"))) == (
            "(bytes): no XML element within the first megabyte. Use an RDF/XML or OWL/XML file."
        )


class TestNesting:
    """Parsers that recurse end with the stack, and one that does not takes quadratic time."""

    @pytest.mark.parametrize("levels", [20_000, 1_000_000])
    def test_elements_of_rdf_xml(self, levels: int, tmp_path: Path) -> None:
        half = levels // 2
        deep = "<rdf:Description><rdf:value>" * half + "</rdf:value></rdf:Description>" * half
        assert in_child(tmp_path, {"deep.rdf": rdfxml(deep)}) == {
            "deep.rdf": {f"deep.rdf, line 1: elements are nested more than 4,000 deep. {DEEP}"}
        }

    def test_elements_that_are_never_closed(self, tmp_path: Path) -> None:
        assert in_child(tmp_path, {"deep.rdf": rdfxml("<rdf:value>\n" * 300_000)}) == {
            "deep.rdf": {f"deep.rdf, line 4000: elements are nested more than 4,000 deep. {DEEP}"}
        }

    @pytest.mark.parametrize("many", [4_000, pytest.param(20_000, marks=pytest.mark.slow)])
    def test_elements_whose_ends_seem_to_be_there(self, many: int, tmp_path: Path) -> None:
        """What looks like an end stands in comments and the like, so that counting is not enough."""
        elements = {
            "comment": "<e:a><e:b><!--</a></a>-->",
            "comment-2": "<e:a><e:b><!--/>/>-->",
            "cdata": "<e:a><e:b><![CDATA[</a></a>]]>",
            "instruction": "<e:a><e:b><?a </a></a>?>",
            "attribute": '<e:a e:x="/>/>"><e:b>',
            "text": "<e:a e:x='/>'><e:b>/>",
        }
        head = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:e="http://e/">'
        files = {
            f"{name}.rdf": f"{head}{element * many}{'</e:b></e:a>' * many}</rdf:RDF>"
            for name, element in elements.items()
        }
        assert in_child(tmp_path, files) == {
            name: {f"{name}, line 1: elements are nested more than 4,000 deep. {DEEP}"} for name in files
        }

    def test_json(self, tmp_path: Path) -> None:
        """JSON-LD, where it ends the bare parser, and other JSON."""
        nests = {"object": ('{"http://x/p": ', "}"), "array": ("[", "]"), "list": ('{"@list":[', "]}")}
        files = {
            f"{name}.jsonld": f'{{"@id": "http://x/A", "http://x/p": {opening * 100_000}1{closing * 100_000}}}'
            for name, (opening, closing) in nests.items()
        }
        files["graph.json"] = '{"graphs": [{"nodes": ' + "[" * 100_000
        files["pairs.json"] = '[{"parent": "a", "child": ' + "[" * 100_000
        assert in_child(tmp_path, files) == {
            name: {f"{name}: brackets are nested more than 500 deep. {DEEP}"} for name in files
        }

    def test_class_expressions(self, tmp_path: Path) -> None:
        many = 100_000
        functional = "ObjectComplementOf(" * many + "<http://x/B>" + ")" * many
        xml = "<ObjectComplementOf>" * many + '<Class IRI="http://x/B"/>' + "</ObjectComplementOf>" * many
        files = {
            "deep.ofn": f"Ontology(<http://x> SubClassOf(<http://x/A> {functional}))",
            "deep.owx": owlxml(f'<SubClassOf><Class IRI="http://x/A"/>{xml}</SubClassOf>'),
        }
        assert in_child(tmp_path, files) == {
            "deep.ofn": {f"deep.ofn: brackets are nested more than 500 deep. {DEEP}"},
            "deep.owx": {f"deep.owx, line 1: elements are nested more than 500 deep. {DEEP}"},
        }

    def test_class_expressions_whose_ends_seem_to_be_there(self, tmp_path: Path) -> None:
        """Brackets and quotes in comments and IRIs are none."""
        many = 100_000
        plain = "ObjectComplementOf(" * many + "<http://x/B>" + ")" * many
        comments = "ObjectComplementOf( # )\n" * many + "<http://x/B>" + ")" * many
        iris = "ObjectIntersectionOf(<http://x/)> " * many + "<http://x/B>" + ")" * many
        files = {
            "quotes.ofn": f'# "\nOntology(<http://x> # "\n# "\nSubClassOf(<http://x/A> {plain})\n# "\n)',
            "comments.ofn": f"Ontology(<http://x> SubClassOf(<http://x/A> {comments}))",
            "iris.ofn": f"Ontology(<http://x> SubClassOf(<http://x/A> {iris}))",
        }
        assert in_child(tmp_path, files) == {
            name: {f"{name}: brackets are nested more than 500 deep. {DEEP}"} for name in files
        }

    def test_triple_terms(self, tmp_path: Path) -> None:
        deep = "<<( <http://x/A> <http://x/p> " * 100_000 + "<http://x/B>" + " )>>" * 100_000
        names = [f"deep.{suffix}" for suffix in ("ttl", "nt", "nq", "trig", "n3")]
        assert in_child(tmp_path, dict.fromkeys(names, f"<http://x/A> <http://x/p> {deep} .\n")) == {
            name: {f"{name}: triple terms are nested more than 500 deep. {DEEP}"} for name in names
        }

    def test_triple_terms_whose_ends_seem_to_be_there(self, tmp_path: Path) -> None:
        """Their ends stand in comments, or names look like the start of one: counting both marks is not enough."""
        terms = {
            "comment": "<<( <a:a> <a:p> # )>>\n",
            "comments": "<<( <a:a> <a:p> #\n#>>>>\n",
            "name": "<<( a:b\\#c a:p ",
            "quote": "<<( a:b\\'c a:p ",
            "iri": "<<( <http://x/#a> <http://x/'> ",
        }
        files = {
            f"{name}.ttl": f"@prefix a: <http://a/> .\na:a a:p {term * 100_000}<a:b>{' )>>' * 100_000} .\n"
            for name, term in terms.items()
        }
        assert in_child(tmp_path, files) == {
            name: {f"{name}: triple terms are nested more than 500 deep. {DEEP}"} for name in files
        }

    def test_brackets_of_turtle_do_no_harm(self, tmp_path: Path) -> None:
        nests = [("[ <http://x/p> ", "]"), ("( ", ")"), ("[ <http://x/p> ( ", ") ]")]
        start = f"<http://x/A> a <{OWL}Class> ; <http://x/p> "
        files = {
            f"{number}.ttl": f"{start}{opening * 10_000}1{closing * 10_000} ."
            for number, (opening, closing) in enumerate(nests)
        }
        assert in_child(tmp_path, files) == {name: {1} for name in files}

    @pytest.mark.parametrize("text", ["a << b", "a <<( b", "<<<<<<"])
    @pytest.mark.parametrize("quote", ['"', '"""', "'"])
    def test_the_marks_of_triple_terms_in_labels(self, quote: str, text: str) -> None:
        values = " , ".join(f"{quote}{text} {n}{quote}" for n in range(600))
        content = f"# {'<<( ' * 600}\n<http://x/A> a <{OWL}Class> ; <{RDFS}label> {values} .\n"
        assert len(labels(content)) == 600

    def test_triple_terms_side_by_side(self) -> None:
        """Annotated statements of RDF 1.2; there may be any number of them."""
        lines = [f"<http://x/A> <http://x/said> <<( <http://x/A> <http://x/p> {n} )>> .\n" for n in range(20_000)]
        assert labels(f"<http://x/A> a <{OWL}Class> .\n" + "".join(lines)) == ("A",)

    def test_brackets_in_strings_do_not_count(self) -> None:
        label = '\\"' + "([{<" * 1_000
        text = f'{{"@id": "http://x/A", "@type": "{OWL}Class", "{RDFS}label": "{label}"}}'
        assert labels(text) == ('"' + "([{<" * 1_000,)
        text = f'AnnotationAssertion(<{RDFS}label> <http://x/A> "{label}")'
        text = f"Ontology(<http://x> Declaration(Class(<http://x/A>)) {text})"
        assert labels(text) == ('"' + "([{<" * 1_000,)

    def test_what_nests_a_little_is_accepted(self) -> None:
        deep = "<rdf:Description><rdf:value>" * 900 + "</rdf:value></rdf:Description>" * 900
        assert labels(rdfxml(labelled("a") + deep)) == ("a",)
        deep = '{"http://x/p":' * 400 + "1" + "}" * 400
        assert labels(f'{{"@id": "http://x/A", "@type": "{OWL}Class", "http://x/p": {deep}}}') == ("A",)

    @pytest.mark.parametrize("levels", [60, 200, 400, 490])
    def test_class_expressions_do_not_depend_on_how_deep_the_caller_stands(self, levels: int) -> None:
        """They are read or refused, but never because Python's stack is full."""
        deep = "ObjectIntersectionOf(<http://x/C> " * levels + "<http://x/B>" + ")" * levels
        text = f"Ontology(<http://x> SubClassOf(<http://x/A> {deep}))".encode()

        def outcome(frames: int) -> int | str:
            if frames:
                return outcome(frames - 1)
            try:
                return len(oe.load_ontology(text).hierarchy)
            except LoadError as error:
                return str(error)

        outcomes = {outcome(frames) for frames in (0, 200, 400, 600)}
        assert outcomes == {4} or (levels > 60 and len(outcomes) == 1 and "are nested more than" in str(outcomes))

    def test_comments_and_cdata_do_not_look_like_elements(self) -> None:
        comment = f"<!-- {'<a>' * 5_000} --><rdfs:comment><![CDATA[{'<a>' * 30_000}]]></rdfs:comment>"
        odd = f"<rdf:Description>{comment}</rdf:Description>"
        assert labels(rdfxml(labelled("a") + odd)) == ("a",)


class TestLongChains:
    @staticmethod
    def chain(length: int) -> bytes:
        line = f"<http://x/%d> <{RDFS}subClassOf> <http://x/%d> .\n".encode()
        return b"".join(line % (number + 1, number) for number in range(length))

    def test_a_chain_of_a_hundred_thousand_concepts(self) -> None:
        ontology = oe.load_ontology(self.chain(100_000))
        assert len(ontology.hierarchy) == 100_001
        assert ontology.describe()["max_depth"] == 100_000

    @pytest.mark.slow
    def test_a_chain_of_a_million_concepts(self) -> None:
        ontology = oe.load_ontology(self.chain(1_000_000))
        assert len(ontology.hierarchy) == 1_000_001
        assert ontology.describe()["max_depth"] == 1_000_000

    @pytest.mark.slow
    def test_a_cycle_of_a_hundred_thousand_concepts(self) -> None:
        ring = self.chain(100_000) + f"<http://x/0> <{RDFS}subClassOf> <http://x/100000> .\n".encode()
        ontology = oe.load_ontology(ring)
        assert len(ontology.hierarchy) == 100_002  # and a root
        assert ontology.describe()["cycle_count"] == 1

    def test_a_cycle_of_ten_thousand_concepts(self) -> None:
        ring = self.chain(10_000) + f"<http://x/0> <{RDFS}subClassOf> <http://x/10000> .\n".encode()
        ontology = oe.load_ontology(ring)
        assert len(ontology.hierarchy) == 10_002  # and a root
        assert ontology.describe()["cycle_count"] == 1


def nested(depth: int) -> dict[str, str]:
    """Files whose brackets nest exactly `depth` deep, those around the statement counted."""
    functional = "ObjectComplementOf(" * (depth - 2) + "<http://x/B>" + ")" * (depth - 2)
    return {
        "expression.ofn": f"Ontology(<http://x> SubClassOf(<http://x/A> {functional}))",
        "value.jsonld": f'{{"@id": "http://x/A", "@type": "{OWL}Class", "http://x/p": {lists(depth - 1)}}}',
        "pairs.json": f'[{{"parent": "a", "child": "b", "more": {lists(depth - 2)}}}]',
    }


def lists(depth: int) -> str:
    return "[" * depth + "1" + "]" * depth


@pytest.mark.parametrize(("name", "concepts"), {"expression.ofn": 1, "value.jsonld": 1, "pairs.json": 2}.items())
def test_brackets_may_nest_500_deep_but_not_501(tmp_path: Path, name: str, concepts: int) -> None:
    path = tmp_path / name
    path.write_text(nested(500)[name])
    assert len(oe.load_ontology(path).hierarchy) == concepts
    path.write_text(nested(501)[name])
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path)
    assert str(caught.value) == f"{path}: brackets are nested more than 500 deep. {DEEP}"
