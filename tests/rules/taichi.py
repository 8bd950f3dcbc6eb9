"""How the worked cases of Tai Chi Chuan are judged: every answer comes from the functions that judge real games.

What a word is, and which words are one family, is answered by the dictionary that ships with the program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from domain import options
from domain.game import SALT, Brought, Hidden, Rejected, Ruling, SetEnded
from domain.games.taichi import asking, fit, rules
from domain.games.taichi.deck import LETTERS_OF, PACKS, SYMBOLS, card_of, names, symbol
from domain.games.taichi.events import AnswerHidden, Awarded
from domain.games.taichi.judging import LENIENT, judge
from domain.games.taichi.moves import DECLINE, PASS, Word
from domain.games.taichi.options import Options
from domain.games.taichi.state import Phase, Said, Set, evolve, unveil
from service.words import lexicon
from service.words.dictionary import one_family
from tests.rules.cases import Judge

Given = Mapping[str, Any]

_SEATS = 8
_WORDS = ("sunset", "sense", "season", "series", "system", "sunshine", "sister", "spouse")  # one a seat; with two S


def _seat(name: str) -> int:
    return int(name[1:]) - 1


def _cards(told: Sequence[str]) -> tuple[int, ...]:
    return tuple(map(card_of, told))


def _options(given: Given) -> Options:
    found: Options = options.stored(Options, dict(given.get("options", {})))
    return found


def _state(given: Given, phase: Phase, **more: Any) -> Set:
    """A turn of the case's cards; what it does not mention is filled in so that nothing follows from it."""
    filled: dict[str, Any] = {
        "options": _options(given),
        "seats": _SEATS,
        "dealer": _SEATS - 1,
        "turn": _seat(given.get("active", "P1")),
        "stacks": ((),) * _SEATS,
        "piled": 20,
        "pile": PACKS["en"][:20],
        "phase": phase,
        "open": _cards(given.get("cards", ["S:P"])),
    }
    return Set(**{**filled, **more})


def deck(given: Given, expect: Any) -> None:
    """TC-2: the cards of a language."""
    pack = PACKS[given.get("language", "en")]
    found = {
        "cards": len(pack),
        "per_symbol": [sum(symbol(card) == mark for card in pack) for mark in range(len(SYMBOLS))],
        "double": sum(len(LETTERS_OF[card]) == 2 for card in pack),
        "single": sum(len(LETTERS_OF[card]) == 1 for card in pack),
        "letters": len({letter for card in pack for letter in LETTERS_OF[card]}),
    }
    assert {key: found[key] for key in expect} == expect


def fits(given: Given, expect: Any) -> None:
    """TC-21 to TC-24: whether a word fits the cards."""
    word, cards = given["word"].lower(), _cards(given["cards"])
    found = fit.fits(word, cards)
    assert {"fits": found} == expect
    try:
        fit.check(word, cards)
    except Rejected:
        assert not found
    else:
        assert found


def valid(given: Given, expect: Any) -> None:
    """TC-22 to TC-42: whether the active player may say a word."""
    words = lexicon(given.get("language", "en"))
    said = tuple(Said(0, word.lower(), words.rule(word).families) for word in given.get("words", ()))
    state = _state(given, "word", words=said)
    ruling = words.rule(given["word"])
    try:
        found = judge(state, ruling.word, Brought(verdict=ruling)) is None
    except Rejected:
        found = False
    assert {"valid": found} == expect


def word(given: Given, expect: Any) -> None:
    """TC-40, TC-42: whether a word is a main entry."""
    ruling = lexicon(given.get("language", "en")).rule(given["word"])
    lenient = bool(given.get("lenient") or _options(given).lenient)
    found = {
        "accepted": ruling.accepted or (lenient and ruling.reason in LENIENT),
        "reason": ruling.reason,
        "of": ruling.of,
    }
    assert {key: found[key] for key in expect} == expect


