"""What one seat may know of a game of Tai Chi Chuan (TC-10), and what to show of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from domain.game import Decided
from domain.games.taichi import asking
from domain.games.taichi.deck import name
from domain.games.taichi.moves import notation
from domain.games.taichi.options import Options
from domain.games.taichi.state import Ending, Objection, Set, Spoken
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.veiled import Veiled


class Observation(Veiled, frozen=True):
    """All that `seat` (None: a spectator) may know: open cards, words, discards, how many cards each has; his own view
    of a duel's card, and his own answer."""

    _shown: ClassVar[tuple[str, ...]] = ("seat", "phase")

    seat: int | None
    options: Options
    seats: int
    dealer: int
    phase: str
    turn: int
    turns: int
    open: tuple[int, ...]
    auto_turned: bool
    words: tuple[tuple[int, str], ...]  # of this turn: seat, word
    counts: tuple[int, ...]
    bets: tuple[int, ...]  # the seats that have bet
    piled: int
    deck: int
    discards: tuple[int, ...]
    done: tuple[int, ...]  # the seats that have answered what is asked
    found: tuple[int, ...]  # those of them that gave a word in a rescue round
    answers: tuple[tuple[int, str], ...]  # of a live duel: seat, word
    opened: tuple[int, ...]  # the seats that look at the duel's card
    hidden: bool  # whether there is such a card
    card: int | None  # that card, for whoever has opened it
    answer: str | None  # the seat's own hidden answer
    left: tuple[int, ...]
    away: tuple[int, ...]
    ending: Ending | None  # of the turn before
    spoken: Spoken | None
    objection: Objection | None
    objections: int
    turned_over: bool  # the word for the last card
    ruled: tuple[Decided, ...]  # what players have decided about words, in earlier games too
    legal: tuple[str, ...]  # the seat's own legal moves, in notation
    may_say: bool  # whether a word is wanted of the seat
    may_object: bool


def observe(state: Set, seat: int | None) -> Observation:
    """The observation of a seat, or of a spectator (None): an allow-list of fields."""
    opened = tuple(other for other, _ in state.opened)
    live = state.options.duel == "live"
    own = next((answer.word for answer in state.answers if answer.seat == seat and not live), None)
    return Observation(
        seat=seat,
        options=state.options,
        seats=state.seats,
        dealer=state.dealer,
        phase=state.phase,
        turn=state.turn,
        turns=state.turns,
        open=state.open,
        auto_turned=state.auto_turned,
        words=tuple((said.seat, said.word) for said in state.words),
        counts=tuple(map(len, state.stacks)),
        bets=tuple(other for other, _ in state.bets),
        piled=state.piled,
        deck=state.deck,
        discards=state.discards,
        done=state.done,
        found=state.found,
        answers=tuple((answer.seat, answer.word or "") for answer in state.answers) if live else (),
        opened=opened,
        hidden=state.card is not None,
        card=state.card if seat in opened else None,
        answer=own,
        left=state.left,
        away=state.away,
        ending=state.ending,
        spoken=state.spoken,
        objection=state.objection,
        objections=state.objections,
        turned_over=state.turned_over,
        ruled=(*state.kept, *state.ruled),
        legal=() if seat is None else tuple(map(notation, asking.legal(state, seat))),
        may_say=seat is not None and asking.may_say(state, seat),
        may_object=seat is not None and asking.may_object(state, seat),
    )


def prompt(seen: Observation) -> str:
    """What is asked: the phase, but `objection`, `last` (a word for the last card) and `open` (one's own clock)."""
    if seen.objection is not None:
        return "objection"
    if seen.phase == "word" and seen.deck == 2 and not seen.piled:
        return "last"
    if seen.phase == "duel" and seen.hidden and seen.seat not in seen.opened:
        return "open"
    return "" if seen.phase == "over" else seen.phase


def scene(seen: Observation) -> Scene:
    """Zones `taken` (in the turn before), `open`, `discards` and, for whoever opened it, `duel_card`; facts `pile`,
    `deck`, `dealer`, `said`, `answers`, `own_answer`; a seat's `cards`, `bet`, `ready`, `found`, and `last_word`: that
    by which cards were taken in the turn before."""
    zones = []
    if seen.ending is not None:
        zones += [_row("taken", gain.cards, owner=gain.seat) for gain in seen.ending.gains]
    if seen.open:
        zones.append(_row("open", seen.open))
    if seen.card is not None:
        zones.append(_row("duel_card", (seen.card,), private=True))
    if seen.discards:
        zones.append(_row("discards", seen.discards))
    facts = [Fact("pile", seen.piled), Fact("deck", seen.deck), Fact("dealer", seen.dealer)]
    if seen.words:
        facts.append(Fact("said", _listed(seen.words)))
    if seen.answers:
        facts.append(Fact("answers", _listed(seen.answers)))
    if seen.answer is not None:
        facts.append(Fact("own_answer", seen.answer.upper(), private=True))
    choices = tuple(Choice(move, move) for move in seen.legal)
    return Scene(
        tuple(zones), tuple(facts), tuple(_seat(seen, seat) for seat in range(seen.seats)), choices, prompt(seen)
    )


def _row(zone: str, cards: Iterable[int], *, private: bool = False, owner: int | None = None) -> Zone:
    return Zone(zone, tuple(Placed(name(card)) for card in cards), owner, private=private)


def _listed(words: Iterable[tuple[int, str]]) -> str:
    return ", ".join(word.upper() for _, word in words)


def _seat(seen: Observation, seat: int) -> tuple[Fact, ...]:
    """The cards of a seat, and what it has done in the window that is open."""
    facts = [Fact("cards", seen.counts[seat])]
    if seat in seen.bets:
        facts.append(Fact("bet", 1))
    if seen.phase == "ready" and seat in seen.done:
        facts.append(Fact("ready", 1))
    if seat in seen.found:
        facts.append(Fact("found", next(word for other, word in reversed(seen.words) if other == seat).upper()))
    if seen.ending is not None:
        facts += [Fact("last_word", word.upper()) for other, word in seen.ending.words if other == seat]
    return tuple(facts)
