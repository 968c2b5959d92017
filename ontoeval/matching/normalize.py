"""`checked_folds`, `folder`: texts before matching: case, NFKC, stems (camelCase, separators: model/lexicon.py)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ontoeval.errors import MissingInputError, ParameterError, did_you_mean, listed
from ontoeval.model.lexicon import SEPARATORS, split_camel_case

FOLDS = ("case", "nfkc", "separators", "camel", "stem", "squeeze")
ALL = FOLDS[:4]  # what "all" stands for: stem and squeeze also join words that differ
_BLANKS = re.compile(r"[\s_]+")
_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


def checked_folds(normalize: str | Sequence[str] | None) -> tuple[str, ...]:
    """`case,separators` or a list of such names, in the order in which they are applied."""
    items = [normalize] if isinstance(normalize, str) else normalize or ()
    names = {name.strip() for item in items for name in item.split(",")} - {"", "none"}
    if "all" in names:
        names = (names - {"all"}) | set(ALL)
    for name in sorted(names):
        if name not in FOLDS:
            raise ParameterError(
                f"unknown normalisation {name!r}",
                advice=f"{did_you_mean(name, FOLDS)} Choose from: {listed(FOLDS)}, all, none.".strip(),
                parameter="normalize",
            )
    return tuple(fold for fold in FOLDS if fold in names)


def folder(folds: Sequence[str], language: str = "en") -> Callable[[str], str]:
    """A function that makes texts equal that differ only in what is to be forgotten.

    nfkc: Unicode compatibility forms. camel: camelCase is several words. separators: runs of blanks, underscores and
    hyphens are one blank, outer ones nothing. case: case folding. stem: Snowball's stem of each word. squeeze, last:
    blanks and underscores are removed.
    """
    if not folds:
        return str
    stem = _stemmer(language) if "stem" in folds else None

    def fold(text: str) -> str:
        if "nfkc" in folds:
            text = unicodedata.normalize("NFKC", text)
        if "camel" in folds:
            text = split_camel_case(text)
        if "separators" in folds:
            text = SEPARATORS.sub(" ", text).strip()
        if "case" in folds:
            text = text.casefold()
            if "nfkc" in folds:  # folding may leave a form that NFKC would change
                text = unicodedata.normalize("NFKC", text)
        if stem is not None:
            text = " ".join(stem.stemWords(text.split()))
        return _BLANKS.sub("", text) if "squeeze" in folds else text

    return cache(fold)


def _stemmer(language: str) -> Any:
    try:
        import snowballstemmer
    except ImportError:
        raise MissingInputError(
            "stemming needs snowballstemmer", advice="Run `pip install 'ontoeval-toolkit[stem]'`."
        ) from None
    name = _LANGUAGES.get(language.split("-")[0])
    if name is None or name not in snowballstemmer.algorithms():
        raise ParameterError(
            f"no stemmer for the language {language!r}", advice="Remove stem from {normalize}.", parameter="normalize"
        )
    return snowballstemmer.stemmer(name)
