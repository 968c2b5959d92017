"""`load_corpus`: which files of a folder are read, the format of each (`FORMATS`), one `Corpus` (readers: files here).

To add a format: a file with the functions `is_X(head: bytes, name: str) -> bool` and `read_X(file: Input, options:
CorpusOptions) -> Iterator[AnnotatedDocument]` (see `format.py`), and a row in `FORMATS`.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from ontoeval.errors import LoadError, ParameterError, UnknownFormatError, did_you_mean, listed, number_of
from ontoeval.load.corpora import bdoc, brat, gate, gate_features, jsonl_tsv, label_files, nif, population, webanno
from ontoeval.load.corpora.format import (
    BY_TYPE,
    CorpusFormat,
    CorpusOptions,
    Findings,
    Individuals,
    document_name,
    is_empty,
    read_bytes,
    refuse_empty,
)
from ontoeval.load.input import DEFAULT_LIMIT, HEAD, Input, Progress, open_input
from ontoeval.model.corpus import NOWHERE, AnnotatedDocument, Corpus
from ontoeval.model.ontology import Source

# The first row that fits counts: formats with a sure mark go first.
FORMATS: dict[str, CorpusFormat] = {
    "gate": CorpusFormat(gate.is_gate, gate.read_gate),
    "bdoc": CorpusFormat(bdoc.is_bdoc, bdoc.read_bdoc),
    "nif": CorpusFormat(nif.is_nif, nif.read_nif),
    "web-annotation": CorpusFormat(webanno.is_web_annotation, webanno.read_web_annotation, spread=True),
    "kim-rdf": CorpusFormat(nif.is_kim_rdf, nif.read_kim_rdf, spread=True),
    "brat": CorpusFormat(brat.is_brat, brat.read_brat),
    "jsonl": CorpusFormat(jsonl_tsv.is_json_lines, jsonl_tsv.read_json_lines),
    "annif": CorpusFormat(label_files.is_annif, label_files.read_annif),
    "annif-short": CorpusFormat(label_files.is_annif_short, label_files.read_annif_short),
    "run": CorpusFormat(label_files.is_run, label_files.read_run),
    "qrels": CorpusFormat(label_files.is_qrels, label_files.read_qrels),
    "hemkit": CorpusFormat(label_files.is_hemkit, label_files.read_hemkit),
    "tsv": CorpusFormat(jsonl_tsv.is_tsv, jsonl_tsv.read_tsv),
    "labels": CorpusFormat(label_files.is_label_table, label_files.read_label_table),
    "population": CorpusFormat(population.is_population, population.read_population, spread=True),
}
_AT_ONCE = 8 << 20  # bytes of a file that is read as a whole
_BRAT_SETTINGS = {"annotation.conf", "visual.conf", "tools.conf", "kb_shortcuts.conf"}


def load_corpus(
    source: object,
    *,
    format: str | None = None,
    annotation_set: str | None = None,
    types: str | Sequence[str] = (),
    class_feature: str | None = None,
    instance_feature: str | None = None,
    individuals: Individuals = "iri",
    language: str | None = None,
    labels: bool | None = None,
    max_size: int = DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> Corpus:
    """Read annotated documents, or the labels of documents.

    `source` is a file, a folder, several of them, '-' for stdin, bytes or an open file; files may be compressed. A
    folder is read with all that is below it; hidden files are left out, and so is a .txt beside a file that annotates
    it. A file that is one document names it: `a.xml.gz` is `a`.

    format: override the detected format (`FORMATS`); of a folder only the files of this format are read, then.
    annotation_set: of a GATE document; None for the only one with annotations, "" for the one without a name.
    types: annotation types to keep, also where no class is given; else all annotations that have a class.
    class_feature: the feature that is the class, "" for the annotation's type; None detects it.
    instance_feature: the feature that is the annotated individual; None detects it.
    individuals: of a populated ontology, which individuals of both sides are compared: those of the same "iri" or of
        the same "label", in `language` if it is given.
    labels: True to expect labels of whole documents, False to expect spans of text; None takes what there is.
    max_size: of each file, in unpacked bytes. progress: called with the bytes read so far and in all.

    Examples
    --------
    >>> import ontoeval as oe
    >>> corpus = oe.load_corpus("fixtures/annotations/key")
    >>> len(corpus.documents) > 0
    True
    """
    if format is not None and format not in FORMATS:
        raise ParameterError(
            f"unknown format {format!r}",
            advice=f"{did_you_mean(format, FORMATS)} Use one of: {', '.join(FORMATS)}.".strip(),
            parameter="format",
        )
    kept = (types,) if isinstance(types, str) else tuple(types)
    if individuals not in ("iri", "label"):
        raise ParameterError(
            f"individuals must be 'iri' or 'label', not {individuals!r}",
            parameter="individuals",
        )
    options = CorpusOptions(annotation_set, kept, class_feature, instance_feature, individuals, language)
    loading = _Loading(*_files(source, format, max_size), labels, max_size, progress)
    try:
        corpus = loading.corpus(options)
        if options.class_feature is None and gate_features.found_no_class(options.findings):
            options = replace(options, class_feature=BY_TYPE, findings=Findings())
            corpus = loading.corpus(options)
    finally:
        loading.close()
    loading.refuse_mixed_formats()
    gate_features.check_options(options, loading.name)
    gate_features.add_notes(options)
    findings = options.findings
    corpus_source = Source(
        path=loading.name,
        format=", ".join(sorted({file.format for file in loading.files})),
        profile="corpus",
        sha256=loading.sha256,
        counts={what: number for what, number in sorted(findings.counts.items()) if number},
        notes=(*loading.notes, *findings.notes),
    )
    return replace(corpus, source=corpus_source, same=dict(findings.same), things=tuple(findings.things))


@dataclass(frozen=True)
class _File:
    """A file and its format; a path is opened only when it is read."""

    source: str | Input
    format: str

    @property
    def name(self) -> str:
        return self.source if isinstance(self.source, str) else self.source.name

    def open(self, limit: int, progress: Progress | None) -> Input:
        if isinstance(self.source, Input):
            return replace(self.source, progress=progress)
        return _open_path(self.source, limit, progress)


class _Loading:
    """All files of a corpus, one after the other."""

    def __init__(
        self,
        files: list[_File],
        notes: list[str],
        name: str,
        labels: bool | None,
        limit: int,
        progress: Progress | None,
    ) -> None:
        self.files, self.notes, self.name = files, notes, name
        self.labels, self.limit, self.progress = labels, limit, progress
        self.sha256 = ""

    def corpus(self, options: CorpusOptions) -> Corpus:
        """Read all files with these options."""
        documents = self._documents(options)
        first: list[AnnotatedDocument] = []
        labels = self.labels
        for document in documents:  # the first annotation tells whether it is a corpus of labels
            first.append(document)
            if document.annotations:
                labels = document.annotations[0].start == NOWHERE if labels is None else labels
                break
        checked = (self._check_kind(document, labels is True) for document in chain(first, documents))
        return Corpus.build(checked, labels=labels is True)

    def _documents(self, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
        digest = hashlib.sha256()
        file_of: dict[str, int] = {}
        progress = _TotalProgress(self.files, self.progress)
        for number, file in enumerate(self.files):
            opened = file.open(self.limit, progress.inside)
            for document in FORMATS[file.format].read(opened, options):
                other = file_of.setdefault(document.name, number)
                if other != number and not FORMATS[file.format].spread:
                    raise LoadError(
                        f"the document {document.name!r} is also in {self.files[other].name}",
                        advice="Remove or rename one of them.",
                        path=file.name,
                        format=file.format,
                    )
                yield document
            self.sha256 = opened.sha256
            digest.update(bytes.fromhex(self.sha256))
            progress.next()
        if len(self.files) > 1:
            self.sha256 = digest.hexdigest()

    def _check_kind(self, document: AnnotatedDocument, labels: bool) -> AnnotatedDocument:
        for annotation in document.annotations:
            if (annotation.start == NOWHERE) != labels:
                kinds = ("a span of text", "a label of the whole document")
                raise LoadError(
                    f"document {document.name!r} has {kinds[not labels]}, expected {kinds[labels]}",
                    advice="Use a corpus of one kind.",
                    path=self.name,
                )
        return document

    def refuse_mixed_formats(self) -> None:
        """Individuals of an ontology and places of a text are not compared with each other."""
        others = [file.name for file in self.files if file.format != "population"]
        populations = [file.name for file in self.files if file.format == "population"]
        if others and populations:
            raise LoadError(
                f"some files are ontologies ({listed(populations)}) and others annotated texts ({listed(others)})",
                advice="Use one kind, or set {format}.",
                path=self.name,
            )

    def close(self) -> None:
        for file in self.files:
            if isinstance(file.source, Input):
                file.source.close()


class _TotalProgress:
    """Progress over all files; a file is opened several times, but the progress never goes back."""

    def __init__(self, files: Iterable[_File], report: Progress | None) -> None:
        self._report = report
        self._sizes = [_size(file) for file in files] if report else []
        self._total = sum(self._sizes)
        self._file = self._before = self._reported = 0
        self.inside = self._in_file if report else None

    def _in_file(self, done: int, total: int | None) -> None:
        self._report_if_more(self._before + done)

    def next(self) -> None:
        """Go on to the next file."""
        if self._report:
            self._before += self._sizes[self._file]
            self._file += 1
            self._report_if_more(self._before)

    def _report_if_more(self, done: int) -> None:
        if self._report and done > self._reported:
            self._reported = done
            self._report(done, max(self._total, done))


def _open_path(path: str, limit: int, progress: Progress | None = None) -> Input:
    """A file of a path; a small one is read as a whole, as it will be opened several times."""
    try:
        status = os.stat(path)  # noqa: PTH116 - there may be many files
        if stat.S_ISREG(status.st_mode) and status.st_size <= _AT_ONCE:
            with open(path, "rb", buffering=0) as stream:
                data = stream.readall()
            return Input(path, lambda: io.BytesIO(data), limit, progress, path=Path(path))
    except (OSError, ValueError):
        pass  # opening it in the usual way raises the error
    return open_input(Path(path), limit=limit, progress=progress)


def _size(file: _File) -> int:
    if isinstance(file.source, str):
        return Path(file.source).stat().st_size
    with file.source.opener() as stream:
        return stream.seek(0, os.SEEK_END)


def _files(source: object, format: str | None, limit: int) -> tuple[list[_File], list[str], str]:
    """The files in the order they are read, notes on those that are left out, and a name for all of them."""
    single = isinstance(source, str | bytes | bytearray | os.PathLike) or hasattr(source, "read")
    sources = [source] if single or not isinstance(source, Iterable) else list(source)
    if not sources:
        raise ParameterError("the list of files is empty", advice="Add a file or a directory.", parameter="source")
    files: list[_File] = []
    notes: list[str] = []
    for item in sources:
        path = os.fspath(item) if isinstance(item, str | os.PathLike) else None
        if isinstance(path, str) and path and Path(path).is_dir():
            files += _in_folder(Path(path), format, limit, notes)
        else:
            opened = open_input(item, limit=limit)
            detected = format or _format_of(opened)
            if detected is None:
                raise _unknown_format(opened)
            files.append(_File(opened if opened.path is None else str(opened.path), detected))
    names = [_File("" if item is None else str(item), "").name for item in sources]
    name = files[0].name if len(sources) == 1 and not isinstance(sources[0], str | os.PathLike) else listed(names)
    return files, notes, name


def _in_folder(folder: Path, format: str | None, limit: int, notes: list[str]) -> list[_File]:
    files: list[_File] = []
    others: list[str] = []
    for path in _walk(folder):
        detected = _format_of(_open_path(str(path), limit), format)
        if detected is None:
            others.append(path.relative_to(folder).as_posix())
        else:
            files.append(_File(str(path), detected))
    if not files:
        kind = "with annotations" if format is None else f"of the format {format!r}"
        names = f" (found: {listed(others)})" if others else ""
        raise LoadError(
            f"no files {kind} in this directory{names}",
            advice="Use a directory of annotated documents.",
            path=str(folder),
        )
    if others and format is None:
        raise UnknownFormatError(
            f"unknown format of {len(others):,} of {len(files) + len(others):,} files: {listed(others)}",
            advice=f"Remove them, or set {{format}} to {' or '.join(sorted({file.format for file in files}))}.",
            path=str(folder),
        )
    if others:
        files_are = number_of(len(others), "file is", "files are")
        notes.append(f"{files_are} not in the format {format!r}; left out: {listed(others)}")
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder in order, without hidden ones and those that belong to another."""
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise LoadError(
            f"cannot be opened ({error.strerror})", advice="Check the path and its permissions.", path=str(folder)
        ) from None
    texts = {path for path in inside if _is_text(path)}
    annotated = {document_name(path.name) for path in inside if path not in texts} if texts else set()
    for path in inside:
        if path.name.startswith(".") or path.name in _BRAT_SETTINGS:
            continue
        if path.is_dir():
            if path.is_symlink():  # it may lead back here
                continue
            yield from _walk(path)
        elif not (path in texts and document_name(path.name) in annotated):
            yield path


def _is_text(path: Path) -> bool:
    return path.name.lower().endswith((".txt", ".txt.gz"))


def _format_of(file: Input, only: str | None = None) -> str | None:
    head = b"" if is_empty(file) else read_bytes(file, HEAD)
    rows = FORMATS if only is None else {only: FORMATS[only]}
    return next((name for name, row in rows.items() if row.fits(head, file.name)), None)


def _unknown_format(file: Input) -> LoadError:
    refuse_empty(file)
    start = file.head[:24].decode("utf-8", "replace")
    return UnknownFormatError(
        f"unknown format of annotations (starts {start!r})",
        advice="Set {format}.",
        parameter="format",
        path=file.name,
    )
