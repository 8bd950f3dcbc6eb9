"""A game that exists for the table's tests alone: everything that Call Break does not need of it.

Nine cards, one to each player. Whose turn it is draws (the lower of his two cards goes to the pile; a stock that runs
out is shuffled anew), sweeps (with the highest card: the game is his at once), or stops: then all others bid in one
window, the highest bid wins a point, of equal ones the one whose message came first. Who bids nothing is out of the
next set. Who leaves, or is away, folds.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from domain import cards
from domain.game import Ask, Brought, Deal, FirstDealer, Game, Gone, SetEnded, Setup, Standing, Verdict
from domain.rejected import Rejected, malformed
from domain.scene import Scene
from domain.shuffle import Source
from domain.veiled import Veiled

PACK = tuple(range(9))
PETS = (13, 14, 15)
SEVEN, HIGHEST = 5, 8
LAST = 10**9  # the clock answers after everybody
Fold = Literal["left", "away"]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The points to play for, turns until a set is dead, and the clocks."""

    goal: Annotated[int, msgspec.Meta(ge=1, le=20)] = 3
    max_turns: Annotated[int, msgspec.Meta(ge=1, le=100)] = 40
    turn_seconds: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 500
    window_seconds: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100


class Set(Veiled, frozen=True):
    """A set; `hands` and `stock` are None without the seed."""

    _shown: ClassVar[tuple[str, ...]] = ("turns",)

    options: Options
    seats: int
    dealer: int
    playing: tuple[int, ...]
    turn: int
    hands: dict[int, int] | None = None
    stock: tuple[int, ...] | None = None
    left_in_stock: int = 0
    pets: tuple[int, ...] = ()
    pile: tuple[int, ...] = ()
    stocks: tuple[tuple[int, ...], ...] = ()
    turns: int = 0
    folded: tuple[int, ...] = ()
    stopped: int | None = None
    bids: tuple[Answered, ...] = ()
    swept: int | None = None


class Drawn(msgspec.Struct, frozen=True, tag="tiny.drawn", omit_defaults=True):
    """A seat drew a card unseen and put the lower of its two on the pile."""

    seat: int
    card: int
    auto: bool = False


class Reshuffled(msgspec.Struct, frozen=True, tag="tiny.reshuffled", omit_defaults=True):
    """The pile became the stock."""

    cards: int


class Swept(msgspec.Struct, frozen=True, tag="tiny.swept", omit_defaults=True):
    """A seat showed the highest card."""

    seat: int


class Stopped(msgspec.Struct, frozen=True, tag="tiny.stopped", omit_defaults=True):
    """A seat stopped: the others bid."""

    seat: int


class Answered(msgspec.Struct, frozen=True, tag="tiny.answered", omit_defaults=True):
    """A seat answered in the window; `order` is its message's."""

    seat: int
    number: int
    order: int = 0
    auto: bool = False


class Bid(msgspec.Struct, frozen=True, tag="tiny.bid", omit_defaults=True):
    """What a seat had answered, stated when the window closed, in the order in which the answers counted."""

    seat: int
    number: int
    auto: bool = False


class Folded(msgspec.Struct, frozen=True, tag="tiny.folded", omit_defaults=True):
    """A seat is out of the set."""

    seat: int
    why: Fold


class Move(msgspec.Struct, frozen=True):
    word: Literal["draw", "sweep", "stop", "bid"]
    number: int = 0


_replace = msgspec.structs.replace


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    pack = source.order("dealer", PACK)
    draws = pack[: pack.index(SEVEN) + 1]
    return FirstDealer("seven", (len(draws) - 1) % seats, draws)


def start(setup: Setup, source: Source | None) -> Set:
    playing = setup.playing
    first = _next(playing, setup.dealer)
    state = Set(setup.options, setup.seats, setup.dealer, playing, first, left_in_stock=len(PACK) - len(playing))
    if source is None:
        return state
    pack = source.order(f"deal:{setup.deal}", PACK)
    hands = dict(zip(playing, pack, strict=False))
    return _replace(state, hands=hands, stock=pack[len(playing) :], pets=source.order(f"pets:{setup.deal}", PETS))


def _next(seats: tuple[int, ...], seat: int) -> int:
    return next((other for other in seats if other > seat), seats[0])


def _in(state: Set) -> tuple[int, ...]:
    return tuple(seat for seat in state.playing if seat not in state.folded)


