"""What to forget before two texts are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ontoeval.errors import MissingInputError, ParameterError, did_you_mean, listed

FOLDS = ("case", "nfkc", "separators", "camel", "stem")  # "all" is every one but stem
_SEPARATORS = re.compile(r"[\s_\-]+")
_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip


def checked_folds(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """`case,separators` or a list of such words, in the order in which they are applied."""
    given = given or ()
    words = [w.strip() for item in ([given] if isinstance(given, str) else given) for w in item.split(",")]
    chosen = {word for word in words if word and word != "none"}
    if "all" in chosen:
        chosen = (chosen - {"all"}) | set(FOLDS[:-1])
    for word in sorted(chosen):
        if word not in FOLDS:
            raise ParameterError(
                f"cannot normalise {word!r}.{did_you_mean(word, FOLDS)} Choose from: {listed(FOLDS)}, all, none."
            )
    return tuple(fold for fold in FOLDS if fold in chosen)


def folder(folds: Sequence[str], language: str = "en") -> Callable[[str], str]:
    """A function that makes texts equal that differ only in what is to be forgotten.

    nfkc: Unicode compatibility forms. camel: camelCase is several words. separators: runs of blanks, underscores and
    hyphens are one blank, outer ones nothing. case: case folding. stem: Snowball's stem of each word.
    """
    if not folds:
        return str
    stem = _stemmer(language) if "stem" in folds else None

    def fold(text: str) -> str:
        if "nfkc" in folds:
            text = unicodedata.normalize("NFKC", text)
        if "camel" in folds:
            text = _camel(text)
        if "separators" in folds:
            text = _SEPARATORS.sub(" ", text).strip()
        if "case" in folds:
            text = text.casefold()
            if "nfkc" in folds:  # folding may leave a form that NFKC would change
                text = unicodedata.normalize("NFKC", text)
        if stem is not None:
            text = " ".join(stem.stemWords(text.split()))
        return text

    return cache(fold)


def _camel(text: str) -> str:
    """A blank before each capital that begins a word, in any script: `caféBar`, `OWLClass`."""
    pieces = []
    for place, letter in enumerate(text):
        before, after = text[place - 1 : place], text[place + 1 : place + 2]
        first = letter.isupper() and (before.islower() or before.isdigit() or (before.isupper() and after.islower()))
        pieces.append(f" {letter}" if first else letter)
    return "".join(pieces)


def _stemmer(language: str) -> Any:
    try:
        import snowballstemmer
    except ImportError:
        raise MissingInputError(
            "stemming needs snowballstemmer. Install it: pip install 'ontoeval-toolkit[stem]'"
        ) from None
    name = _LANGUAGES.get(language.split("-")[0])
    if name is None or name not in snowballstemmer.algorithms():
        raise ParameterError(f"there is no stemmer for the language {language!r}. Leave `stem` out.")
    return snowballstemmer.stemmer(name)
