"""What `words` says: the verdicts of a dictionary."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Ruling
from service.text import Texts
from service.text import marked as _
from service.text.people import plain

REASONS = {
    "not_in_dictionary": _("not in the dictionary"),
    "plural": _("plural of {of}"),
    "verb_form": _("form of the verb {of}"),
    "plural_or_verb_form": _("plural or verb form of {of}"),
    "comparative": _("comparative or superlative of {of}"),
    "feminine": _("feminine of {of}"),
    "proper_noun": _("a proper noun"),
    "abbreviation": _("an abbreviation"),
    "numeral": _("a number in Roman numerals"),
    "too_short": _("a word has at least two letters"),
    "not_letters": _("a word has letters, and nothing else"),
}
_LONGEST = 60


def reason(texts: Texts, ruling: Ruling) -> str:
    """Why a word is refused, in some words."""
    return texts.gettext(REASONS[ruling.reason]).format(of=ruling.of)


def word(ruling: Ruling) -> str:
    """The word as it is written."""
    return plain(ruling.shown or ruling.word, _LONGEST)


def verdict(texts: Texts, ruling: Ruling) -> str:
    """A word and whether it is valid: one line."""
    if ruling.accepted:
        return texts.gettext("{word}: valid").format(word=word(ruling))
    return texts.gettext("{word}: refused, {reason}").format(word=word(ruling), reason=reason(texts, ruling))


def family(texts: Texts, first: Ruling, second: Ruling, same: bool) -> str:
    """Whether two words are one family."""
    text = (
        texts.gettext("{first}, {second}: one family") if same else texts.gettext("{first}, {second}: no common family")
    )
    return text.format(first=word(first), second=word(second))


def no_such_language(texts: Texts, name: str, names: Sequence[str]) -> str:
    """A language that has no dictionary."""
    return texts.gettext("there is no dictionary for “{name}”: there are {names}").format(
        name=plain(name, _LONGEST), names=", ".join(names)
    )


def no_words(texts: Texts) -> str:
    """Nothing to judge."""
    return texts.gettext("which words? name them, or give - and send them to the standard input")