def _bidders(state: Set) -> tuple[int, ...]:
    if state.stopped is None:
        return ()
    done = {bid.seat for bid in state.bids}
    return tuple(seat for seat in _in(state) if seat != state.stopped and seat not in done)


def to_act(state: Set) -> tuple[Ask, ...]:
    if state.swept is not None or state.turns > state.options.max_turns or len(_in(state)) < 2:
        return ()
    if state.stopped is None:
        return (Ask(f"turn:{state.turns}", (state.turn,), state.options.turn_seconds),)
    seats = _bidders(state)
    return (Ask("bids", seats, state.options.window_seconds, counts=False, away_seconds=60),) if seats else ()


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    asks = to_act(state)
    if not asks or seat not in asks[0].seats:
        return ()
    if state.stopped is not None:
        return tuple(Move("bid", number) for number in range(4))
    sweep = (Move("sweep"),) if state.hands is not None and state.hands[seat] == HIGHEST else ()
    return (Move("draw"), Move("stop"), *sweep)


def decide(state: Set, seat: int, move: Move, brought: Brought) -> tuple[Any, ...]:
    if move not in legal(state, seat):
        raise Rejected("not_your_turn", clause="T-1")
    assert state.hands is not None
    assert state.stock is not None
    match move.word:
        case "sweep":
            return (Swept(seat), SetEnded("swept"))
        case "stop":
            return (Stopped(seat),)
        case "bid":
            order = LAST if brought.auto else brought.order
            answered = Answered(seat, move.number, order, brought.auto)
            return (answered, *_closed(evolve(state, answered)))
        case _:
            return _draw(state, seat, brought)


def _draw(state: Set, seat: int, brought: Brought) -> tuple[Any, ...]:
    assert state.hands is not None
    assert state.stock is not None
    drawn = Drawn(seat, min(state.hands[seat], state.stock[0]), brought.auto)
    facts: tuple[Any, ...] = (drawn,)
    after = evolve(state, drawn)
    if after.turns > state.options.max_turns:
        return (*facts, SetEnded("dead", void=True))
    if after.left_in_stock == 0:
        fact = Reshuffled(len(after.pile))
        assert brought.source is not None
        ahead = evolve(after, fact, brought.source)  # what the table will see when it applies it
        assert ahead.stock is not None
        return (*facts, fact)
    return facts


def _closed(state: Set) -> tuple[Any, ...]:
    """The end of the set when nobody is to bid any more."""
    if state.stopped is None or _bidders(state):
        return ()
    if not state.bids:
        return (SetEnded("dead", void=True),)
    counted = sorted(state.bids, key=lambda bid: bid.order)
    winner = min(counted, key=lambda bid: -bid.number).seat
    scores = (int(seat == winner) if seat in state.playing else None for seat in range(state.seats))
    return (*(Bid(bid.seat, bid.number, bid.auto) for bid in counted), SetEnded("scored", tuple(scores)))


def evolve(state: Set, event: Any, source: Source | None = None) -> Set:
    match event:
        case Drawn(seat=seat, card=card):
            state = _replace(
                state,
                pile=(*state.pile, card),
                turns=state.turns + 1,
                turn=_next(_in(state), seat),
                left_in_stock=state.left_in_stock - 1,
            )
            if state.hands is None or state.stock is None:
                return state
            top, *rest = state.stock
            return _replace(state, hands={**state.hands, seat: max(state.hands[seat], top)}, stock=tuple(rest))
        case Reshuffled(cards=number):
            pile = state.pile
            state = _replace(state, left_in_stock=number, pile=())
            if source is None:
                return state
            stock = source.order(f"reshuffle:{len(state.stocks) + 1}", pile)
            return _replace(state, stock=stock, stocks=(*state.stocks, stock))
        case Swept(seat=seat):
            return _replace(state, swept=seat)
        case Stopped(seat=seat):
            return _replace(state, stopped=seat)
        case Answered():
            return _replace(state, bids=(*state.bids, event))
        case Bid():
            return state
        case Folded(seat=seat):
            bids = tuple(bid for bid in state.bids if bid.seat != seat)
            state = _replace(state, folded=(*state.folded, seat), bids=bids)
            if state.turn == seat and _in(state):
                state = _replace(state, turn=_next(_in(state), seat))
            return state
        case _:
            raise AssertionError(event)


def public_move(event: Any) -> str | None:
    auto = "auto " if getattr(event, "auto", False) else ""
    match event:
        case Drawn(seat=seat):
            return f"{seat} {auto}draw"
        case Swept(seat=seat):
            return f"{seat} sweep"
        case Stopped(seat=seat):
            return f"{seat} stop"
        case Bid(seat=seat, number=number):
            return f"{seat} {auto}bid {number}"
        case _:
            return None


