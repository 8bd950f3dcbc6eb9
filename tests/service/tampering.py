"""Ways to tamper with a finished game, as changes of its commits."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from domain import events
from domain.commands import Move
from domain.decide import legal
from domain.events import Asked, Dealt, Joined, Opened, SeedRevealed
from domain.shuffle import commitment
from eventstore.chain import link
from eventstore.record import NO_HEAD, Commit
from service.clock import SystemClock
from tests.service.tables import new_world, steady_seeds

TABLE = "home-1"
SETS = 3
_MIDDLE = 70  # a commit of the second set, a card played
_OTHER_SEED = b"\x77" * 32
Change = Callable[[list[Commit]], list[Commit]]


class Kind(msgspec.Struct, frozen=True):
    """One way: in words, and the commits that it leaves, with the hashes that they had."""

    what: str
    change: Change


async def played(sets: int = SETS, until: int | None = None) -> list[Commit]:
    """A finished game, a minute a move. After its commit `until` everybody prefers other cards."""
    world = await new_world(steady_seeds)
    world.clock.pass_time(SystemClock().now() - world.clock.now())
    state = await world.started(TABLE, {"max_sets": str(sets), "target": "0"})
    while state.phase == "playing":
        world.clock.pass_time(60_000)
        other = until is not None and (await world.engine.held(TABLE)).version >= until
        seat = state.decisions[0].seats[0]
        moves = legal(state, seat)
        # Calls of three: of one each, and the cards would be dealt again for ever.
        move = moves[2] if state.set.called < 4 else moves[-1 if other else 0]
        await world.do(TABLE, state.seats[seat].owner, Move(move))
        state = await world.state(TABLE)
    return await world.store.read(TABLE)


def made_right(commits: Sequence[Commit], table: str = TABLE) -> list[Commit]:
    """The commits with versions and hashes as if they had been like this from the start."""
    found: list[Commit] = []
    for version, one in enumerate(commits, 1):
        previous = found[-1].hash if found else NO_HEAD
        head = link(table, version, previous, one.time, one.actor, one.command, one.events)
        found.append(msgspec.structs.replace(one, table=table, version=version, hash=head))
    return found


def at(commits: Sequence[Commit], kind: bytes, which: int = 0) -> int:
    """The index of a commit that holds an event of this kind."""
    return [index for index, commit in enumerate(commits) if kind in commit.events][which]


def changed(commits: list[Commit], index: int, **values: object) -> list[Commit]:
    """One commit with other values."""
    return [*commits[:index], msgspec.structs.replace(commits[index], **values), *commits[index + 1 :]]


def _with_events(
    commits: list[Commit], index: int, kind: type, change: Callable[[Any], dict[str, Any]]
) -> list[Commit]:
    """One commit with other values in its events of a kind."""

    found: list[Any] = list(events.decode(commits[index].events))
    places = [place for place, one in enumerate(found) if type(one) is kind]
    for place in places:
        found[place] = msgspec.structs.replace(found[place], **change(found[place]))
    told = tuple(found)
    return changed(commits, index, events=events.encode(told))


def _flipped(commits: list[Commit]) -> list[Commit]:
    index = at(commits, b'"seat":1', -10)
    return changed(commits, index, events=commits[index].events.replace(b'"seat":1', b'"seat":3', 1))


def _removed(commits: list[Commit]) -> list[Commit]:
    return commits[:_MIDDLE] + commits[_MIDDLE + 1 :]


def _swapped(commits: list[Commit]) -> list[Commit]:
    return [*commits[:_MIDDLE], commits[_MIDDLE + 1], commits[_MIDDLE], *commits[_MIDDLE + 2 :]]


def _repeated(commits: list[Commit]) -> list[Commit]:
    return [*commits[: _MIDDLE + 1], *commits[_MIDDLE:]]


def later(commits: list[Commit], index: int = _MIDDLE) -> list[Commit]:
    """A commit's time a millisecond later."""
    return changed(commits, index, time=commits[index].time + 1)


