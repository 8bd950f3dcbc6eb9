"""What makes a table's deals fair, in words: what was promised, who cut, the revealed seeds, and how to check it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from domain.events import Dealt, DeckCut, Joined, Opened, Over, SeatTaken, SeedRevealed, Unseated
from domain.game import SetEnded
from eventstore.chain import fingerprint
from service.text import Texts
from service.text import marked as _

SENTENCES: dict[str, str] = {
    "promised": _("Promised for this deal, the SHA-256 of its seed:"),
    "promised_next": _("Promised for the next set:"),
    "promised_what": _("The seed is fixed: nobody can change it any more. It is shown after the set."),
    "cuts": _("The cards were cut: {cuts}."),
    "no_cut": _(
        "Nobody has cut the cards: then the first deal proves only that it was not changed after it was promised."
    ),
    "cut_now": _("Cut them with a number of your own, and nobody could foresee the deal: /cut 17"),
    "seed_of_set": _("Set {set}: the seed, and what had been promised."),
    "seed_of_lobby": _("The seed, and what had been promised:"),
    "check_seed": _("Check it: the SHA-256 of the seed is what had been promised."),
    "print_of_set": _("Fingerprint after set {set}:"),
    "check_all": _(
        "Check everything: /export, and drop the log on verify.html, a page of the program that needs no network. It "
        "deals every set again, and finds the fingerprint."
    ),
}


class Seed(msgspec.Struct, frozen=True):
    """A revealed seed: the number of the set it was scored in (0: a lobby that was closed), and what was promised."""

    set: int
    seed: bytes
    promised: bytes


class Proof(msgspec.Struct, frozen=True):
    """What a table's events show of its deals. `promised`: of the deal in play, or in the lobby of the first one;
    `following`: of the next set. `cuts`: (owner, number). `ended`: the last set that ended, and the chain's head."""

    lobby: bool
    promised: bytes
    following: bytes
    cuts: tuple[tuple[str, int], ...]
    seeds: tuple[Seed, ...]
    ended: tuple[int, bytes] | None


def proof(commits: Iterable[tuple[bytes, Iterable[Any]]]) -> Proof:
    """Of a table's commits in order: (hash, events). Looks at nothing that is not in them."""
    promised, following, sets, over = b"", b"", 0, False
    owners: list[str] = []
    cuts: list[tuple[str, int]] = []
    seeds: list[Seed] = []
    ended: tuple[int, bytes] | None = None
    for head, events in commits:
        for event in events:
            match event:
                case Opened(commitment=commitment):
                    promised = commitment
                case Joined(owner=owner):
                    owners.append(owner)
                case Unseated(seat=seat):
                    del owners[seat]
                case SeatTaken(seat=seat, owner=owner):
                    owners[seat] = owner
                case DeckCut(seat=seat, number=number):
                    cuts.append((owners[seat], number))
                case Dealt(commitment=commitment):
                    sets += 1
                    following = commitment or following
                case SeedRevealed(seed=seed):
                    seeds.append(Seed(sets, seed, promised))
                    promised, following = following, b""
                case SetEnded():
                    ended = sets, head
                case Over():
                    over = True
                case _:
                    pass
    return Proof(sets == 0, b"" if over else promised, b"" if over else following, tuple(cuts), tuple(seeds), ended)


MOST_SEEDS = 3
"""Of the newest sets whose seeds are told."""


def lines(texts: Texts, found: Proof, called: Mapping[str, str]) -> list[tuple[str, tuple[str, ...]]]:
    """What is told: each a sentence, and the codes that belong under it. `called`: the names of those who cut."""
    said: list[tuple[str, tuple[str, ...]]] = []
    if found.promised:
        between = found.ended is not None and not found.following
        said.append((_say(texts, "promised_next" if between else "promised"), (found.promised.hex(),)))
        if found.following:
            said.append((_say(texts, "promised_next"), (found.following.hex(),)))
        said.append((_say(texts, "promised_what"), ()))
    if found.cuts:
        cuts = ", ".join(f"{called[owner]} {number}" for owner, number in found.cuts)
        said.append((_say(texts, "cuts", cuts=cuts), ()))
    else:
        said.append((_say(texts, "no_cut"), ()))
    if found.lobby and found.promised:
        said.append((_say(texts, "cut_now"), ()))
    for one in found.seeds[-MOST_SEEDS:]:
        sentence = _say(texts, "seed_of_set", set=one.set) if one.set else _say(texts, "seed_of_lobby")
        said.append((sentence, (one.seed.hex(), one.promised.hex())))
    if found.seeds:
        said.append((_say(texts, "check_seed"), ()))
    if found.ended is not None:
        number, head = found.ended
        said.append((_say(texts, "print_of_set", set=number), (fingerprint(head),)))
    if not found.lobby:
        said.append((_say(texts, "check_all"), ()))
    return said


def _say(texts: Texts, code: str, **values: object) -> str:
    return texts.gettext(SENTENCES[code]).format(**values)
