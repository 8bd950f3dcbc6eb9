"""The product's words: every sentence that people read stands in this package, as English text looked up by gettext.

Sources mark what is to be translated with `_`, `ngettext` and `pgettext`; `make texts` extracts it. Texts are plain:
whoever shows them escapes them for his medium.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache
from pathlib import Path

DOMAIN = "tabletalk"
LOCALE = Path(__file__).parent / "locale"


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of one language; what has no translation is said in English."""

    language: str
    _catalogue: gettext.NullTranslations

    def gettext(self, text: str) -> str:
        """The text in this language."""
        return self._catalogue.gettext(text) if text else ""

    def ngettext(self, one: str, many: str, number: int) -> str:
        """The text in this language, in the form that belongs to `number`."""
        return self._catalogue.ngettext(one, many, number)

    @property
    def draft(self) -> bool:
        """Whether its catalogue says of itself that it is a draft."""
        return "(draft)" in self._catalogue.info().get("language-team", "")

    def pgettext(self, context: str, text: str) -> str:
        """The text in this language as it is meant in `context` (for words that mean several things)."""
        return self._catalogue.pgettext(context, text)


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are texts in, English first."""
    return ("en", *sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/*.mo")))


def nearest(code: str) -> str:
    """The language among `languages` that is meant by a code (`fr-CA`: `fr`); English where there is none."""
    plain = code.replace("-", "_")
    known = {name.casefold(): name for name in languages()}
    return known.get(plain.casefold()) or known.get(plain.partition("_")[0].casefold(), "en")


@cache
def draft(code: str) -> bool:
    """Whether the texts of a language are a draft: parts are still English, and nobody who speaks it has read it all.

    Its catalogue says so in the head: `Language-Team: hi (draft)`.
    """
    return language(code).draft


@cache
def language(code: str = "en") -> Texts:
    """The texts of a language (`en`, `de`, `pt_BR`); English where there is no catalogue of it."""
    return Texts(code, gettext.translation(DOMAIN, LOCALE, [code], fallback=True))


def marked(text: str) -> str:
    """The text itself; imported as `_` it marks entries of tables, which are looked up when they are said."""
    return text
