"""Whoever reads another language reads it everywhere: nothing is missing, every sentence can be said, and what is typed
stays what it is."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from string import Formatter
from zoneinfo import ZoneInfo

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from domain import options
from domain.games import GAMES
from service.text import LOCALE, dates, language
from service.text.chat import COMMANDS, SENTENCES
from service.text.moments import moment, span, until

PAGES = LOCALE.parents[2] / "docs" / "games"
COMPLETE = ("es", "fr")
"""Languages of which nothing may be missing; a catalogue of any other says in its head that it is a draft."""

CATALOGUES = sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/tabletalk.po"))
every_language = pytest.mark.parametrize("code", CATALOGUES)
NUMBERS = (0, 1, 2, 3, 5, 11, 21, 100, 1_000_000)
NOW = 1_796_000_000_000  # Mon 30 Nov 2026, 01:53:20 in Madrid
MADRID = ZoneInfo("Europe/Madrid")
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000

# What is typed, and what a program is called with, is the same in every language.
_TYPED = re.compile(r"(?<![\w/])/[a-z_]+|--[a-z-]+|`[^`]*`|\b[A-Z]+_[A-Z]+\b")
_TERMINAL = ("help, hand, table, score, log, options, quit", "help, table, log, options, quit")
# Buttons, and how sentences name them.
_LABELS = {
    "My hand": r"\bMy hand\b",
    "Play": r"\bpress Play\b",
    "Play in private": r"\bPlay in private\b",
    "Join": r"\bJoin (?:takes|is)\b",
    "Start": r"\bStart deals\b",
    "Leave": r"\bLeave gives\b",
}
_AWAY = re.compile(r"/away ((?:(?! /|, /| – | o | ou | or |\n).)+)")


@functools.cache
def catalogue(code: str) -> Catalog:
    with (LOCALE / code / "LC_MESSAGES" / "tabletalk.po").open("rb") as file:
        return read_po(file)


def messages(code: str) -> Iterator[Message]:
    yield from (message for message in catalogue(code) if message.id)


def forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(str(form or "") for form in text or ())  # type: ignore[attr-defined]


def translated(code: str) -> Iterator[tuple[str, str]]:
    """Each English form with the one in which it is said in a language, where there is one."""
    for message in messages(code):
        english, said = forms(message.id), forms(message.string)
        for index, form in enumerate(said):
            if form:
                yield english[min(index, len(english) - 1)], form


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", COMPLETE)
def test_no_text_is_missing(code: str) -> None:
    missing = [message.id for message in messages(code) if not all(forms(message.string) or [""])]
    assert missing == []
    assert list(messages(code)), "no text at all was found"
    assert not any(message.fuzzy for message in messages(code)), "what nobody has looked at is no translation"


@every_language
def test_what_is_not_complete_is_marked_as_a_draft(code: str) -> None:
    """In the head of its catalogue; whoever chooses a language is told so (test_language.py)."""
    head = (LOCALE / code / "LC_MESSAGES" / "tabletalk.po").read_text(encoding="utf-8").partition("\n\n")[0]
    assert ("draft" in head.casefold()) == (code not in COMPLETE)


@every_language
def test_every_sentence_can_be_said_with_what_is_filled_in(code: str) -> None:
    """A player is never told `{seat}`, nor nothing at all because a sentence cannot be put together."""
    for english, said in translated(code):
        values = {name: f"‹{name}›" for name in names(english)}
        told = said.format(**values)
        assert [name for name in values if f"‹{name}›" not in told] == [], english
        assert names(said) == names(english), english
        assert "{" not in told, english


@every_language
def test_a_sentence_begins_and_ends_with_the_same_gap(code: str) -> None:
    """Prompts and parts that are put together (` or `) need their blanks."""
    for english, said in translated(code):
        assert gaps(said) == gaps(english), english


def gaps(text: str) -> tuple[int, int]:
    return len(text) - len(text.lstrip()), len(text) - len(text.rstrip())


@every_language
def test_every_number_has_its_form(code: str) -> None:
    texts = language(code)
    plural = [message for message in messages(code) if isinstance(message.id, tuple) and all(forms(message.string))]
    assert plural
    for message in plural:
        (one, many), said = forms(message.id), forms(message.string)
        assert len(said) == catalogue(code).num_plurals, one
        for number in NUMBERS:
            assert texts.ngettext(one, many, number) in said, (one, number)


@every_language
def test_commands_options_and_names_of_settings_are_left_as_they_are_typed(code: str) -> None:
    """What a text tells somebody to write works when he writes it."""
    for english, said in translated(code):
        assert sorted(_TYPED.findall(said)) == sorted(_TYPED.findall(english)), english
        for words in _TERMINAL:
            assert (words in said) == (words in english), english


@every_language
def test_a_button_that_a_sentence_names_is_called_so(code: str) -> None:
    texts = language(code)
    for english, said in translated(code):
        for label, named in _LABELS.items():
            assert texts.gettext(label) in said or not re.search(named, english), english


@every_language
def test_the_days_that_a_text_gives_as_an_example_are_understood(code: str) -> None:
    """`/away hasta el 5 de diciembre`, as the text says, and not only `/away until 5 December`."""
    texts = language(code)
    said = [texts.gettext(text) for text in (*SENTENCES.values(), *COMMANDS.values()) if "/away " in text]
    examples = [found.strip(" .") for text in said for found in _AWAY.findall(text)]
    assert len(examples) >= 2
    assert [example for example in examples if dates.until(example, NOW, MADRID) is None] == []


@pytest.mark.parametrize(
    ("code", "ms", "words"),
    [
        ("es", 1_000, "1 segundo"), ("es", 5 * MINUTE, "5 minutos"), ("es", 3 * HOUR, "3 horas"),
        ("es", 3 * DAY, "3 días"), ("fr", 0, "0 seconde"), ("fr", 1_000, "1 seconde"), ("fr", 5 * MINUTE, "5 minutes"),
        ("fr", 3 * HOUR, "3 heures"), ("fr", 3 * DAY, "3 jours"),
    ],
)  # fmt: skip
def test_a_span_is_said_in_the_readers_language(code: str, ms: int, words: str) -> None:
    assert span(language(code), ms) == words


@pytest.mark.parametrize(
    ("code", "ms", "words"),
    [
        ("es", DAY, "mañana 01:53"), ("es", -2 * HOUR, "ayer 23:53"), ("es", 3 * DAY, "jue 01:53"),
        ("es", 9 * DAY, "9 dic 01:53"), ("fr", DAY, "demain 01:53"), ("fr", -2 * HOUR, "hier 23:53"),
        ("fr", 3 * DAY, "jeu. 01:53"), ("fr", 9 * DAY, "9 déc. 01:53"),
    ],
)  # fmt: skip
def test_a_moment_is_said_in_the_readers_language(code: str, ms: int, words: str) -> None:
    assert moment(language(code), NOW + ms, NOW, MADRID) == words


def test_until_when_is_one_phrase() -> None:
    assert until(language("es"), NOW + DAY, NOW, MADRID) == "hasta mañana 01:53"


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("code", COMPLETE)
def test_the_page_of_a_game_is_there_too_and_names_every_move_option_and_preset(code: str, game: str) -> None:
    rules, page = GAMES[game], (PAGES / f"{game}.{code}.md").read_text(encoding="utf-8")
    named = [*rules.examples.values(), *options.offered(rules), *rules.presets]
    assert [name for name in named if f"`{name}`" not in page] == []
