"""A table's history as lines, for somebody who has no key: the commits name no hidden card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain import events, table
from domain.events import Dealt, Unseated
from domain.table import Table
from eventstore.record import Commit
from service.text import Texts, history, moments, people


def recount(
    texts: Texts, name: str, commits: Iterable[Commit], known: Mapping[str, str], *, whole: bool = True
) -> list[str]:
    """What happened, a line an event; of the set in play alone unless `whole`."""
    found: list[str] = []
    for _, event, said in told(texts, name, commits, known):
        if isinstance(event, Dealt) and not whole:
            found = []
        found += [said] if said else []
    return found


def recount_commits(
    texts: Texts, name: str, commits: Iterable[Commit], known: Mapping[str, str], *, after: int = 0
) -> list[str]:
    """What happened `after` a version, with version and time, the first line of each commit beginning with them."""
    found: list[str] = []
    last = 0
    for commit, _, said in told(texts, name, commits, known):
        if not said or commit.version <= after:
            continue
        head = f"{commit.version:>5}  {moments.stamp(commit.time)}" if commit.version != last else " " * 26
        last = commit.version
        found.append(f"{head}  {said}")
    return found


def told(
    texts: Texts, name: str, commits: Iterable[Commit], known: Mapping[str, str]
) -> Iterable[tuple[Commit, Any, str | None]]:
    """Every event with its commit and its line (None: only the clockwork needs it)."""
    state: Table | None = None
    for commit in commits:
        for event in events.decode(commit.events):
            before, state = state, table.evolve(name, state, event)
            seats = before.seats if isinstance(event, Unseated) and before is not None else state.seats
            names = people.names_of(texts, seats, known)
            yield commit, event, history.line(texts, state.rules, event, names, state.rules.tenths(state.options))
