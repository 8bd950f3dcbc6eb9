"""The rules of Chit Chat, clause by clause: what is legal, what a move causes, when a set ends and who has won it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from domain import cards
from domain.game import PLAIN, Ask, Brought, Deal, FirstDealer, Gone, Rejected, SetEnded, Standing, Verdict
from domain.games.chitchat import sequence
from domain.games.chitchat.moves import ARGUES, CHANGES, RESIGN, TALKS, Argue, Change, Move, Resign, Talk
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import VALUE
from domain.games.chitchat.state import (
    NEXT,
    Argued,
    Conceded,
    Drew,
    Event,
    PointMade,
    Reshuffled,
    Resigned,
    Set,
    Shown,
    Talked,
    TopicChanged,
    Turned,
    evolve,
)
from domain.shuffle import Source

Play = Talk | Argue | Change
Fact = Event | SetEnded
SILENT = 2  # clocks that both let run out before the game is abandoned (CC-63); one more loses it alone (CC-62)


def plays(hand: Sequence[int], topic: int, limit: int) -> list[Play]:
    """The plays of a hand (CC-20): small talk, then arguments, then changes of topic, each once.

    `hand` ascending, `topic` a suit, `limit` the value of the current topic card.
    """
    talks: list[Play] = []
    argues: list[Play] = []
    changes: list[Play] = []
    before = suited = -1
    for index, card in enumerate(hand):
        if card == before:
            continue  # equal cards are interchangeable (CC-6)
        before = card
        suit = card // 13
        if suit == topic:
            argues.append(ARGUES[card])
            continue
        if VALUE[card] <= limit:  # CC-21
            talks.append(TALKS[card])
        if suit != suited:
            suited, begin = suit, index
        with_it = CHANGES[card]
        partner = -1
        for at in range(begin, len(hand)):  # CC-27
            other = hand[at]
            if other // 13 != suit:
                break
            if at != index and other != partner:
                changes.append(with_it[other])
                partner = other
    return [*talks, *argues, *changes]


def has_play(hand: Sequence[int], topic: int, limit: int) -> bool:
    """Whether the hand has a play at all (CC-43)."""
    return len(hand) > 2 or bool(plays(hand, topic, limit))


def blocks(seq: sequence.Sequence, card: int) -> bool:
    """Whether arguing with `card` blocks what the last card threatens (CC-33); equal is enough."""
    last = seq[-1].card
    return card // 13 == last // 13 and VALUE[card] >= VALUE[last]


def wins(points: Iterable[int], pet: int) -> bool:
    """Whether these point cards win for whoever has the king `pet` (CC-41): two of his topic, or three of another."""
    count = [0, 0, 0, 0]
    for card in points:
        count[card // 13] += 1
    return count[pet // 13] >= 2 or max(count) >= 3


def opening(state: Set) -> tuple[Fact, ...]:
    """The first card of the sequence is turned (CC-5)."""
    assert state.pile is not None, "only whoever holds the seed can say what follows from a deal"
    return (Turned(state.pile[0]),)


def to_act(state: Set) -> tuple[Ask, ...]:
    """The one seat whose turn it is (CC-61), with its clock (CC-62)."""
    if state.turn < 0:
        return ()
    return (Ask(str(state.moves), (state.turn,), state.options.turn_seconds),)


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    """The moves of the seat: its plays (CC-20), and to resign (CC-45); empty when it is not its turn.

    They are the same before and after a point is taken (CC-35), so nothing needs settling first.
    """
    if seat != state.turn or not state.seq:
        return ()
    if state.hands is None:
        return (RESIGN,)
    seq = state.seq
    return (*plays(state.hands[seat], sequence.topic(seq), VALUE[sequence.current(seq)]), RESIGN)


def decide(state: Set, seat: int, move: Move, brought: Brought = PLAIN) -> tuple[Fact, ...]:
    """The facts that a move causes, or Rejected: `not_your_turn`, `not_held`, `on_topic`, `too_high`, `off_topic`,
    `not_one_suit`, `topic_unchanged`.

    The values of a refusal name the seat's own cards: they are for its owner alone.
    """
    if seat != state.turn:
        raise Rejected("not_your_turn", clause="CC-20")
    if isinstance(move, Resign):
        outcome = "timeout" if brought.auto else "resign"
        return (Resigned(seat, brought.auto), *_over(state, NEXT[seat], outcome))
    _check(state, seat, move)
    auto = brought.auto
    facts: list[Fact] = []
    seq = state.seq
    threatening = sequence.threat(seq)
    if threatening is not None and not (type(move) is Argue and blocks(seq, move.card)):
        point = _point(state, threatening)
        if _won_by(state, point):
            return (_conceded(seat, move, auto), point, *_over(state, threatening, "points"))  # CC-42
        facts.append(point)
        seq = sequence.alone(seq)
    play = _play(seat, seq, move, state.piled > 0, auto)
    facts.append(play)
    if state.piled <= 1:
        facts += _reshuffle(state, facts)
    if auto or _may_end(state, seq, play):
        for fact in facts:
            state = evolve(state, fact, brought.source)
        facts += _ending(state)
    return tuple(facts)


def _may_end(state: Set, before: sequence.Sequence, play: Talked | Argued | TopicChanged) -> bool:
    """Whether a play on the sequence `before` is a threat, or leaves the other seat nothing to play."""
    assert state.hands is not None
    seat = play.seat
    if type(play) is Argued:
        if play.step and sequence.last_step(before) == seat:
            return True
        topic_card = play.card
    elif type(play) is Talked:
        topic_card = play.card if play.follows else sequence.current(before)
    else:
        assert type(play) is TopicChanged
        topic_card = play.cards[1]
    return not has_play(state.hands[NEXT[seat]], topic_card // 13, VALUE[topic_card])


def _check(state: Set, seat: int, move: Play) -> None:
    """Refuses what `plays` does not list, and says why: first what everybody can see, then what only the hand tells."""
    assert state.hands is not None, "only whoever holds the seed can judge a card"
    hand, topic = state.hands[seat], sequence.topic(state.seq)
    match move:
        case Talk(card=card):
            limit = sequence.current(state.seq)
            if card // 13 == topic:
                raise Rejected("on_topic", clause="CC-21", card=cards.name(card))
            if VALUE[card] > VALUE[limit]:
                raise Rejected("too_high", clause="CC-21", card=cards.name(card), top=cards.name(limit))
            _check_held(hand, card)
        case Argue(card=card):
            if card // 13 != topic:
                raise Rejected("off_topic", clause="CC-25", card=cards.name(card))
            _check_held(hand, card)
        case Change(first=first, second=second):
            if first // 13 != second // 13:
                raise Rejected("not_one_suit", clause="CC-27", cards=[cards.name(first), cards.name(second)])
            if first // 13 == topic:
                raise Rejected("topic_unchanged", clause="CC-27")
            _check_held(hand, first)
            _check_held(hand, second)
            if first == second and hand.count(first) < 2:
                raise Rejected("held_once", clause="CC-27", card=cards.name(first))
        case _:
            assert_never(move)


def _check_held(hand: tuple[int, ...], card: int) -> None:
    if card not in hand:
        raise Rejected("not_held", clause="CC-20", card=cards.name(card))


def _play(seat: int, seq: sequence.Sequence, move: Play, draws: bool, auto: bool) -> Talked | Argued | TopicChanged:
    """The play on a sequence from which an open threat has been settled (CC-22 to CC-27)."""
    match move:
        case Argue(card=card):
            return Argued(seat, card, sequence.steps(seq, card), draws, auto)
        case Talk(card=card):
            if not sequence.follows(seq, card):
                return Talked(seat, card, False, False, draws, auto)
            return Talked(seat, card, True, sequence.steps_on(card, seq[-1].card), draws, auto)
        case Change(first=first, second=second):
            return TopicChanged(seat, (first, second), sequence.steps_on(second, first), draws, auto)
        case _:
            assert_never(move)


def _reshuffle(state: Set, facts: Sequence[Fact]) -> list[Fact]:
    """What happens to a pile that a turn emptied, or found empty.

    It is made anew of the discards at once (CC-51); where there were none this is tried again at the next draw, and a
    draw that finds neither takes no card (CC-52).
    """
    seat, found_empty = state.turn, state.piled == 0
    for fact in facts:
        state = evolve(state, fact)
    if not state.discards:
        return []
    anew = Reshuffled(len(state.discards))
    return [anew, Drew(seat)] if found_empty else [anew]


def _point(state: Set, seat: int) -> PointMade:
    return PointMade(seat, state.seq[sequence.to_take(state.seq)].card)


def _won_by(state: Set, point: PointMade) -> bool:
    assert state.pets is not None
    return wins((*state.points[point.seat], point.card), state.pets[point.seat])


def _conceded(seat: int, move: Play, auto: bool) -> Conceded:
    match move:
        case Talk(card=card):
            return Conceded(seat, "talk", (card,), auto)
        case Argue(card=card):
            return Conceded(seat, "argue", (card,), auto)
        case Change(first=first, second=second):
            return Conceded(seat, "change", (first, second), auto)
        case _:
            assert_never(move)


def _ending(state: Set) -> tuple[Fact, ...]:
    """The end of a set that is over before the next seat is asked: by its cards, or because both let it rest."""
    facts = _ending_by_cards(state)
    if not facts and min(state.silent) >= SILENT:
        return _over(state, None, "abandoned")  # CC-63
    return facts


def _ending_by_cards(state: Set) -> tuple[Fact, ...]:
    """The end by a winning point that the seat in turn cannot block (CC-35), or because it has no play (CC-43)."""
    assert state.hands is not None
    seat, seq = state.turn, state.seq
    hand, threatening = state.hands[seat], sequence.threat(seq)
    settled: tuple[PointMade, ...] = ()
    if threatening is not None and not any(blocks(seq, card) for card in hand):
        settled = (_point(state, threatening),)
        if _won_by(state, settled[0]):
            return (*settled, *_over(state, threatening, "points"))
    if has_play(hand, sequence.topic(seq), VALUE[sequence.current(seq)]):
        return ()
    return (*settled, *_over(state, NEXT[seat], "lag"))


def ends_at_once(state: Set) -> bool:
    """Whether a set with these cards would be over before the seat in turn is asked (CC-35, CC-43)."""
    return bool(_ending_by_cards(state))


def _over(state: Set, winner: int | None, outcome: str) -> tuple[Fact, ...]:
    """The hands and the kings are shown (CC-14), and the set ends."""
    assert state.hands is not None, "only whoever holds the seed can show the hands"
    assert state.pets is not None
    scores = None if winner is None else tuple(int(seat == winner) for seat in range(2))
    return (Shown(tuple(enumerate(state.hands)), state.pets), SetEnded(outcome, scores))


def timeout(state: Set, seat: int) -> Move:
    """What the clock does (CC-62): the game is lost; or the least play, small talk before arguments before changes of
    topic, and the third time in a row the game is lost all the same."""
    if state.options.on_timeout == "lose" or state.silent[seat] >= SILENT:
        return RESIGN
    return min((move for move in legal(state, seat) if type(move) is not Resign), key=_least)


_RANK = (2, 0, 1)  # suits in the order H D S


def _least(move: Move) -> tuple[int, ...]:
    match move:
        case Talk(card=card):
            return 0, VALUE[card], _RANK[card // 13]
        case Argue(card=card):
            return 1, VALUE[card], _RANK[card // 13]
        case Change(first=first, second=second):
            low, high = sorted((VALUE[first], VALUE[second]))
            return 2, low, high, _RANK[first // 13], VALUE[first]
        case Resign():
            return (3,)
        case _:
            assert_never(move)


def gone(state: Set, seat: int, what: Gone) -> tuple[Fact, ...]:
    """Leaving is resigning (CC-63). Nothing follows from being away: the clock has its own rule (CC-62)."""
    if what != "left" or state.turn < 0:
        return ()
    return _over(state, NEXT[seat], "resign")


def too_few(standing: Standing) -> Verdict | None:
    """Never asked for: whoever leaves ends the set, and with it the game (CC-63)."""
    return None


def after_set(standing: Standing) -> Verdict:
    """A game is one set: how it ended, and who won it (CC-41 to CC-45, CC-63)."""
    scores = standing.scores or ()
    return Verdict(standing.outcome, tuple(seat for seat, score in enumerate(scores) if score))


def next_deal(standing: Standing) -> Deal:
    """In a rematch the loser deals (CC-3); after a game without one the other dealer."""
    if standing.scores is None:
        return Deal(NEXT[standing.final.dealer])
    return Deal(standing.scores.index(0))


def first_dealer(options: Options, seats: int, source: Source) -> FirstDealer:
    """The first of the seats in the order that the seed gives them (CC-3)."""
    return FirstDealer("random", source.order("dealer", range(seats))[0])


def tenths(options: Options) -> bool:
    """Scores are whole."""
    return False