def _later_everywhere(commits: list[Commit]) -> list[Commit]:
    def asked(one: Asked) -> dict[str, Any]:
        was = commits[_MIDDLE].time
        return {
            "open": tuple(
                msgspec.structs.replace(decision, start=decision.start + 1) if decision.start == was else decision
                for decision in one.open
            )
        }

    return _with_events(later(commits), _MIDDLE, Asked, asked)


def _of_the_lobby(commits: list[Commit]) -> list[Commit]:
    return later(commits, at(commits, b"table.joined", 1))


def _other_actor(commits: list[Commit]) -> list[Commit]:
    return changed(commits, _MIDDLE, actor="person:eve")


def _another_person(commits: list[Commit]) -> list[Commit]:
    """Whose seat it was from the start: the name in the event, and the actor of all that he did."""
    index = at(commits, b"table.joined", 1)
    actor = commits[index].actor
    joined = _with_events(commits, index, Joined, lambda _: {"owner": "person:eve"})
    return [msgspec.structs.replace(one, actor="person:eve") if one.actor == actor else one for one in joined]


def _other_command(commits: list[Commit]) -> list[Commit]:
    return changed(commits, _MIDDLE, command="tg:0:0")


def _cut(commits: list[Commit]) -> list[Commit]:
    return commits[:-5]


def _other_revealed(commits: list[Commit]) -> list[Commit]:
    return _with_events(commits, at(commits, b"seed_revealed"), SeedRevealed, lambda _: {"seed": _OTHER_SEED})


def _other_promised(commits: list[Commit]) -> list[Commit]:
    return _with_events(commits, 0, Opened, lambda _: {"commitment": commitment(_OTHER_SEED)})


def _other_seed(commits: list[Commit]) -> list[Commit]:
    return _other_revealed(_other_promised(commits))


def _other_second_seed(commits: list[Commit]) -> list[Commit]:
    dealt = _with_events(commits, at(commits, b"table.dealt"), Dealt, lambda _: {"commitment": commitment(_OTHER_SEED)})
    return _with_events(dealt, at(commits, b"seed_revealed", 1), SeedRevealed, lambda _: {"seed": _OTHER_SEED})


def _other_sealed(commits: list[Commit]) -> list[Commit]:
    return _with_events(commits, 0, Opened, lambda one: {"sealed": bytes(len(one.sealed))})


@functools.cache
def _other_end() -> list[Commit]:
    return asyncio.run(played(until=2 * _MIDDLE))


def _made_up(commits: list[Commit]) -> list[Commit]:
    """As it is: with the hashes of the game that there was, as far as that went."""
    moved = made_right([*commits[: 2 * _MIDDLE], *_other_end()[2 * _MIDDLE :]], commits[0].table)
    return [
        msgspec.structs.replace(new, hash=commits[index].hash if index < len(commits) else new.hash)
        for index, new in enumerate(moved)
    ]


KINDS = (
    Kind("a byte of a move flipped", _flipped),
    Kind("a commit removed", _removed),
    Kind("a commit repeated", _repeated),
    Kind("two commits swapped", _swapped),
    Kind("a move's time changed", later),
    Kind("a move's time changed, and in its events", _later_everywhere),
    Kind("the time of a join changed", _of_the_lobby),
    Kind("a move's actor changed", _other_actor),
    Kind("another person put in somebody's place, from the start", _another_person),
    Kind("a command id changed", _other_command),
    Kind("the end cut off", _cut),
    Kind("another end played from somewhere on", _made_up),
    Kind("a revealed seed replaced", _other_revealed),
    Kind("the promise of a seed replaced", _other_promised),
    Kind("a seed replaced with its promise", _other_seed),
    Kind("the second seed replaced with its promise", _other_second_seed),
    Kind("a sealed seed replaced", _other_sealed),
)
