"""Ways to forge the export of a finished game, and what a reader can find of each: the table of docs/fair-deals.md."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from domain import events
from domain.events import DeckCut, SeedRevealed
from eventstore.record import Commit
from tests.service.tampered import written
from tests.service.tampering import KINDS, Change, at, changed, made_right

Lines = Callable[[list[bytes]], list[bytes]]


class Forgery(msgspec.Struct, frozen=True):
    """One way: in words; a change of the commits, or of the file's lines; whether all hashes were made right again;
    whether the file alone betrays it, and by what (else: why not)."""

    what: str
    remade: bool
    betrayed: bool
    why: str
    change: Change | None = None
    lines: Lines | None = None


def _in(tag: str, which: int, change: Callable[[Any], dict[str, Any]]) -> Change:
    """Other values in the events of a kind, in one of the commits that have any."""

    def forged(commits: list[Commit]) -> list[Commit]:
        place = at(commits, f'"type":"{tag}"'.encode(), which)
        facts: list[Any] = [
            msgspec.structs.replace(fact, **change(fact)) if fact.__struct_config__.tag == tag else fact
            for fact in events.decode(commits[place].events)
        ]
        return changed(commits, place, events=events.encode(facts))

    return forged


_other_card = _in("callbreak.card_played", 60, lambda fact: {"card": (fact.card + 1) % 52})
_other_dealer = _in("table.dealt", 1, lambda fact: {"dealer": (fact.dealer + 1) % 4})
_other_score = _in("table.row_written", 1, lambda fact: {"values": (fact.values[0] + 10, *fact.values[1:])})


def _without_seed(commits: list[Commit], which: int) -> list[Commit]:
    place = at(commits, b"seed_revealed", which)
    facts = [fact for fact in events.decode(commits[place].events) if type(fact) is not SeedRevealed]
    return changed(commits, place, events=events.encode(facts))


def _last_seed_withheld(commits: list[Commit]) -> list[Commit]:
    return _without_seed(commits, -1)


def _seeds_withheld(commits: list[Commit]) -> list[Commit]:
    """None of them is revealed, and the game seems to go on."""
    while any(b"seed_revealed" in commit.events for commit in commits):
        commits = _without_seed(commits, 0)
    return commits[:-1]


def _cut_put_in(commits: list[Commit]) -> list[Commit]:
    start = at(commits, b"table.started")
    cut = msgspec.structs.replace(
        commits[start], actor=commits[0].actor, command="c-cut", events=events.encode([DeckCut(0, 17)])
    )
    return [*commits[:start], cut, *commits[start:]]


def _spaced(lines: list[bytes]) -> list[bytes]:
    return [*lines[:20], json.dumps(json.loads(lines[20])).encode() + b"\n", *lines[21:]]


def _last_kept(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-6], lines[-1]]


def _last_lost(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def _key_twice(lines: list[bytes]) -> list[bytes]:
    return [*lines[:20], lines[20].replace(b'{"table":', b'{"table":"another-1","table":', 1), *lines[21:]]


def _one_more(lines: list[bytes]) -> list[bytes]:
    return [*lines, lines[1]]


def _of(what: str) -> Change:
    return next(kind.change for kind in KINDS if kind.what == what)


_HASH = "the hash of the line does not match"
_GAP = "the versions have a gap"
FORGERIES: tuple[Forgery, ...] = (
    Forgery("a byte of a move flipped", False, True, _HASH, _of("a byte of a move flipped")),
    Forgery("a commit removed", False, True, _GAP, _of("a commit removed")),
    Forgery("a commit repeated", False, True, _GAP, _of("a commit repeated")),
    Forgery("two commits swapped", False, True, _GAP, _of("two commits swapped")),
    Forgery("a move's time changed", False, True, _HASH, _of("a move's time changed")),
    Forgery("a move's actor changed", False, True, _HASH, _of("a move's actor changed")),
    Forgery("a command id changed", False, True, _HASH, _of("a command id changed")),
    Forgery("a revealed seed replaced", False, True, _HASH, _of("a revealed seed replaced")),
    Forgery("a line written in another way", False, True, "a line has one form", lines=_spaced),
    Forgery("a key put in twice", False, True, "a line has one form", lines=_key_twice),
    Forgery("the end cut off, the last line left", False, True, "the last line counts the others", lines=_last_kept),
    Forgery("the last line cut off", False, True, "a whole file has one", lines=_last_lost),
    Forgery("a line put behind the last one", False, True, "nothing follows it", lines=_one_more),
    Forgery("a byte of a move flipped", True, True, "the trick was another's", _of("a byte of a move flipped")),
    Forgery("a commit removed", True, True, "a question is missing", _of("a commit removed")),
    Forgery("a commit repeated", True, True, "a card is played twice", _of("a commit repeated")),
    Forgery("two commits swapped", True, True, "a question is missing", _of("two commits swapped")),
    Forgery("a move's time changed", True, True, "the next question began then", _of("a move's time changed")),
    Forgery("a move's actor changed", True, True, "he has not that seat", _of("a move's actor changed")),
    Forgery("a card played that the seat had not", True, True, "the deal gave it to another", _other_card),
    Forgery("a cut of the cards put in", True, True, "the deal hangs on it", _cut_put_in),
    Forgery("another dealer put in", True, True, "the cards fall to others", _other_dealer),
    Forgery("a score on the sheet changed", True, True, "the set gave another one", _other_score),
    Forgery("a revealed seed replaced", True, True, "it is not the one promised", _of("a revealed seed replaced")),
    Forgery("the promise of a seed replaced", True, True, "the seed is another", _of("the promise of a seed replaced")),
    Forgery(
        "a seed replaced with its promise", True, True, "other cards follow", _of("a seed replaced with its promise")
    ),
    Forgery(
        "the second seed replaced with its promise",
        True,
        True,
        "other cards follow",
        _of("the second seed replaced with its promise"),
    ),
    Forgery("the last seed withheld", True, True, "a game that is over has revealed it", _last_seed_withheld),
    Forgery("all seeds withheld, and the end", True, True, "a scored set has revealed its seed", _seeds_withheld),
    Forgery(
        "a move's time changed, and in its events",
        True,
        False,
        "it could have been then",
        _of("a move's time changed, and in its events"),
    ),
    Forgery("the time of a join changed", True, False, "it could have been then", _of("the time of a join changed")),
    Forgery(
        "another person put in somebody's place, from the start",
        True,
        False,
        "it could have been his seat",
        _of("another person put in somebody's place, from the start"),
    ),
    Forgery("a command id changed", True, False, "nothing follows from an id", _of("a command id changed")),
    Forgery("the end cut off", True, False, "every game was once as long as that", _of("the end cut off")),
    Forgery(
        "another end played from somewhere on",
        True,
        False,
        "it could have been played, by whoever knows the seeds",
        _of("another end played from somewhere on"),
    ),
    Forgery("a sealed seed replaced", True, False, "nobody but the service can open it", _of("a sealed seed replaced")),
)


def forge(path: Path, game: Sequence[Commit], forgery: Forgery) -> Path:
    """The export of the game as somebody has forged it."""
    commits = list(game)
    if forgery.change is not None:
        commits = forgery.change(commits)
        if forgery.remade:
            commits = made_right(commits, game[0].table)
    written(path, commits)
    if forgery.lines is not None:
        path.write_bytes(b"".join(forgery.lines(path.read_bytes().splitlines(keepends=True))))
    return path
