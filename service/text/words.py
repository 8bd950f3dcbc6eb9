"""What the codes of a game are called: the words of one game gathered in one record, `service/text/games/<slug>.py`.

Whoever shows a table knows games only through this record. A game without one is shown by its codes.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from domain.game import Game
from service.text import Texts
from service.text import marked as _

Told = Callable[[Texts, Game, Any, Sequence[str]], str]
"""Makes an event a sentence, of (texts, rules, event, names of the seats); an empty one says nothing."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question in words: to whoever is asked, to the others (`{seats}`), where one types in the terminal, and how one
    answers in a group; `signs` explains what stands on the buttons."""

    own: str
    others: str
    line: str = "> "
    how: str = ""
    signs: str = ""


FEW = 4
"""Choices of a kind that can well be listed one by one, where there is a shorter way to list more."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Choices of a kind: what their buttons say and how all of them are listed.

    `button` may hold `{cards}`, `{value}`, `{note}` and, where the note is a seat, its name `{seat}`; `may` lists them
    as `{choices}`, each written as `each` says.
    `whole`: what is said instead when every card of the hand is among them; `many`: when there are more than FEW, with
    the cards that occur in them as `{cards}`.
    """

    button: str = "{cards}"
    may: str = _("You may play: {choices}")
    each: str = "{cards}"
    whole: str = ""
    many: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A game's words. Templates are English, marked for translation, looked up when they are said.

    `facts`, `seat_facts`: by the fact's name, with `{value}`, `{card}`, `{suit}`, `{seat}`, and `{note}`, which is what
    `notes` calls the value. `zones`: titles, with `{owner}`; `own_<name>` is that of the reader's own zone that only he
    sees. `prompts`, `choices`: by the codes of a scene; `notes`: what a choice's note that is a code is called.
    `events`: by tag, a template with the event's fields, or a function. `results`: tags of events that the message
    about a finished set tells too. In a terminal `silent` events need no line, for the table shows them; those
    `in_one_line` share one with the next of the kind; `with_zone` are told with a zone's row, as `{row}`. `refusals`,
    `findings`: by code (`service.text.refusals`, `findings`). `how_to_play`: paragraphs.
    """

    name: str
    welcome: str = ""
    rules: str = ""
    moves: str = ""
    how_to_play: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    seat_facts: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    prompts: Mapping[str, Prompt] = field(default_factory=dict)
    choices: Mapping[str, Kind] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str | Told] = field(default_factory=dict)
    results: frozenset[str] = frozenset()
    announced: frozenset[str] = frozenset()
    """Tags of events that everybody is told in a message of its own, whoever caused them and wherever he did it."""
    answers: frozenset[str] = frozenset()
    """Tags of events that are told at once in answer to the message that caused them (a word was refused, and why)."""
    silent: frozenset[str] = frozenset()
    in_one_line: frozenset[str] = frozenset()
    with_zone: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)
    settled: Callable[[Texts, Any, Sequence[int | None], Sequence[int], Sequence[str]], str] | None = None
    """What else follows from a set's scores, of (texts, options, its row, the totals, names): who drops out."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """What a row of the score sheet is that is no plain score, by its kind (`Game.adjust`)."""
    endings: Mapping[str, str] = field(default_factory=dict)
    refusals: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, str] = field(default_factory=dict)
    offences: Mapping[str, str] = field(default_factory=dict)
    """What a move against the rules is called (`Breach.what`): what whoever made it had to do, or could have done."""
    switches: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Options that the lobby shows with a button: by name, what each value does, in a sentence."""
    presets: Mapping[str, str] = field(default_factory=dict)
    """What a preset is called, by its name in the options."""
    plans: Mapping[str, str] = field(default_factory=dict)
    """Plans that the game knows (`Game.plans`), by word: what is played then."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What a command that makes a move is for, by the word it begins with (a chat lists them)."""


@cache
def words(slug: str) -> Words:
    """The words of a game: `WORDS` of the module that is called like it."""
    module = f"{__package__}.games.{slug}"
    if not slug.isidentifier() or importlib.util.find_spec(module) is None:
        return Words(name=slug.replace("_", " ").title())
    found: Words = importlib.import_module(module).WORDS
    return found


def game_name(texts: Texts, slug: str) -> str:
    """What people call a game."""
    return texts.gettext(words(slug).name)


def preset_name(texts: Texts, slug: str, preset: str) -> str:
    """What people call a preset of a game."""
    return texts.gettext(words(slug).presets.get(preset, preset.replace("_", " ")))
