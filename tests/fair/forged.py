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
    whether the file alone betrays it, and by what (else: why not); whether it makes a file that says of itself that
    nobody here can judge it."""

    what: str
    remade: bool
    betrayed: bool
    why: str
    change: Change | None = None
    lines: Lines | None = None
    unjudged: bool = False


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


def _told(old: bytes, new: bytes, tag: bytes = b"callbreak.card_played", which: int = 60) -> Change:
    """Other bytes in one of the commits that have some event."""

    def forged(commits: list[Commit]) -> list[Commit]:
        place = at(commits, tag, which)
        assert old in commits[place].events
        return changed(commits, place, events=commits[place].events.replace(old, new, 1))

    return forged


def _everywhere(*pairs: tuple[bytes, bytes]) -> Change:
    def forged(commits: list[Commit]) -> list[Commit]:
        found = list(commits)
        for old, new in pairs:
            found = [msgspec.structs.replace(one, events=one.events.replace(old, new)) for one in found]
        return found

    return forged


_renamed = _everywhere((b'"ruleset":"callbreak/1"', b'"ruleset":"callbreak/2"'))
_misnamed = _everywhere((b'"ruleset":"callbreak/1"', b'"ruleset":"snitch/1"'))
_newer_event = _told(b"[", b'[{"type":"callbreak.sighed","seat":0},', which=3)
_key_again = _told(b'"type":"callbreak.card_played",', b'"type":"callbreak.card_played","seat":0,')
_key_escaped = _told(b'"card"', b'"\\u0063ard"')
_field_unknown = _told(b'"card":', b'"note":"","card":')
_field_at_default = _told(b"}", b',"auto":false}')
_default_text = _told(b'"values":', b'"kind":"score","values":', b"table.row_written", 1)
_order_changed = _told(b'"type":"callbreak.card_played",', b"")


def _renamed_and_other_card(commits: list[Commit]) -> list[Commit]:
    return _renamed(_other_card(commits))


def _renamed_and_newer_event(commits: list[Commit]) -> list[Commit]:
    return _newer_event(_renamed(commits))


def _time_beyond(commits: list[Commit]) -> list[Commit]:
    """In the commit and in its question: nothing but its size is wrong with it."""
    place = at(commits, b"callbreak.card_played", 60)
    was, now = str(commits[place].time).encode(), str((1 << 53) + 1).encode()
    return changed(commits, place, time=(1 << 53) + 1, events=commits[place].events.replace(was, now))


def _number_beyond(commits: list[Commit]) -> list[Commit]:
    number = str((1 << 53) + 1).encode()
    return _told(b'"values":[', b'"values":[' + number + b",", b"table.row_written", 1)(commits)


def _command_twice(commits: list[Commit]) -> list[Commit]:
    place = at(commits, b"callbreak.card_played", 60)
    return changed(commits, place, command=commits[place - 5].command)


def _earlier(commits: list[Commit]) -> list[Commit]:
    """A move, with what was asked then, before the one that it follows on."""
    place = at(commits, b"callbreak.card_played", 60)
    was = commits[place].time
    events_ = commits[place].events.replace(str(was).encode(), str(was - 90_000).encode())
    return changed(commits, place, time=was - 90_000, events=events_)


def _behind_the_end(told: bytes) -> Change:
    def forged(commits: list[Commit]) -> list[Commit]:
        return [*commits, msgspec.structs.replace(commits[-1], actor="operator", command="c-after", events=told)]

    return forged


_acted_after = _behind_the_end(b'[{"type":"table.admin_acted","act":"close"}]')
_left_after = _behind_the_end(b'[{"type":"table.left","seat":0}]')
_table_event_unknown = _told(b"[", b'[{"type":"table.blessed","seat":0},')
_acted_for_nothing = _told(b"]}]", b']},{"type":"table.admin_acted","act":"pause"}]')


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
    Forgery("a commit repeated", True, True, "a command is carried out once", _of("a commit repeated")),
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
    Forgery("a ruleset of another game named", True, True, "the ruleset is not the game's", _misnamed),
    Forgery(
        "a ruleset named that nobody has, and another card played",
        True,
        True,
        "the deal gave it to another",
        _renamed_and_other_card,
    ),
    Forgery("a key of an event told twice", True, True, "events have one form", _key_again),
    Forgery("a key of an event escaped", True, True, "events have one form", _key_escaped),
    Forgery("a field put in that there is not", True, True, "events have one form", _field_unknown),
    Forgery("a flag told that is at its default", True, True, "events have one form", _field_at_default),
    Forgery("a text told that is at its default", True, True, "events have one form", _default_text),
    Forgery("an event without its type", True, True, "events have one form", _order_changed),
    Forgery("a number that not every reader can hold", True, True, "events have one form", _number_beyond),
    Forgery("a time that not every reader can hold", True, True, "times have bounds", _time_beyond),
    Forgery("two commits given the same command id", True, True, "a command is carried out once", _command_twice),
    Forgery("an event of the table made up", True, True, "there is no such event", _table_event_unknown),
    Forgery("an act by right of office put in", True, True, "nothing follows from it", _acted_for_nothing),
    Forgery("an act by right of office put in behind the end", True, True, "the game was over", _acted_after),
    Forgery("somebody leaves behind the end", True, True, "the game was over", _left_after),
    Forgery("a move's time set before the one it follows on", True, False, "clocks are set back", _earlier),
    Forgery(
        "a ruleset named that nobody has",
        True,
        False,
        "both say that nobody here can judge it",
        _renamed,
        unjudged=True,
    ),
    Forgery(
        "a ruleset named that nobody has, and an event that only it has",
        True,
        False,
        "both say that nobody here can judge it",
        _renamed_and_newer_event,
        unjudged=True,
    ),
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