def family(given: Given, expect: Any) -> None:
    """TC-41: whether two words are of one family."""
    words = lexicon(given.get("language", "en"))
    first, second = (words.rule(told) for told in given["words"])
    assert {"same": one_family(first, second)} == expect


def award(given: Given, expect: Any) -> None:
    """TC-28, TC-31 to TC-37, TC-52: who takes which cards."""
    before, facts = _AWARDS[given["result"]](given)
    awarded = next(fact for fact in facts if isinstance(fact, Awarded))
    gains: dict[str, list[str]] = {f"P{gain.seat + 1}": names(gain.cards) for gain in awarded.gains}
    for seat, card in before.bets:
        if seat == awarded.winner:
            gains.setdefault(f"P{seat + 1}", []).extend(names((card,)))
    found = {"gains": gains, "discards": names(awarded.cards)}
    for key, value in expect.items():
        if key == "gains":
            assert {who: sorted(took) for who, took in gains.items()} == {who: sorted(t) for who, t in value.items()}
        else:
            assert sorted(found[key]) == sorted(value), key
    after = before
    for fact in facts:
        if not isinstance(fact, SetEnded):
            after = evolve(after, fact)
    for who, took in gains.items():
        assert sorted(names(after.stacks[_seat(who)])) == sorted(took)  # it lies in front of him


Awarding = tuple[Set, tuple[Any, ...]]


def _unchallenged(given: Given) -> Awarding:
    """The last one who is asked declines."""
    active = _seat(given.get("active", "P1"))
    last = (active - 1) % _SEATS
    stacks = tuple(_cards(["U:P"]) if seat == last else () for seat in range(_SEATS))
    before = _state(given, "ask", stacks=stacks)
    facts = rules.decide(before, last, DECLINE, Brought(at=1))
    return before, facts


def _stood(given: Given) -> Awarding:
    """Everybody has passed but the last, whose time is over."""
    before = _duel(given, done=_fighters(given)[:-1], passed=tuple((seat, True) for seat in _fighters(given)[:-1]))
    return before, rules.decide(before, _fighters(given)[-1], PASS, Brought(auto=True, at=1))


def _beaten(given: Given) -> Awarding:
    """The winner says a word while all the others have passed."""
    winner = _seat(given["winner"])
    others = tuple(seat for seat in _fighters(given) if seat != winner)
    before = _duel(given, done=others, passed=tuple((seat, True) for seat in others))
    said = "".join(LETTERS_OF[card][0] for card in before.open)  # what fits; that it is a word is told
    verdict = Ruling(said, True)
    return before, rules.decide(before, winner, Word(said), Brought(verdict=verdict, order=1, at=1))


def _rescue(given: Given) -> Awarding:
    """All have answered but the last of those who found nothing, or the last of all."""
    active = _seat(given["active"]) if "active" in given else (_seat(given["clockwise"][0]) - 1) % _SEATS
    clockwise = tuple(map(_seat, given["clockwise"]))
    found = tuple(map(_seat, given["found"]))
    away = tuple(seat for seat in range(_SEATS) if seat != active and seat not in clockwise)
    silent = [seat for seat in clockwise if seat not in found]
    last = silent[-1] if silent else found[-1]
    before = _state(
        {**given, "active": f"P{active + 1}"},
        "rescue",
        done=tuple(seat for seat in clockwise if seat != last),
        found=tuple(seat for seat in found if seat != last),
        away=away,
    )
    if silent:
        return before, rules.decide(before, last, PASS, Brought(auto=True, at=1))
    said = "".join(LETTERS_OF[card][0] for card in before.open)
    return before, rules.decide(before, last, Word(said), Brought(verdict=Ruling(said, True), at=1))


def _last_word(given: Given) -> Awarding:
    before = _state(given, "word", deck=2, piled=0, pile=())
    said = "".join(LETTERS_OF[card][0] for card in before.open)
    return before, rules.decide(before, before.turn, Word(said), Brought(verdict=Ruling(said, True), at=1))