def move_of(event: Any) -> tuple[int, Move, Brought] | None:
    if isinstance(event, Answered):
        return event.seat, Move("bid", event.number), Brought(order=event.order)
    line = None if isinstance(event, Bid) else public_move(event)
    if line is None:
        return None
    seat, _, move = line.partition(" ")
    return int(seat), read(move), Brought()


def gone(state: Set, seat: int, what: Gone) -> tuple[Any, ...]:
    if what == "returned" or seat not in _in(state) or state.stopped == seat or not to_act(state):
        return ()
    fold = Folded(seat, what)
    after = evolve(state, fold)
    return (fold, *_closed(after)) if len(_in(after)) > 1 else (fold, SetEnded("dead", void=True))


def too_few(standing: Standing) -> Verdict | None:
    there = tuple(seat for seat, left in enumerate(standing.left) if not left)
    return Verdict("last_left", there) if len(there) < 2 else None


def after_set(standing: Standing) -> Verdict | None:
    final: Set = standing.final
    if final.swept is not None:
        return Verdict("swept", (final.swept,))
    best = max(standing.totals)
    if best < standing.options.goal:
        return None
    return Verdict("goal", tuple(seat for seat, total in enumerate(standing.totals) if total == best))


def next_deal(standing: Standing) -> Deal:
    final: Set = standing.final
    out = {bid.seat for bid in final.bids if bid.number == 0}
    there = tuple(seat for seat, left in enumerate(standing.left) if not left)
    playing = tuple(seat for seat in there if seat not in out)
    if len(playing) < 2:
        playing = there
    return Deal(_next(playing, final.dealer), playing)


class Seen(Veiled, frozen=True):
    """What a seat may know."""

    turn: int
    card: int | None
    legal: tuple[str, ...]


def observe(state: Set, seat: int | None) -> Seen:
    if seat is None:
        return Seen(state.turn, None, ())
    card = None if state.hands is None else state.hands.get(seat)
    return Seen(state.turn, card, tuple(notation(move) for move in legal(state, seat)))


def notation(move: Move) -> str:
    return f"bid {move.number}" if move.word == "bid" else move.word


def read(text: str) -> Move:
    if text in ("draw", "sweep", "stop"):
        return Move(text)  # type: ignore[arg-type]
    if text in ("bid 0", "bid 1", "bid 2", "bid 3"):
        return Move("bid", int(text[-1]))
    raise malformed("not_a_move", text=text[:80], forms=("draw", "bid 2"))


def _nobody_asks(*_: Any) -> Any:
    raise AssertionError("the tests of the table need no guess")


TINY = Game(
    slug="tiny",
    ruleset="tiny/1",
    seats=(2, 4),
    options=Options,
    presets={},
    implied=lambda chosen: {},
    check=lambda options: None,
    events=(Drawn, Reshuffled, Swept, Stopped, Answered, Bid, Folded),
    away_after=2,
    examples={"draw": "draw", "sweep": "sweep", "stop": "stop", "bid": "bid 2"},
    clauses=dict.fromkeys(
        (
            *("seats", "pack", "first_dealer", "totals", "moves", "scored", "scores", "rows", "next_dealer", "goal"),
            *("shuffle", "winners", "timeout", "away", "last_left", "swept", "dead"),
        ),
        "T-1",
    ),
    first_dealer=first_dealer,
    host_names_dealer=False,
    start=start,
    opening=lambda state: (),
    to_act=to_act,
    legal=legal,
    decide=decide,
    brings=True,
    move_of=move_of,
    evolve=evolve,
    shuffles=frozenset({Reshuffled}),
    public_move=public_move,
    timeout=lambda state, seat: Move("draw") if state.stopped is None else Move("bid", 0),
    gone=gone,
    too_few=too_few,
    after_set=after_set,
    next_deal=next_deal,
    observe=observe,
    guess=_nobody_asks,
    scene=lambda seen: Scene((), (), ()),
    parse=lambda text, seen: read(text),
    notation=notation,
    read=read,
    player=lambda level, seen: read(seen.legal[0]),
    packs=lambda setup: {f"deal:{setup.deal}": PACK, f"pets:{setup.deal}": PETS},
    reshuffles=lambda final: final.stocks,
    extra=lambda final: {"turns": final.turns},
    card_name=cards.name,
    tenths=lambda options: False,
)
