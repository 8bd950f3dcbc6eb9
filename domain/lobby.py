"""What may be done at a table before the game: opening, seats, options, cutting the cards, the start."""

from __future__ import annotations

from typing import Any

from domain import options
from domain.commands import AddComputer, Command, CutDeck, Join, Open, RemoveComputer, SetOptions, Start
from domain.draft import Draft, ask_on, seated, source
from domain.events import DeckCut, Joined, Opened, OptionsSet, Started, Unseated
from domain.game import FirstDealer
from domain.games import GAMES
from domain.rejected import Rejected
from domain.settling import deal_on
from domain.table import Table, arranges, seat_of

LEVELS = ("steady",)
CUTS = 52


def open_table(state: Table | None, command: Command, act: Open) -> tuple[Any, ...]:
    """Rejected `already_open`, `no_such_game`, or what the game says of its options."""
    if state is not None:
        raise Rejected("already_open")
    game = GAMES.get(act.game)
    if game is None:
        raise Rejected("no_such_game", name=act.game[:80], names=tuple(GAMES))
    game.check(act.options)
    assert command.fresh is not None, "a table opens with a seed"
    opened = Opened(
        game.slug,
        game.ruleset,
        options.differing(act.options),
        command.actor,
        command.fresh.commitment,
        command.fresh.sealed,
    )
    return (opened, Joined(command.actor)) if act.seated else (opened,)


def join(state: Table, command: Command, _: Join) -> tuple[Any, ...]:
    """Rejected `already_seated`, `table_full`."""
    _in_lobby(state)
    if seat_of(state, command.actor) is not None:
        raise Rejected("already_seated")
    _room(state)
    return (Joined(command.actor),)


def add_computer(state: Table, command: Command, act: AddComputer) -> tuple[Any, ...]:
    """Rejected `not_seated`, `no_such_level`, `table_full`."""
    _in_lobby(state)
    _may_arrange(state, command)
    if act.level not in LEVELS:
        raise Rejected("no_such_level", name=act.level[:80], names=LEVELS)
    _room(state)
    return (Joined(f"computer:{act.level}"),)


def remove_computer(state: Table, command: Command, _: RemoveComputer) -> tuple[Any, ...]:
    """Rejected `not_seated`, `no_computer`."""
    _in_lobby(state)
    _may_arrange(state, command)
    seats = [index for index, seat in enumerate(state.seats) if seat.computer]
    if not seats:
        raise Rejected("no_computer")
    return (Unseated(seats[-1]),)


def set_options(state: Table, command: Command, act: SetOptions) -> tuple[Any, ...]:
    """Rejected `not_seated`, or what the game says of its options."""
    _in_lobby(state)
    _may_arrange(state, command)
    state.rules.check(act.options)
    return (OptionsSet(options.differing(act.options)),)


def cut_deck(state: Table, command: Command, act: CutDeck) -> tuple[Any, ...]:
    """Rejected `not_seated`, `cut_out_of_range`, `already_cut`."""
    _in_lobby(state)
    seat = seated(state, command)
    if not 0 <= act.number < CUTS:
        raise Rejected("cut_out_of_range", low=0, high=CUTS - 1)
    if state.seats[seat].cut:
        raise Rejected("already_cut")
    return (DeckCut(seat, act.number),)


def start(state: Table, command: Command, act: Start) -> tuple[Any, ...]:
    """Rejected `not_seated`, `need_4_players`, `need_more_players`, `no_such_seat`, `dealer_is_drawn`."""
    _in_lobby(state)
    _may_arrange(state, command)
    fewest, most = state.rules.seats
    seats = len(state.seats)
    if not fewest <= seats <= most:  # CB-1
        code = f"need_{fewest}_players" if fewest == most else "need_more_players"
        raise Rejected(code, fewest=fewest, most=most, seats=seats)
    draft = Draft(state, command)
    first = _first_dealer(state, act)
    draft.add(Started(first.how, first.seat, first.draws))
    deal_on(draft)
    ask_on(draft)
    return tuple(draft.facts)


def _first_dealer(state: Table, act: Start) -> FirstDealer:
    seats = len(state.seats)
    if act.dealer is None:
        return state.rules.first_dealer(state.options, seats, source(state))
    if not state.rules.host_names_dealer:
        raise Rejected("dealer_is_drawn")
    if not 0 <= act.dealer < seats:
        raise Rejected("no_such_seat", seats=seats)
    return FirstDealer("host", act.dealer)


def _in_lobby(state: Table) -> None:
    if state.phase != "lobby":
        raise Rejected("table_over" if state.phase == "over" else "already_started")


def _room(state: Table) -> None:
    most = state.rules.seats[1]
    if len(state.seats) >= most:
        raise Rejected("table_full", most=most)


def _may_arrange(state: Table, command: Command) -> None:
    if not arranges(state, command.actor):
        raise Rejected("not_seated")
