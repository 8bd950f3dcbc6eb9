"""A second referee of Call Break at tables of honour, written from section 7 of the rules alone, plainly.

It knows a game by its record only: packs, moves, options. Cards are texts, hands are lists, nothing is clever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

RANKS = "23456789TJQKA"
Cell = list[Any]  # [set, value, kind]


def beats(card: str, top: str, trump: str) -> bool:
    """CB-37."""
    if card[1] == top[1]:
        return RANKS.index(card[0]) > RANKS.index(top[0])
    return card[1] == trump


def may_play(hand: Sequence[str], trick: Sequence[str], trump: str, options: dict[str, Any]) -> list[str]:
    """CB-31 to CB-36."""
    if not trick:
        return list(hand)
    top = trick[0]
    for card in trick[1:]:
        if beats(card, top, trump):
            top = card
    led = trick[0][1]
    following = [card for card in hand if card[1] == led]
    if following:
        winning = [card for card in following if beats(card, top, trump)]
        return winning if winning and options["must_beat"] else following
    trumps = [card for card in hand if card[1] == trump]
    winning = [card for card in trumps if beats(card, top, trump)]
    if not trumps or options["must_trump"] == "never":
        return list(hand)
    if options["must_trump"] == "if_beats":
        if not winning:
            return list(hand)
        return winning if options["must_beat"] else trumps
    return winning if winning and options["must_beat"] else trumps


class Set:
    """One set, told move by move."""

    def __init__(self, told: dict[str, Any], index: int, options: dict[str, Any]) -> None:
        self.index = index
        self.options = options
        self.trump = told["extra"]["trump"]
        self.hands: list[list[str]] = [[], [], [], []]
        for at, card in enumerate(told["deck"]):
            self.hands[(told["dealer"] + 1 + at) % 4].append(card)
        self.dealer = told["dealer"]
        self.shown = told["deck"][-1] if options["trump_mode"] == "last_card" else None
        self.calls = [0, 0, 0, 0]
        self.won = [0, 0, 0, 0]
        self.trick: list[tuple[int, str]] = []
        self.number = 1
        self.plays: list[dict[str, Any]] = []
        self.proven: dict[tuple[int, int], list[int]] = {}  # (seat, trick) to the play that completed the proof
        self.pending: list[tuple[int, int, int]] = []
        self.false: list[int] = []  # who accused falsely, in order
        self.convicted: list[dict[str, Any]] = []
        self.hidden: int | None = None
        self.votes: list[str] = []
        self.void = False

    def played_out(self) -> bool:
        return self.number == 14

    def move(self, line: str) -> None:
        seat_text, *words = line.split()
        seat, auto = int(seat_text), words[0] == "auto"
        word, *arguments = words[1:] if auto else words
        if word == "call":
            self.calls[seat] = int(arguments[0])
            if all(self.calls) and sum(self.calls) < self.options["min_total_calls"] and not auto:
                self.judge_the_dealer(seat)
        elif word == "play":
            self.play(seat, arguments[0])
        elif word == "vote":
            self.votes.append(arguments[0])
            if self.votes == ["guilty"] * 3:
                self.hidden = self.dealer
        elif word == "accuse":
            self.accuse(seat, int(arguments[0]), int(arguments[1]))

    def play(self, seat: int, card: str) -> None:
        trick = [played for _, played in self.trick]
        legal = may_play(self.hands[seat], trick, self.trump, self.options)
        label = "" if card in legal else self.label(self.hands[seat], trick[0][1], card)
        self.plays.append({"trick": self.number, "seat": seat, "card": card, "before": trick, "label": label})
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        now = [self.number, seat]
        if len(self.trick) == 4:
            winner, top = self.trick[0]
            for other, played in self.trick[1:]:
                if beats(played, top, self.trump):
                    winner, top = other, played
            self.won[winner] += 1
            self.trick = []
            self.number += 1
        fresh = self.look_for_proofs(now)
        if self.options["audit"] == "auto":
            if fresh:
                self.convict(now)
            return
        proved = [one for one in self.pending if one[1:] in self.proven]
        if self.played_out():
            self.false += [accuser for accuser, *what in self.pending if tuple(what) not in self.proven]
            self.pending = proved
        if proved:
            self.convict(now, {one[1]: self.proven[one[1], one[2]] for one in proved})

    def label(self, hand: list[str], led: str, card: str) -> str:
        """CB-50, of a play against the rules: the first that fits."""
        if any(held[1] == led for held in hand) and card[1] != led:
            return "revoke"
        return "fail_to_trump" if card[1] not in (led, self.trump) else "fail_to_beat"

    def look_for_proofs(self, now: list[int]) -> bool:
        """Whether the cards on the table prove anything that they had not proved before."""
        fresh = False
        for at, play in enumerate(self.plays):
            key = (play["seat"], play["trick"])
            later = [other["card"] for other in self.plays[at + 1 :] if other["seat"] == play["seat"]]
            known = [other["card"] for other in self.plays[: at + 1]]
            if self.shown is not None and play["seat"] == self.dealer and self.shown not in known:
                later.append(self.shown)
            for card in later:
                if play["card"] not in may_play([play["card"], card], play["before"], self.trump, self.options):
                    fresh = fresh or key not in self.proven
                    self.proven.setdefault(key, now)
        return fresh

    def accuse(self, accuser: int, seat: int, trick: int) -> None:
        if (seat, trick) in self.proven:
            last = self.plays[-1]
            self.convict([last["trick"], last["seat"]], {seat: self.proven[seat, trick]})
        elif self.played_out():
            self.false.append(accuser)
        else:
            self.pending.append((accuser, seat, trick))

    def convict(self, now: list[int], accused: dict[int, list[int]] | None = None) -> None:
        self.void = True
        for seat in range(4):
            if any(play["label"] for play in self.plays if play["seat"] == seat):
                moments = [moment for (who, _), moment in self.proven.items() if who == seat]
                earliest = next((m for m in [[p["trick"], p["seat"]] for p in self.plays] if m in moments), now)
                self.convicted.append({"convicted": seat, "proof": (accused or {}).get(seat, earliest)})

    def judge_the_dealer(self, seat: int) -> None:
        """CB-56; of a vote the others judge."""
        hand, others = self.hands[seat], sum(self.calls) - self.calls[seat]
        high = sorted((RANKS.index(card[0]) for card in hand if card[1] == self.trump), reverse=True)
        free = [rank for rank in range(13) if rank not in high]
        sure = 0
        for rank in high:
            over = [other for other in free if other > rank]
            if over:
                free.remove(over[0])
            else:
                sure += 1
        sides = [[card for card in hand if card[1] == suit] for suit in "SHDC" if suit != self.trump]
        good = sum(f"A{cards[0][1]}" in cards for cards in sides if cards)
        good += sum(f"K{cards[0][1]}" in cards for cards in sides if len(cards) > 1)
        worth = good + max(sure, min(len(high), sum(max(0, 3 - len(cards)) for cards in sides)))
        match self.options["hidden_call_test"]:
            case "certain":
                fair, most = min(sure, self.options["max_call"]), -1
            case "estimate":
                fair, most = min(worth, self.options["max_call"]), -2
            case _:
                return
        if self.calls[seat] <= fair + most and others + fair >= self.options["min_total_calls"]:
            self.hidden = seat

    def scores(self) -> list[int]:
        return [
            10 * call + won - call if won >= call else -10 * call
            for call, won in zip(self.calls, self.won, strict=True)
        ]


def negate_best(columns: list[list[Cell]], seat: int, played: Set) -> None:
    """CB-52, CB-53, by the option `penalty`."""
    kind = played.options["penalty"]
    if kind == "redeal_only":
        return
    best = None
    for cell in columns[seat]:
        better = best is None or cell[1] > best[1]
        if cell[2] == "score" and cell[0] < played.index and cell[1] > 0 and better:
            best = cell
    if kind == "fail_call" or best is None:
        columns[seat].append([played.index, -10 * played.calls[seat], "penalty"])
    else:
        best[1], best[2] = -best[1], "negated"


def judged(document: dict[str, Any]) -> tuple[list[Set], list[list[Cell]]]:
    """The sets of a record and the sheet that is due, in the record's own form but for decimals."""
    options = document["options"]
    columns: list[list[Cell]] = [[], [], [], []]
    sets = []
    for index, told in enumerate(document["sets"]):
        played = Set(told, index, options)
        for entry in told["moves"]:
            if isinstance(entry, str):
                played.move(entry)
        if played.played_out() and not played.void:
            for seat, score in enumerate(played.scores()):
                columns[seat].append([index, score, "score"])
        mirrored = set()
        for seat in played.false:
            if options["false_accusation"] == "minus10":
                columns[seat].append([index, -10, "penalty"])
            elif options["false_accusation"] == "mirror" and seat not in mirrored:
                mirrored.add(seat)
                negate_best(columns, seat, played)
        for one in played.convicted:
            negate_best(columns, one["convicted"], played)
        if played.hidden is not None:
            negate_best(columns, played.hidden, played)
        sets.append(played)
    return sets, columns
