"""Tells what happened since somebody last looked, from the commits alone: no key, so no hidden card can be told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain import events, table
from domain.events import Dealt, RowWritten, SeedRevealed, Started
from domain.table import Table
from eventstore.record import Commit
from service.text import Texts, board, history, people, terminal
from service.text.words import words

_SHOWN_ANYWAY = {"table.opened", "table.joined", "table.outage_noted"}


class Chronicle:
    """The public state of a table, and the words for each step that it takes."""

    def __init__(self, texts: Texts, name: str, known: Mapping[str, str]) -> None:
        self.state: Table | None = None
        self.version = 0
        self._texts = texts
        self._name = name
        self._known = known

    def names(self) -> list[str]:
        """The seats' names."""
        return people.names_of(self._texts, self.state.seats, self._known) if self.state is not None else []

    def skip(self, commits: Iterable[Commit]) -> None:
        """Follows without a word: what was said before."""
        for commit in commits:
            self.state = table.fold(self._name, self.state, events.decode(commit.events))
            self.version = commit.version

    def tell(self, commits: Iterable[Commit]) -> list[str]:
        """The lines for some commits that follow on those known; where the game wants it, like ones share a line."""
        found: list[str] = []
        last = ""
        for commit in commits:
            for event in events.decode(commit.events):
                self.state = table.evolve(self._name, self.state, event)
                kind = history.tag(event)
                for line in self._say(event, kind, commit.hash):
                    if kind == last and kind in words(self.state.rules.slug).in_one_line:
                        found[-1] += f" · {line}"
                    else:
                        found.append(line)
                    last = kind
            self.version = commit.version
        return found

    def _say(self, event: Any, kind: str, head: bytes) -> list[str]:
        state, texts = self.state, self._texts
        assert state is not None
        names = self.names()
        tenths = state.rules.tenths(state.options)
        if isinstance(event, Dealt):
            return ["", terminal.dealt(texts, state.sets, names[event.dealer], state.commitment.hex())]
        if isinstance(event, SeedRevealed):
            return [terminal.revealed(texts, event.seed.hex(), self._name), history.fingerprint_line(texts, head)]
        if isinstance(event, Started):
            return history.started(texts, state.rules, event, names) if event.draws else []
        known = words(state.rules.slug)
        if kind in known.with_zone:
            name, template = known.with_zone[kind]
            scene = state.rules.scene(state.rules.observe(state.set, None))
            row = next(board.played(texts, zone, names) for zone in scene.zones if zone.name == name)
            return [texts.gettext(template).format(row=row, **history.values(texts, state.rules, event, names))]
        if (kind in _SHOWN_ANYWAY or kind in known.silent) and not getattr(event, "auto", False):
            return []
        said = history.lines(texts, state.rules, event, names, tenths)
        if isinstance(event, RowWritten):
            if not state.rules.sheet:
                return []
            gap = [""] if event.kind == "score" else []
            found = [*gap, *said, history.total_line(texts, state.totals, names, tenths)]
            if event.kind == "score":
                found += history.settled(texts, state.rules, state.options, event.values, state.totals, names)
            return found
        return said
