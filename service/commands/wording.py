"""`tabletalk words`: what the dictionaries of Tai Chi Chuan say of a word, or of two."""

from __future__ import annotations

import sys
from typing import Annotated

from cyclopts import App, Parameter

from service.commands.running import TEXTS, Exit, Usage, reported
from service.terminal.screen import Screen, console
from service.text import wording
from service.words import LANGUAGES, Dictionary, lexicon, one_family

_LANGUAGE = Parameter(name="--language", help=f"Whose dictionary: {', '.join(LANGUAGES)}.")


def add(app: App) -> None:
    """Adds the commands."""
    words = App(name="words", help="Ask the dictionaries of Tai Chi Chuan.")
    words.command(check)
    words.command(family)
    app.command(words)


def check(
    *words: Annotated[str, Parameter(allow_leading_hyphen=True)], language: Annotated[str, _LANGUAGE] = "en"
) -> None:
    """Say of each word whether it is valid, and why it is not. The exit code is 1 if any is refused.

    Parameters
    ----------
    words
        The words; - reads them from the standard input.
    """
    with reported():
        judge = _judge(language)
        screen = Screen(console(), TEXTS)
        rulings = [
            judge.rule(word) for given in words for word in (sys.stdin.read().split() if given == "-" else [given])
        ]
        if not words:
            raise Usage(wording.no_words(TEXTS))
        screen.say(*(wording.verdict(TEXTS, ruling) for ruling in rulings))
        if not all(ruling.accepted for ruling in rulings):
            raise Exit(1)


def family(first: str, second: str, /, *, language: Annotated[str, _LANGUAGE] = "en") -> None:
    """Say whether two words are one family, so that not both may be said in one turn. The exit code is 0 if they are,
    1 if not, or if one of them is no valid word.

    Parameters
    ----------
    first
        A word.
    second
        Another.
    """
    with reported():
        judge = _judge(language)
        one, other = judge.rule(first), judge.rule(second)
        same = one_family(one, other)
        refused = [ruling for ruling in (one, other) if not ruling.accepted]
        screen = Screen(console(), TEXTS)
        screen.say(*(wording.verdict(TEXTS, ruling) for ruling in refused))
        if same or not refused:
            screen.say(wording.family(TEXTS, one, other, same))
        if refused or not same:
            raise Exit(1)


def _judge(language: str) -> Dictionary:
    if language not in LANGUAGES:
        raise Usage(wording.no_such_language(TEXTS, language, list(LANGUAGES)))
    return lexicon(language)
