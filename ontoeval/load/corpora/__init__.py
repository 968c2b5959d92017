"""Annotated documents, one file per format; which format a file has is told by its content.

A reader has two functions, `is_X(head: bytes, name: str) -> bool` and `read_X(given: Input, choices: Choices) ->
Iterator[AnnotatedDocument]` (see `reader`), and a row in `FORMATS`.
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

from ontoeval.errors import LoadError, ParameterError, did_you_mean, listed
from ontoeval.load.corpora import bdoc, brat, gate, label_files, nif, webanno
from ontoeval.load.corpora import gate_features as features
from ontoeval.load.corpora import jsonl_tsv as lines
from ontoeval.load.corpora.format import BY_TYPE, Choices, CorpusFormat, Findings, document_name, is_empty, whole
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
    "jsonl": CorpusFormat(lines.is_json_lines, lines.read_json_lines),
    "annif": CorpusFormat(label_files.is_annif, label_files.read_annif),
    "annif-short": CorpusFormat(label_files.is_annif_short, label_files.read_annif_short),
    "run": CorpusFormat(label_files.is_run, label_files.read_run),
    "qrels": CorpusFormat(label_files.is_qrels, label_files.read_qrels),
    "hemkit": CorpusFormat(label_files.is_hemkit, label_files.read_hemkit),
    "tsv": CorpusFormat(lines.is_tsv, lines.read_tsv),
    "labels": CorpusFormat(label_files.is_label_table, label_files.read_label_table),
}
_AT_ONCE = 8 << 20  # bytes as given
_BRAT_SETTINGS = {"annotation.conf", "visual.conf", "tools.conf", "kb_shortcuts.conf"}


def load_corpus(
    source: object,
    *,
    format: str | None = None,
    annotation_set: str | None = None,
    types: str | Sequence[str] = (),
    class_feature: str | None = None,
    instance_feature: str | None = None,
    labels: bool | None = None,
    max_size: int = DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> Corpus:
    """Read annotated documents, or the labels of documents.

    `source` is a file, a folder, several of them, '-' for stdin, bytes or an open file; files may be compressed. A
    folder is read with all that is below it; hidden files are left out, and so is a .txt beside a file that annotates
    it. A file that is one document names it: `a.xml.gz` is `a`.

    format: override what the content says (`FORMATS`); of a folder only the files that have it are read, then.
    annotation_set: of a GATE document; None for the only one with annotations, "" for the one without a name.
    types: annotation types to keep, also where no class is given; else all annotations that have a class.
    class_feature: the feature that is the class, "" for the annotation's type; None finds out.
    instance_feature: the feature that is the annotated individual; None finds out.
    labels: True to expect labels of whole documents, False to expect spans of text; None takes what there is.
    max_size: of each file, in unpacked bytes. progress: called with the bytes read so far and in all.
    """
    if format is not None and format not in FORMATS:
        raise ParameterError(
            f"unknown format {format!r}.{did_you_mean(format, FORMATS)} Choose from: {', '.join(FORMATS)}."
        )
    kept = (types,) if isinstance(types, str) else tuple(types)
    choices = Choices(annotation_set, kept, class_feature, instance_feature)
    loading = _Loading(*_files(source, format, max_size), labels, max_size, progress)
    try:
        corpus = loading.corpus(choices)
        if choices.class_feature is None and features.found_no_class(choices.findings):
            choices = replace(choices, class_feature=BY_TYPE, findings=Findings())
            corpus = loading.corpus(choices)
    finally:
        loading.close()
    features.check(choices, loading.name)
    features.notes(choices)
    findings = choices.findings
    source_ = Source(
        path=loading.name,
        format=", ".join(sorted({file.format for file in loading.files})),
        profile="corpus",
        sha256=loading.sha256,
        counts={what: number for what, number in sorted(findings.counts.items()) if number},
        notes=(*loading.notes, *findings.notes),
    )
    return replace(corpus, source=source_, same=dict(findings.same))


@dataclass(frozen=True)
class _File:
    """A file and its format; a path is opened when it is its turn."""

    source: str | Input
    format: str

    @property
    def name(self) -> str:
        return self.source if isinstance(self.source, str) else self.source.name

    def open(self, limit: int, progress: Progress | None) -> Input:
        if isinstance(self.source, Input):
            return replace(self.source, progress=progress)
        return _opened(self.source, limit, progress)


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

    def corpus(self, choices: Choices) -> Corpus:
        """Read all of it by these choices."""
        documents = self._documents(choices)
        first: list[AnnotatedDocument] = []
        labels = self.labels
        for document in documents:  # the first annotation tells what the corpus is one of
            first.append(document)
            if document.annotations:
                found = document.annotations[0].start == NOWHERE
                labels = found if labels is None else labels
                break
        checked = (self._checked(document, labels is True) for document in chain(first, documents))
        return Corpus.build(checked, labels=labels is True)

    def _documents(self, choices: Choices) -> Iterator[AnnotatedDocument]:
        digest = hashlib.sha256()
        owner: dict[str, int] = {}
        far = _Far(self.files, self.progress)
        for number, file in enumerate(self.files):
            given = file.open(self.limit, far.progress)
            for document in FORMATS[file.format].read(given, choices):
                other = owner.setdefault(document.name, number)
                if other != number and not FORMATS[file.format].spread:
                    raise LoadError(
                        f"the document {document.name!r} is in {self.files[other].name}, too. Give each document once.",
                        path=file.name,
                        format=file.format,
                    )
                yield document
            self.sha256 = given.sha256
            digest.update(bytes.fromhex(self.sha256))
            far.next()
        if len(self.files) > 1:
            self.sha256 = digest.hexdigest()

    def _checked(self, document: AnnotatedDocument, labels: bool) -> AnnotatedDocument:
        for annotation in document.annotations:
            if (annotation.start == NOWHERE) != labels:
                kinds = ("a span of text", "a label of the whole document")
                raise LoadError(
                    f"{kinds[not labels]} is among the annotations of document {document.name!r}, expected "
                    f"{kinds[labels]}. Give a corpus of one kind.",
                    path=self.name,
                )
        return document

    def close(self) -> None:
        for file in self.files:
            if isinstance(file.source, Input):
                file.source.close()


class _Far:
    """How far all the files have been read; a file is opened several times, which is no way back."""

    def __init__(self, files: Iterable[_File], report: Progress | None) -> None:
        self._report = report
        self._sizes = [_size(file) for file in files] if report else []
        self._total = sum(self._sizes)
        self._at = self._before = self._told = 0
        self.progress = self._inside if report else None

    def _inside(self, done: int, total: int | None) -> None:
        self._tell(self._before + done)

    def next(self) -> None:
        if self._report:
            self._before += self._sizes[self._at]
            self._at += 1
            self._tell(self._before)

    def _tell(self, done: int) -> None:
        if self._report and done > self._told:
            self._told = done
            self._report(done, max(self._total, done))


def _opened(path: str, limit: int, progress: Progress | None = None) -> Input:
    """A file that was given by its path; one document is read at once, as it will be opened several times."""
    try:
        found = os.stat(path)  # noqa: PTH116 - there may be many files
        if stat.S_ISREG(found.st_mode) and found.st_size <= _AT_ONCE:
            with open(path, "rb", buffering=0) as stream:
                data = stream.readall()
            return Input(path, lambda: io.BytesIO(data), limit, progress, path=Path(path))
    except (OSError, ValueError):
        pass  # opening it in the usual way says what is wrong
    return open_input(Path(path), limit=limit, progress=progress)


def _size(file: _File) -> int:
    if isinstance(file.source, str):
        return Path(file.source).stat().st_size
    with file.source.opener() as stream:
        return stream.seek(0, os.SEEK_END)


def _files(source: object, format: str | None, limit: int) -> tuple[list[_File], list[str], str]:
    """The files in the order they are read, what to say of those that are not, and what all of them are called."""
    several = isinstance(source, Iterable) and not isinstance(source, str | bytes | bytearray | os.PathLike)
    given = list(source) if several and not hasattr(source, "read") and isinstance(source, Iterable) else [source]
    if not given:
        raise ParameterError("the list of files is empty. Give a file or a folder.")
    files: list[_File] = []
    notes: list[str] = []
    for one in given:
        path = os.fspath(one) if isinstance(one, str | os.PathLike) else None
        if isinstance(path, str) and path and Path(path).is_dir():
            files += _in_folder(Path(path), format, limit, notes)
        else:
            opened = open_input(one, limit=limit)
            known = format or _format_of(opened)
            if known is None:
                raise _unknown(opened)
            files.append(_File(opened if opened.path is None else str(opened.path), known))
    names = [_File("" if one is None else str(one), "").name for one in given]
    name = files[0].name if len(given) == 1 and not isinstance(given[0], str | os.PathLike) else listed(names)
    return files, notes, name


def _in_folder(folder: Path, format: str | None, limit: int, notes: list[str]) -> list[_File]:
    files: list[_File] = []
    others: list[str] = []
    for path in _walk(folder):
        known = _format_of(_opened(str(path), limit), format)
        if known is None:
            others.append(path.relative_to(folder).as_posix())
        else:
            files.append(_File(str(path), known))
    if not files:
        kind = "with annotations" if format is None else f"of the format {format!r}"
        found = f" (there are: {listed(others)})" if others else ""
        raise LoadError(
            f"there is no file {kind} in this folder{found}. Give a folder of annotated documents.", path=str(folder)
        )
    if others and format is None:
        raise LoadError(
            f"cannot tell the format of {len(others):,} of {len(files) + len(others):,} files: {listed(others)}. "
            f"Take them out, or choose the format of those to read: {', '.join(sorted({f.format for f in files}))}.",
            path=str(folder),
        )
    if others:
        notes.append(f"files that are not in the format {format!r} were left out: {listed(others)}.")
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """The files below a folder in order, without hidden ones and those that belong to another."""
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise LoadError(
            f"cannot be opened ({error.strerror}). Check the path and its permissions.", path=str(folder)
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


def _format_of(given: Input, only: str | None = None) -> str | None:
    head = b"" if is_empty(given) else whole(given, HEAD)
    rows = FORMATS if only is None else {only: FORMATS[only]}
    return next((name for name, row in rows.items() if row.fits(head, given.name)), None)


def _unknown(given: Input) -> LoadError:
    if is_empty(given):
        return LoadError("the file is empty. Give annotated documents.", path=given.name)
    shown = given.head[:24].decode("utf-8", "replace")
    return LoadError(
        f"cannot tell the format of the annotations (first bytes: {shown!r}). "
        f"Give --corpus-format: {', '.join(FORMATS)}.",
        path=given.name,
    )