def _fighters(given: Given) -> tuple[int, ...]:
    return (_seat(given.get("active", "P1")), *(_seat(who) for who in given.get("bets", {})))


def _duel(given: Given, **more: Any) -> Set:
    bets = tuple((_seat(who), card_of(card)) for who, card in given.get("bets", {}).items())
    return _state(given, "duel", bets=bets, **more)


_AWARDS = {
    "unchallenged": _unchallenged,
    "challenged_wins": _stood,
    "challenger_wins": _beaten,
    "rescue": _rescue,
    "last_word": _last_word,
}


def quickest(given: Given, expect: Any) -> None:
    """TC-35: who wins a duel, the answers taken as they come in, then the clock; with `seconds` by their own clocks."""
    own = any("seconds" in answer for answer in given["answers"])
    state: Set | int = _state(
        {"active": given["active"], "options": {"duel": "own_clock" if own else "live"}},
        "duel",
        bets=tuple((_seat(who), card_of("U:P")) for who in given["participants"] if who != given["active"]),
        opened=tuple((seat, 0) for seat in map(_seat, given["participants"])) if own else (),
        card=card_of("S:Y") if own else None,
    )
    for answer in given["answers"]:
        if isinstance(state, Set):
            state = _answered(state, answer)
    while isinstance(state, Set):
        seat = asking.to_act(state)[0].seats[0]
        state = _applied(state, rules.decide(state, seat, rules.timeout(state, seat), Brought(auto=True, at=1)))
    assert {"winner": f"P{state + 1}"} == expect


def _answered(state: Set, answer: Given) -> Set | int:
    """The state after an answer, which changes nothing when it is refused; or who has won."""
    seat, ok = _seat(answer["player"]), bool(answer["valid"])
    said = _WORDS[seat]
    at = 1 + round(1000 * answer.get("seconds", 0))
    salted = bytes(SALT) + said.encode()
    brought = Brought(
        verdict=Ruling(said, ok, "" if ok else "not_in_dictionary"),
        order=answer.get("message_id", 0),
        at=at,
        salt=salted[:SALT],
        hidden=Hidden(hashlib.sha256(salted).digest(), salted),
    )
    try:
        return _applied(state, rules.decide(state, seat, Word(said), brought))
    except Rejected:
        return state


def _applied(state: Set, facts: Sequence[Any]) -> Set | int:
    """The state after the facts, or who has won the duel."""
    for fact in facts:
        if isinstance(fact, Awarded):
            return state.turn if fact.winner < 0 else fact.winner
        state = evolve(state, fact)
        if isinstance(fact, AnswerHidden):
            state = unveil(state, fact, fact.sealed)
    return state


def winner(given: Given, expect: Any) -> None:
    """TC-60: who has most cards."""
    counts = given["cards"]
    seats = sorted(counts, key=_seat)
    won = rules.winners(tuple(counts[who] for who in seats))
    assert {"winners": [seats[seat] for seat in won]} == expect


JUDGES: dict[str, Judge] = {
    "deck": Judge(deck, frozenset({"language"}), frozenset({"cards", "per_symbol", "double", "single", "letters"})),
    "fits": Judge(fits, frozenset({"word", "cards"}), frozenset({"fits"})),
    "valid": Judge(valid, frozenset({"word", "cards", "words", "language", "options"}), frozenset({"valid"})),
    "word": Judge(word, frozenset({"word", "language", "lenient", "options"}), frozenset({"accepted", "reason", "of"})),
    "family": Judge(family, frozenset({"words", "language"}), frozenset({"same"})),
    "award": Judge(
        award,
        frozenset(
            {"result", "active", "cards", "bets", "winner", "choice", "choice2", "clockwise", "found", "options"}
        ),
        frozenset({"gains", "discards"}),
    ),
    "quickest": Judge(quickest, frozenset({"active", "participants", "answers"}), frozenset({"winner"})),
    "winner": Judge(winner, frozenset({"cards"}), frozenset({"winners"})),
}
