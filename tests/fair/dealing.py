"""Many deals of every game as they are logged, and what our own code says they are: for checkers written anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from domain import events, table
from domain.commands import Close, CutDeck, Leave, Start, Void
from domain.decide import legal
from domain.events import Dealt, SeedRevealed, Started
from domain.game import Rejected, Setup
from domain.games import GAMES
from domain.shuffle import Seeded, commitment
from domain.table import Table
from eventstore.chain import fingerprint, link
from eventstore.export import commit_line, end_line, header_line
from eventstore.record import NO_HEAD, Commit
from tests.domain.play import Sitting, lobby

# Options on which a deal or a reshuffle hangs, with others that bring more deals.
CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    "callbreak": {
        "max_sets": ("0", "2"),
        "min_total_calls": ("9", "20"),
        "hidden_call_test": ("estimate", "vote"),
        "penalty": ("negate_best", "fail_call"),
        "trump_mode": ("fixed", "last_card"),
        "court_ranks": ("AKQ", "AKQJ"),
        "enforcement": ("strict", "honour"),
    },
    "chinchon": {
        "deck": ("52", "48", "40"),
        "jokers": ("0", "1", "2"),
        "reshuffle": ("all", "keep_top"),
        "first_dealer": ("seven", "random"),
        "cut_rule": ("threshold",),
        "cut_max": ("20",),
        "enforcement": ("strict", "honour"),
        "declare": ("auto", "manual"),
        "invalid_cut": ("fine50", "play_on", "own20"),
    },
    "snitch": {"match": ("rounds",), "rounds": ("1", "2", "4")},
    "taichi": {"language": ("en", "fr"), "duel": ("live", "own_clock")},
}
SAYINGS: dict[str, tuple[str, ...]] = {
    "callbreak": tuple(f"accuse {seat} {trick}" for seat in range(4) for trick in (1, 2, 5)),
    "taichi": ("object", "word bacon", "word cafe", "turn"),
}
"""Moves that nobody is asked for, or that cannot be listed."""
LENGTHS = (3, 30, 150, 400)
"""How many moves are played before a table is closed; the lists end where the games do."""


def sitting(game: str, number: int) -> Sitting:
    """A table with cuts, voided sets, and people who leave; closed after a while."""
    rng = random.Random(f"fair {game} {number}")
    chosen: dict[str, Any] = {name: rng.choice(values) for name, values in CHOICES.get(game, {}).items()}
    fewest, most = GAMES[game].seats
    sat = lobby(game, f"fair {number}", seats=rng.randint(fewest, most), **chosen)
    for seat in range(len(sat.state.seats)):
        if rng.random() < 0.5:
            sat.do(sat.state.seats[seat].owner, CutDeck(rng.randrange(52)), seat)
    named = rng.randrange(len(sat.state.seats)) if sat.state.rules.host_names_dealer and rng.random() < 0.3 else None
    sat.do(sat.state.host, Start(named))
    for _ in range(rng.choice(LENGTHS)):
        if sat.state.phase == "over":
            return sat
        sat.time += 1000
        if rng.random() < 0.01:
            _anything(sat, rng)
        elif game in SAYINGS and rng.random() < 0.1:
            _said(sat, rng, rng.choice(SAYINGS[game]))
        elif all(legal(sat.state, seat) == () for seat in range(len(sat.state.seats))) or rng.random() < 0.05:
            sat.expire()
        elif rng.random() < 0.2:
            sat.steady_move()
        else:
            sat.any_move(rng)
    if sat.state.phase == "playing":
        sat.do("operator", Close("ab" * 32), admin=True)
    return sat


def many(game: str, deals: int) -> list[list[Commit]]:
    """Tables with at least so many deals."""
    tables: list[list[Commit]] = []
    while deals > 0:
        sat = sitting(game, len(tables))
        deals -= sum(type(event) is Dealt for event in sat.events)
        tables.append(commits(sat, f"home{len(tables)}-1"))
    return tables


def _said(sat: Sitting, rng: random.Random, notation: str) -> None:
    """A move by somebody who may not make it."""
    try:
        sat.move(sat.state.rules.read(notation), rng.randrange(len(sat.state.seats)))
    except Rejected:
        return


def _anything(sat: Sitting, rng: random.Random) -> None:
    act = Void("cd" * 32) if rng.random() < 0.8 else Leave()
    try:
        sat.do("operator" if isinstance(act, Void) else rng.choice(sat.state.seats).owner, act, admin=True)
    except Rejected:
        return  # there was nothing to void, or a computer player's seat


def commits(sat: Sitting, name: str) -> list[Commit]:
    """What the store would hold of it."""
    found: list[Commit] = []
    previous = NO_HEAD
    for version, one in enumerate(sat.commits, 1):
        data = events.encode(one.events)
        hash = link(name, version, previous, one.time, one.actor, f"c{version}", data)
        found.append(
            Commit(
                table=name,
                version=version,
                time=one.time,
                actor=one.actor,
                command=f"c{version}",
                events=data,
                hash=hash,
            )
        )
        previous = hash
    return found


def write(path: Path, tables: Sequence[Sequence[Commit]]) -> Path:
    """An export of some tables."""
    with path.open("wb") as file:
        file.write(header_line("0011223344556677", 64))
        for one in tables:
            file.writelines(map(commit_line, one))
        file.write(end_line(len(tables), sum(map(len, tables))))
    return path


def expected(told: Sequence[Commit]) -> Iterator[dict[str, Any]]:
    """What a checker that was written anew has to print about a table, by the fold of our own."""
    name = told[0].table
    facts = [(commit.version, event) for commit in told for event in events.decode(commit.events)]
    seeds = {commitment(event.seed): event.seed for _, event in facts if type(event) is SeedRevealed}
    state: Table | None = None
    for version, event in facts:
        before = state
        state = table.fold(name, state, [event], lambda promised, _: seeds.get(promised))
        assert state is not None
        if before is None or before.seed is None:
            continue
        said = {"table": name, "version": version}
        digest = before.digest.hex()
        source = Seeded(before.seed, before.digest)
        rules = state.rules
        if type(event) is Started and event.how != "host":
            seats = len(state.seats)
            items = range(seats) if event.how == "random" else _pack(before, 0)
            yield {**said, "label": "dealer", "digest": digest, "order": list(source.order("dealer", items))}
        elif type(event) is Dealt:
            setup = Setup(before.options, len(before.seats), event.dealer, event.deal, event.playing)
            for label, items in rules.packs(setup).items():
                yield {**said, "label": label, "digest": digest, "order": list(source.order(label, items))}
            yield {**said, **dealt(state.set)}
        elif type(event) in rules.shuffles:
            times = len(rules.reshuffles(state.set))
            order = list(rules.reshuffles(state.set)[-1])
            yield {**said, "label": f"reshuffle:{times}", "digest": digest, "order": order}
    assert state is not None
    yield {"table": name, "fingerprint": fingerprint(told[-1].hash), "digest": state.digest.hex()}


def _pack(state: Table, dealer: int) -> tuple[int, ...]:
    return state.rules.packs(Setup(state.options, len(state.seats), dealer, 1))["deal:1"]


def dealt(set_: Any) -> dict[str, Any]:
    """What a set was dealt: the hands, ascending, and what is left, from its front; the kings where a game has them."""
    hands = getattr(set_, "hands", None)
    if hands is None:
        hands = set_.stacks
    stock = list(getattr(set_, "stock", None) or ())
    turned = [] if not stock else list(getattr(set_, "pile", ()) or getattr(set_, "discards", ()))
    if not stock:
        stock = list(getattr(set_, "pile", None) or ())
    found = {"hands": [_cards(hand) for hand in hands], "stock": [*turned, *stock]}
    pets = getattr(set_, "pets", None)
    return found if pets is None else {**found, "kings": list(pets)}


def _cards(hand: int | Sequence[int]) -> list[int]:
    if isinstance(hand, int):
        return [card for card in range(56) if hand >> card & 1]
    return sorted(hand)
